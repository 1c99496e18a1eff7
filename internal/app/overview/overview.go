// Package overview opens the accounts that are not on the screen, each with a key, a
// client and a request budget of its own, and ends what runs on them with the session.
package overview

import (
	"context"
	"sync"

	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/accounts"
	"github.com/cardtop/cardtop/ui/dialog"
)

// Account is an account whose key was read.
type Account struct {
	Mode string
	// Store is what its store is made with.
	Store settings.Config
	// Run returns soon after the context ends.
	Run func(context.Context, kernel.Effect) kernel.Event
	// Close forgets the key. Nothing runs when it is called.
	Close func()
}

// Sessions implements accounts.Source. It may be used from several goroutines.
type Sessions struct {
	open   func(dialog.Account) (*session, error)
	cancel context.CancelFunc

	mu     sync.Mutex
	closed bool
	all    map[*session]bool
}

var _ accounts.Source = (*Sessions)(nil)

// New returns one whose accounts end with the context at the latest.
func New(ctx context.Context, open func(context.Context, dialog.Account) (Account, error)) *Sessions {
	ctx, cancel := context.WithCancel(ctx)
	s := &Sessions{cancel: cancel, all: make(map[*session]bool)}
	s.open = func(a dialog.Account) (*session, error) {
		account, err := open(ctx, a)
		if err != nil {
			return nil, err
		}
		ctx, cancel := context.WithCancel(ctx)
		run := func(e kernel.Effect) kernel.Event { return account.Run(ctx, e) }
		return &session{account: account, of: s, run: run, cancel: cancel}, nil
	}
	return s
}

// Open implements accounts.Source.
func (s *Sessions) Open(a dialog.Account) (accounts.Session, error) {
	opened, err := s.open(a)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	late := s.closed
	if !late {
		s.all[opened] = true
	}
	s.mu.Unlock()
	if late {
		opened.Close()
	}
	return opened, nil
}

// Close ends all accounts and returns when their keys are forgotten.
func (s *Sessions) Close() {
	s.mu.Lock()
	s.closed = true
	open := make([]*session, 0, len(s.all))
	for one := range s.all {
		open = append(open, one)
	}
	s.mu.Unlock()
	s.cancel()
	for _, one := range open {
		one.Close()
	}
}

// session implements accounts.Session.
type session struct {
	account Account
	of      *Sessions
	run     func(kernel.Effect) kernel.Event
	cancel  context.CancelFunc

	mu     sync.Mutex
	closed bool
	under  sync.WaitGroup
}

// Mode implements accounts.Session.
func (s *session) Mode() string { return s.account.Mode }

// Config implements accounts.Session.
func (s *session) Config() settings.Config { return s.account.Store }

// Run implements accounts.Session.
func (s *session) Run(effect kernel.Effect) kernel.Event {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.under.Add(1)
	s.mu.Unlock()
	defer s.under.Done()
	return s.run(effect)
}

// Close implements accounts.Session.
func (s *session) Close() {
	s.mu.Lock()
	was := s.closed
	s.closed = true
	s.mu.Unlock()
	if was {
		return
	}
	s.cancel()
	s.under.Wait()
	s.account.Close()
	s.of.mu.Lock()
	delete(s.of.all, s)
	s.of.mu.Unlock()
}
