package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// turns is how often each of two profiles is turned to.
const turns = 10

// turn measures how long it takes from the key that turns to another profile
// to a screen that is full of that one's cards, both known from an earlier run.
// Both are on the same server, which is all that they share.
func turn(bin, dir string, w *world) (took []time.Duration, err error) {
	home := filepath.Join(dir, "turn")
	folder := filepath.Join(home, "config", "cardtop")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	file := "profile = 'one'\n"
	for _, name := range []string{"one", "two"} {
		file += fmt.Sprintf("[profiles.%s]\nbase_url = '%s'\napi_key = '%s'\n", name, w.address, key)
	}
	if err := os.WriteFile(filepath.Join(folder, "config.toml"), []byte(file), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.Command(filepath.Join(bin, "cardtop"))
	cmd.Env = []string{
		"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH"), "HOME=" + home,
		"XDG_CONFIG_HOME=" + home + "/config", "XDG_STATE_HOME=" + home + "/state", "XDG_CACHE_HOME=" + home + "/cache",
	}
	s, err := start(cmd)
	if err != nil {
		return nil, err
	}
	defer s.stop()
	full := fmt.Sprintf("1 Cards  %d ", len(w.rows))
	at := "one"
	for n := range 2*turns + 1 {
		if _, err := s.shows("TEST   " + at + "  "); err != nil {
			return nil, err
		}
		if _, err := s.shows(full); err != nil {
			return nil, err
		}
		s.quiet(300 * time.Millisecond)
		if n == 2*turns {
			return took, nil
		}
		if _, _, err := s.press("W"); err != nil {
			return nil, err
		}
		if _, err := s.shows("enter switch"); err != nil {
			return nil, err
		}
		s.quiet(300 * time.Millisecond)
		// The first row is the profile that the program began with.
		keys := "g"
		if at == "one" {
			keys = "gj"
		}
		for _, k := range keys {
			if _, err := s.tty.WriteString(string(k)); err != nil {
				return nil, err
			}
			time.Sleep(50 * time.Millisecond)
		}
		pressed := time.Now()
		if _, err := s.tty.WriteString("\r"); err != nil {
			return nil, err
		}
		at = map[string]string{"one": "two", "two": "one"}[at]
		if _, err := s.shows("TEST   " + at + "  "); err != nil {
			return nil, err
		}
		shown, err := s.shows(w.rows[min(30, len(w.rows)-1)][1])
		if err != nil {
			return nil, err
		}
		if n > 0 { // The first has nothing kept.
			took = append(took, shown.Sub(pressed))
		}
	}
	return took, nil
}
