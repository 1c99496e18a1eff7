package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"
)

// screen is the program in an emulated terminal.
type screen struct {
	cmd  *exec.Cmd
	tty  *os.File
	done chan struct{}

	mu sync.Mutex
	vt vt10x.Terminal
}

// open starts the program in a home folder of its own.
func open(ctx context.Context, exe, home string, w, h int, args ...string) (*screen, error) {
	cmd := exec.CommandContext(ctx, exe, append(args, "--no-cache")...) //nolint:gosec // our own program
	cmd.Dir = home
	cmd.Env = []string{
		"HOME=" + home, "PATH=/usr/bin:/bin", "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "TZ=UTC",
		"XDG_CONFIG_HOME=" + home, "XDG_STATE_HOME=" + home, "XDG_CACHE_HOME=" + home, "XDG_RUNTIME_DIR=" + home,
	}
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(w), Rows: uint16(h)})
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", exe, err)
	}
	s := &screen{cmd: cmd, tty: tty, done: make(chan struct{}), vt: vt10x.New(vt10x.WithSize(w, h))}
	go s.follow()
	return s, nil
}

// follow writes the output to the emulator, in runes that are not cut.
func (s *screen) follow() {
	defer close(s.done)
	runes := newRunes(s.tty)
	for {
		text, err := runes.next()
		s.mu.Lock()
		_, _ = s.vt.Write(text) // It never returns an error.
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// patience bounds each wait for the screen.
const patience = 20 * time.Second

// await waits until the screen shows a text.
func (s *screen) await(text string) error {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for range int(patience / (50 * time.Millisecond)) {
		if s.shows(text) {
			return nil
		}
		<-tick.C
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Errorf("the screen lacks %q:\n%s", text, s.vt.String())
}

func (s *screen) shows(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Contains(s.vt.String(), text)
}

// press types keys, too slowly for a paste.
func (s *screen) press(keys ...string) error {
	tick := time.NewTicker(700 * time.Millisecond)
	defer tick.Stop()
	for _, k := range keys {
		if _, err := io.WriteString(s.tty, k); err != nil {
			return err
		}
		<-tick.C
	}
	return nil
}

// close stops the program.
func (s *screen) close() error {
	_ = s.cmd.Process.Signal(os.Interrupt) // It may have ended.
	err := s.cmd.Wait()
	<-s.done
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = nil // It was interrupted above.
	}
	return errors.Join(err, s.tty.Close())
}
