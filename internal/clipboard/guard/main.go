package guard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/cardtop/cardtop/internal/clipboard/backend"
	"github.com/cardtop/cardtop/internal/clipboard/helper"
	"github.com/cardtop/cardtop/internal/clipboard/screen"
	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

// ttyFD is where the dashboard leaves the terminal: the first file after the
// standard three.
const ttyFD = 3

// Main is the guard's process. It returns the exit code.
func Main(ctx context.Context, in io.Reader, out io.Writer) int {
	// The kernel ends a clipboard tool when the thread that started it ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	signal.Ignore(quietSignals()...)
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM)
	r, w := wire.NewReader(in), wire.NewWriter(out)
	hello, err := r.Read()
	if err != nil || hello.Op != wire.Hello || hello.Setup == nil || len(hello.Key) == 0 {
		return 2
	}
	g, done, err := assemble(ctx, hello, w)
	if err != nil {
		// The dashboard is waiting for Ready; when it is gone, so are we.
		_ = w.Write(wire.Frame{Op: wire.Done, Seq: hello.Seq, Err: err.Error()})
		return 1
	}
	g.send(wire.Frame{Op: wire.Ready, Seq: hello.Seq, Info: &g.info})
	g.run(ctx, pump(r), term)
	if done() != nil {
		return 1
	}
	return 0
}

// assemble builds the guard that the dashboard asked for, and what undoes it.
func assemble(ctx context.Context, hello wire.Frame, w *wire.Writer) (*Guard, func() error, error) {
	g := &Guard{clock: systemClock(), key: hello.Key, out: w}
	s := backend.Session{
		OS:      runtime.GOOS,
		Env:     os.Getenv,
		Has:     backend.Installed,
		OSC52:   hello.Setup.OSC52,
		Version: backend.VersionOf(ctx),
		Helper:  helper.Caller{Command: hello.Setup.Helper},
		Above:   backend.Above,
		Host:    host(),
	}
	if hello.Setup.TTY {
		tty := os.NewFile(ttyFD, "tty")
		saved, err := screen.New(tty, hello.Setup.Mode)
		if err != nil {
			return nil, nil, err
		}
		g.screen, g.held, s.TTY, s.Device = saved, hello.Setup.Held, tty, device(tty)
	}
	dir, err := scratch(os.Getenv("XDG_RUNTIME_DIR"))
	if err != nil {
		return nil, nil, err
	}
	s.Scratch = dir
	g.choose(backend.Choose(s), hello.Setup.Claims)
	return g, func() error { return os.RemoveAll(dir) }, nil //nolint:gosec // the directory was just made here
}

// host names this machine; empty when it has no name.
func host() string {
	name, err := os.Hostname()
	if err != nil {
		return ""
	}
	return name
}

// scratch makes a directory that only this user can enter, in memory and gone
// with the session. Without a runtime directory there is none.
func scratch(runtimeDir string) (string, error) {
	if runtimeDir == "" {
		return "", nil
	}
	dir, err := os.MkdirTemp(runtimeDir, "cardtop-guard-")
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("make clipboard directory: %w", err)
	}
	return dir, nil
}

// pump reads frames for the loop. Its last word is the end of the pipe, which
// is how the death of the dashboard is told.
func pump(r *wire.Reader) <-chan input {
	ch := make(chan input)
	go func() {
		for {
			f, err := r.Read()
			ch <- input{frame: f, err: err}
			if err != nil {
				return
			}
		}
	}()
	return ch
}
