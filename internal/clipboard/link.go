package clipboard

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

// callLimit is how long the guard may take to answer: it may be in a call to a
// clipboard that does not answer, before its own two tries.
const callLimit = 7 * time.Second

// errGone means that the guard ended before it answered.
var errGone = errors.New("the clipboard guard has ended")

// link is one running guard.
type link struct {
	w    *wire.Writer
	end  func() error // closes the guard's input
	kill func() error
	done chan struct{}
	// osc52 says that the terminal may be asked to copy.
	osc52 bool

	mu      sync.Mutex
	seq     uint64
	pending map[uint64]chan wire.Frame
}

// start runs a guard and returns when it is armed. Frames that answer no call
// go to report; gone is called once when the guard has ended.
func start(ctx context.Context, cfg Config, hello wire.Frame, report func(wire.Frame), gone func(*link)) (*link, Info, error) {
	// The guard outlives the call and the dashboard.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), cfg.Executable, cfg.Args...) //nolint:gosec // the program starts itself
	cmd.Args[0] = filepath.Base(os.Args[0])                                             // as it is known in the list of processes
	cmd.Env = environ(cfg.Env)
	hello.Setup.TTY = detach(cmd, cfg.TTY)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, Info{}, fmt.Errorf("start clipboard guard: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, Info{}, fmt.Errorf("start clipboard guard: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, Info{}, fmt.Errorf("start clipboard guard: %w", err)
	}
	l := &link{w: wire.NewWriter(in), end: in.Close, kill: func() error { return end(cmd) }, done: make(chan struct{}), pending: map[uint64]chan wire.Frame{}}
	go l.read(wire.NewReader(out), cmd, report, gone)
	res, err := l.call(ctx, hello)
	if err == nil && res.Op != wire.Ready {
		err = errors.New("it answers something else")
	}
	if err != nil {
		// It holds nothing yet, and the end of its pipe would have it restore
		// the terminal under a dashboard that goes on.
		return nil, Info{}, errors.Join(fmt.Errorf("start clipboard guard: %w", err), end(cmd))
	}
	return l, Info(*res.Info), nil
}

func end(cmd *exec.Cmd) error {
	if err := cmd.Process.Kill(); !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}

// read delivers the messages of the guard until it ends.
func (l *link) read(r *wire.Reader, cmd *exec.Cmd, report func(wire.Frame), gone func(*link)) {
	for {
		f, err := r.Read()
		if err != nil {
			break
		}
		if f.Op == wire.Report {
			report(f)
			continue
		}
		if ch := l.take(f.Seq); ch != nil {
			ch <- f
		}
	}
	// How it ended changes nothing: it is gone.
	_ = cmd.Wait()
	close(l.done)
	gone(l)
}

func (l *link) take(seq uint64) chan wire.Frame {
	l.mu.Lock()
	defer l.mu.Unlock()
	ch := l.pending[seq]
	delete(l.pending, seq)
	return ch
}

// call sends a request and waits for its answer. The error of the request
// itself is in the frame and is returned as well.
func (l *link) call(ctx context.Context, f wire.Frame) (wire.Frame, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, callLimit, errors.New("the clipboard guard does not answer"))
	defer cancel()
	ch := make(chan wire.Frame, 1)
	l.mu.Lock()
	l.seq++
	f.Seq = l.seq
	l.pending[f.Seq] = ch
	l.mu.Unlock()
	defer l.take(f.Seq)
	if err := l.w.Write(f); err != nil {
		return wire.Frame{}, errors.Join(errGone, err)
	}
	select {
	case res := <-ch:
		return res, res.Failure()
	case <-l.done:
		select {
		case res := <-ch: // It answered before it ended.
			return res, res.Failure()
		default:
			return wire.Frame{}, errGone
		}
	case <-ctx.Done():
		return wire.Frame{}, context.Cause(ctx)
	}
}

// mailboxSize bounds the reports that wait for a reader.
const mailboxSize = 64

// mailbox is a channel of reports whose writers never block: when it is full
// the oldest report is dropped, because the newest state is the true one.
type mailbox struct {
	mu sync.Mutex
	ch chan Report
}

func newMailbox() *mailbox {
	return &mailbox{ch: make(chan Report, mailboxSize)}
}

func (m *mailbox) put(r Report) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for {
		select {
		case m.ch <- r:
			return
		default:
		}
		select {
		case <-m.ch:
		default:
		}
	}
}
