package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
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
