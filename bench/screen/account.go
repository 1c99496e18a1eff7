package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// switches is how often each of two accounts is switched to.
const switches = 10

// switchAccounts measures the time from the key that switches to another account
// to a screen full of its cards, both accounts being cached. They have only the
// server in common.
func switchAccounts(exe, home string, w *server) (took []time.Duration, err error) {
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
	s, err := start(command(exe, home))
	if err != nil {
		return nil, err
	}
	defer s.stop()
	full := fmt.Sprintf("1 Cards  %d ", len(w.names))
	at := "one"
	for n := range 2*switches + 1 {
		if _, err := s.shows("TEST   " + at + "  "); err != nil {
			return nil, err
		}
		if _, err := s.shows(full); err != nil {
			return nil, err
		}
		s.quiet(300 * time.Millisecond)
		if n == 2*switches {
			return took, nil
		}
		if err := s.moveToAccount(at == "one"); err != nil {
			return nil, err
		}
		pressed := now()
		if _, err := s.tty.WriteString("\r"); err != nil {
			return nil, err
		}
		at = map[string]string{"one": "two", "two": "one"}[at]
		if _, err := s.shows("TEST   " + at + "  "); err != nil {
			return nil, err
		}
		shown, err := s.shows(w.names[min(30, len(w.names)-1)])
		if err != nil {
			return nil, err
		}
		if n > 0 { // The first time nothing is cached.
			took = append(took, shown.Sub(pressed))
		}
	}
	return took, nil
}

// moveToAccount opens the list of accounts and moves the cursor to the other one,
// the first row being the account that the program started with.
func (s *session) moveToAccount(second bool) error {
	if _, _, err := s.press("W"); err != nil {
		return err
	}
	if _, err := s.shows("enter switch"); err != nil {
		return err
	}
	s.quiet(300 * time.Millisecond)
	keys := "g"
	if second {
		keys = "gj"
	}
	for _, k := range keys {
		if _, err := s.tty.WriteString(string(k)); err != nil {
			return err
		}
		pause(50 * time.Millisecond)
	}
	return nil
}
