package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// account is a profile of cardtop and the server that it is on.
type account struct {
	name   string
	server *server
}

// configure writes a configuration with the accounts as profiles, the first one
// being the one to start with.
func configure(home string, all []account) error {
	folder := filepath.Join(home, "config", "cardtop")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	file := fmt.Sprintf("profile = '%s'\n", all[0].name)
	for _, a := range all {
		file += fmt.Sprintf("[profiles.%s]\nbase_url = '%s'\napi_key = '%s'\n", a.name, a.server.address, a.server.key)
	}
	return os.WriteFile(filepath.Join(folder, "config.toml"), []byte(file), 0o600)
}

// fill runs the program on every account until it has read every card, so that
// its next start has them. It takes minutes where there are many: the program
// keeps to the limits of the API.
func fill(ctx context.Context, exe, home string, all []account) error {
	failed := make(chan error, len(all))
	var group sync.WaitGroup
	for _, a := range all {
		group.Go(func() { failed <- fillOne(ctx, cardtop(exe, home, a)) })
	}
	group.Wait()
	for range all {
		if err := <-failed; err != nil {
			return err
		}
	}
	return nil
}

func fillOne(ctx context.Context, p program) error {
	s, err := start(ctx, size{160, 45}, p.env, p.args...)
	if err != nil {
		return err
	}
	defer s.stop()
	if _, err := s.shows(p.ready); err != nil {
		return err
	}
	s.quiet(10 * silence)
	if err := s.send("q"); err != nil {
		return err
	}
	return s.end()
}

// switchAccounts measures the time from the key that switches to another account
// to a screen full of its cards, both accounts being cached.
func switchAccounts(ctx context.Context, exe, home string, one, two account, times int, f figures) error {
	p := cardtop(exe, home, one)
	s, err := start(ctx, size{160, 45}, p.env, p.args...)
	if err != nil {
		return err
	}
	defer s.stop()
	at, other := one, two
	if _, err := s.shows(p.ready); err != nil {
		return err
	}
	for range 2 * times {
		s.quiet(10 * silence)
		if err := moveToAccount(s, at == one); err != nil {
			return err
		}
		pressed := now()
		if err := s.send("\r"); err != nil {
			return err
		}
		at, other = other, at
		if _, err := s.shows("TEST   " + at.name + "  "); err != nil {
			return err
		}
		shown, err := s.shows(at.server.rows[min(30, len(at.server.rows)-1)][1])
		if err != nil {
			return err
		}
		f.add(switchMS, ms(shown.Sub(pressed)))
		if _, err := s.shows(cardtop(exe, home, at).ready); err != nil {
			return err
		}
	}
	return nil
}

// moveToAccount opens the list of accounts and moves the cursor to the second or
// the first one.
func moveToAccount(s *session, second bool) error {
	if _, _, err := s.press("W", silence); err != nil {
		return err
	}
	if _, err := s.shows("enter switch"); err != nil {
		return err
	}
	s.quiet(10 * silence)
	keys := "g"
	if second {
		keys = "gj"
	}
	for _, k := range keys {
		if err := s.send(string(k)); err != nil {
			return err
		}
		pause(2 * silence)
	}
	return nil
}
