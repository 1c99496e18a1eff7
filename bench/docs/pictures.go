package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"
)

// picture is the keys that are pressed, and a text that the screen shows then.
type picture struct {
	name  string
	w, h  int
	theme string
	keys  []string
	shows string
}

func pictures() []picture {
	return []picture{
		{"dashboard", 160, 45, "dark", nil, "3 Transactions"},
		{"dashboard-100x30", 100, 30, "dark", nil, "3 Transactions"},
		{"dashboard-80x24", 80, 24, "dark", nil, "1 Cards"},
		{"dashboard-light", 160, 45, "light", nil, "3 Transactions"},
		{"card", 160, 45, "dark", []string{"j", "j", "j", "\r"}, "month "},
		{"plan", 160, 45, "dark", []string{" ", " ", " ", " ", " ", "+", "2", "5", "\r"}, "Fund 5 cards"},
		{"help", 160, 45, "dark", []string{"?"}, "Keys"},
		{"deposit", 160, 45, "dark", []string{"d", "\r"}, "Deposit"},
	}
}

// draw builds the program and writes the pictures whose names contain a text.
func draw(ctx context.Context, dir, only string) error {
	temp, err := os.MkdirTemp("", "cardtop-docs-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }() // The system clears what is left.
	exe := filepath.Join(temp, "cardtop")
	if runtime.GOOS == "windows" {
		return errors.New("pictures need a system with pseudo terminals")
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", exe, ".") //nolint:gosec // our own path
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("build the program: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // a folder of the repository
		return err
	}
	for _, p := range pictures() {
		if !strings.Contains(p.name, only) {
			continue
		}
		home := filepath.Join(temp, p.name)
		svg, err := p.take(ctx, exe, home)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if err := os.WriteFile(filepath.Join(dir, p.name+".svg"), svg, 0o644); err != nil { //nolint:gosec // a picture of the repository
			return err
		}
	}
	if !strings.Contains(movieName, only) {
		return nil
	}
	svg, err := film(ctx, exe, filepath.Join(temp, movieName))
	if err != nil {
		return fmt.Errorf("%s: %w", movieName, err)
	}
	return os.WriteFile(filepath.Join(dir, movieName+".svg"), svg, 0o644) //nolint:gosec // a picture of the repository
}

// movieName is the name of the moving picture.
const movieName = "checkout"

// take runs the program once and draws its screen.
func (p picture) take(ctx context.Context, exe, home string) (svg []byte, err error) {
	settings := filepath.Join(home, "cardtop", "config.toml")
	if err := os.MkdirAll(filepath.Dir(settings), 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(settings, []byte(fmt.Sprintf("theme = %q\n", p.theme)), 0o600); err != nil {
		return nil, err
	}
	s, err := open(ctx, exe, home, p.w, p.h, "--sandbox")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := s.await("live"); err != nil {
		return nil, err
	}
	// The first screen comes before half of the data.
	if err := s.press(append([]string{"g", "g", "g"}, p.keys...)...); err != nil {
		return nil, err
	}
	if err := s.await(p.shows); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return render(s.vt, p.w, p.h, p.theme), nil
}

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
