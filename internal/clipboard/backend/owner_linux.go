package backend

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/cardtop/cardtop/internal/clipboard/helper"
	"github.com/cardtop/cardtop/internal/clipboard/mark"
	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

// ownerSupported reports whether a child can be made to die with the guard.
const ownerSupported = true

// killWait bounds the wait for the end of a killed owner.
const killWait = time.Second

// Owner keeps the clipboard tool in the foreground as a child. Ending the child
// ends the selection, the child ends by itself when another program takes the
// selection, and the kernel ends it when the guard dies.
//
// The kernel ties the child to the thread that started it, so every Copy has to
// come from one goroutine that is locked to its thread.
type Owner struct {
	argv []string
	dir  string // private TMPDIR of the child, "" for none
	help helper.Caller
	lost chan uint64
	cur  *holder
}

// holder is one running tool.
type holder struct {
	id   uint64
	set  mark.Set
	cmd  *exec.Cmd
	said *bytes.Buffer
	done chan struct{}
	err  error // valid after done
}

// NewOwner returns the backend over a tool that serves the selection until it
// is killed. It reads the text from its standard input.
func NewOwner(argv []string, dir string, help helper.Caller) *Owner {
	return &Owner{argv: argv, dir: dir, help: help, lost: make(chan uint64, 16)}
}

// Lost delivers copies whose selection another program took, or whose tool was
// killed by someone else.
func (o *Owner) Lost() <-chan uint64 { return o.lost }

// Copy starts a tool and waits until the text can be read back. The earlier
// tool ends when it loses the selection to the new one.
func (o *Owner) Copy(ctx context.Context, id uint64, text []byte, set mark.Set) (wire.Outcome, error) {
	h, err := o.start(ctx, id, text, set)
	if err != nil {
		return "", err
	}
	if err := o.confirm(ctx, h); err != nil {
		return "", errors.Join(err, h.kill())
	}
	old := o.cur
	o.cur = h
	if old != nil {
		return wire.Copied, old.kill()
	}
	return wire.Copied, nil
}

func (o *Owner) start(ctx context.Context, id uint64, text []byte, set mark.Set) (*holder, error) {
	// The tool outlives the call, and with it the call's context.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), o.argv[0], o.argv[1:]...) //nolint:gosec // argv is one of three fixed commands
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	if o.dir != "" {
		cmd.Env = append(os.Environ(), "TMPDIR="+o.dir)
	}
	h := &holder{id: id, set: set, cmd: cmd, said: new(bytes.Buffer), done: make(chan struct{})}
	cmd.Stderr = h.said
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", o.argv[0], err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", o.argv[0], err)
	}
	go func() {
		h.err = cmd.Wait()
		close(h.done)
		o.lost <- id
	}()
	// The text is smaller than a pipe's buffer: this cannot block on a tool
	// that does not read.
	_, err = in.Write(text)
	if err := errors.Join(err, in.Close()); err != nil {
		return nil, errors.Join(fmt.Errorf("write to %s: %w", o.argv[0], err), h.kill())
	}
	return h, nil
}

// confirm waits until the text is on the clipboard or the tool has failed.
func (o *Owner) confirm(ctx context.Context, h *holder) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-ctx.Done():
		case <-h.done:
			// A clipboard manager may take the selection over at once and
			// keep the text; that is no failure.
			if h.err != nil {
				cancel(h.failure())
			}
		}
	}()
	err := o.help.Await(ctx, h.set)
	if err == nil {
		return nil
	}
	// Where nothing can be copied nothing can be read either: the tool says why.
	select {
	case <-h.done:
		if h.err != nil {
			return h.failure()
		}
	case <-time.After(killWait / 10):
	}
	return err
}

// Clear ends the tool if it serves a text of the set. The helper then looks
// for a clipboard manager that holds on to what it saw.
func (o *Owner) Clear(ctx context.Context, set mark.Set) (wire.Outcome, error) {
	ended, err := o.end(set)
	if err != nil {
		return "", err
	}
	found, err := o.help.Clear(ctx, set)
	// The tool is no more. Without a display no one else holds the text either.
	if found == wire.Gone || ended && found == wire.Empty {
		found = wire.Cleared
	}
	return found, err
}

// Release ends the tool.
func (o *Owner) Release(_ context.Context, set mark.Set) error {
	_, err := o.end(set)
	return err
}

func (o *Owner) end(set mark.Set) (bool, error) {
	if o.cur == nil || !shares(o.cur.set, set) {
		return false, nil
	}
	if err := o.cur.kill(); err != nil {
		return false, err
	}
	o.cur = nil
	return true, nil
}

// Check compares.
func (o *Owner) Check(ctx context.Context, set mark.Set) (wire.Outcome, error) {
	return o.help.Check(ctx, set)
}

func shares(a, b mark.Set) bool {
	return slices.ContainsFunc(a.Sums, func(sum []byte) bool {
		return slices.ContainsFunc(b.Sums, func(s []byte) bool { return bytes.Equal(s, sum) })
	})
}

func (h *holder) kill() error {
	err := h.cmd.Process.Kill()
	if err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("end %s: %w", h.cmd.Path, err)
	}
	select {
	case <-h.done:
		return nil
	case <-time.After(killWait):
		return fmt.Errorf("end %s: it does not end", h.cmd.Path)
	}
}

// failure returns why the tool ended.
func (h *holder) failure() error {
	line, _, _ := strings.Cut(strings.TrimSpace(h.said.String()), "\n")
	return fmt.Errorf("%s: %s (%w)", h.cmd.Args[0], helper.Plain(line, h.set.Has), h.err)
}
