package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"
)

// process is one of the programs that are looked at, with what it shows or prints.
type process struct {
	name string
	cmd  *exec.Cmd
	tty  *os.File // nil without a terminal
	done chan struct{}

	mu    sync.Mutex
	vt    vt10x.Terminal
	lines []string // the last that it printed
}

const (
	columns, rows = 160, 45
	keptLines     = 200
)

// start runs the program in a home of its own, in a terminal or without.
func (w *world) start(ctx context.Context, name string, terminal bool, env []string, args ...string) (*process, error) {
	home := filepath.Join(w.dir, name)
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, w.program, args...) //nolint:gosec // our own program
	cmd.Dir = home
	cmd.Env = append([]string{
		"HOME=" + home, "PATH=/usr/bin:/bin", "TERM=xterm-256color", "LANG=C.UTF-8", "TZ=UTC",
		"XDG_CONFIG_HOME=" + home, "XDG_STATE_HOME=" + home, "XDG_CACHE_HOME=" + home, "XDG_RUNTIME_DIR=" + home,
	}, env...)
	p := &process{name: name, cmd: cmd, done: make(chan struct{})}
	var from io.Reader
	var err error
	if terminal {
		p.vt = vt10x.New(vt10x.WithSize(columns, rows))
		p.tty, err = pty.StartWithSize(cmd, &pty.Winsize{Cols: columns, Rows: rows})
		from = p.tty
	} else {
		from, err = cmd.StdoutPipe()
		cmd.Stderr = os.Stderr
		if err == nil {
			err = cmd.Start()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	go p.follow(from)
	w.processes = append(w.processes, p)
	return p, nil
}

// follow reads what the process shows or prints, until it ends.
func (p *process) follow(from io.Reader) {
	defer close(p.done)
	if p.vt == nil {
		for lines := bufio.NewScanner(from); lines.Scan(); {
			p.mu.Lock()
			p.lines = append(p.lines[max(0, len(p.lines)-keptLines):], lines.Text())
			p.mu.Unlock()
		}
		return
	}
	in := bufio.NewReader(from)
	for {
		err := p.vt.Parse(in)
		if err != nil {
			return
		}
	}
}

// shows says whether a text is on the screen, or among the last lines.
func (p *process) shows(text string) bool {
	if p.vt != nil {
		return strings.Contains(p.vt.String(), text)
	}
	_, ok := p.line(text)
	return ok
}

// line is the last line that has a text.
func (p *process) line(text string) (string, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := len(p.lines) - 1; i >= 0; i-- {
		if strings.Contains(p.lines[i], text) {
			return p.lines[i], true
		}
	}
	return "", false
}

// press types keys, too slowly for a paste.
func (p *process) press(ctx context.Context, keys ...string) error {
	for _, k := range keys {
		if _, err := io.WriteString(p.tty, k); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if err := pause(ctx, 400*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

// ended says whether the process is over.
func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// stop ends the process as the system does when it shuts down.
func (p *process) stop() error {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // It may have ended.
	<-p.done
	err := p.cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = nil // It was interrupted above.
	}
	if p.tty != nil {
		err = errors.Join(err, p.tty.Close())
	}
	return err
}

// pause waits, or ends with the context.
func pause(ctx context.Context, span time.Duration) error {
	select {
	case <-time.After(span):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
