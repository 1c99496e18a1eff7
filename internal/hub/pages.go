package hub

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/poll"
)

// pages are answers from memory, kept while nothing has changed: when many people are
// told of a change they ask for the same at once, and one of them has it made. None has a
// secret.
type pages struct {
	version atomic.Uint64 // of what memory has

	mu      sync.Mutex
	of      uint64 // the version of the entries
	entries map[string]*sharedAnswer
}

// sharedAnswer is an answer that is made by the first who asks for it.
type sharedAnswer struct {
	made   chan struct{} // is closed then
	answer answer
	ok     bool // others may have it too
}

// mostPages bounds the answers that are kept.
const mostPages = 256

// changed has everything read anew.
func (p *pages) changed() { p.version.Add(1) }

// claim returns the answer of a key, and whether the caller is the one who makes it.
func (p *pages) claim(key string) (a *sharedAnswer, mine bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	// What is read from now on is of this version or of a later one.
	if v := p.version.Load(); p.entries == nil || p.of != v || len(p.entries) >= mostPages {
		p.of, p.entries = v, make(map[string]*sharedAnswer)
	}
	if a := p.entries[key]; a != nil {
		return a, false
	}
	a = &sharedAnswer{made: make(chan struct{})}
	p.entries[key] = a
	return a, true
}

// done lets the others have the answer, or make their own where only the caller may
// have it.
func (p *pages) done(key string, a *sharedAnswer) {
	close(a.made)
	if a.ok {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.entries[key] == a {
		delete(p.entries, key)
	}
}

// find returns the answer of a key, which handle makes where nobody has.
func (p *pages) find(ctx context.Context, key string, handle func() (answer, error)) (a answer, kept bool, err error) {
	entry, mine := p.claim(key)
	if mine {
		defer p.done(key, entry) // Also when it panics.
		a, err = handle()
		entry.answer, entry.ok = a, err == nil && a.memory && !a.wipe
		return a, false, err
	}
	select {
	case <-entry.made:
	case <-ctx.Done():
		return a, false, ctx.Err()
	}
	if entry.ok {
		return entry.answer, true, nil
	}
	a, err = handle()
	return a, false, err
}

// remembered answers with what somebody of the same view was answered, while memory has
// the same. Its age is that of now.
func (s *Server) remembered(r *request, lane poll.Lane, handle func(*request) (answer, error)) (answer, error) {
	key := r.person.View() + "\x00" + r.URL.EscapedPath() + "\x00" + r.URL.RawQuery
	a, kept, err := s.pages.find(r.Context(), key, func() (answer, error) { return handle(r) })
	switch {
	case !kept:
	case s.reader():
		a.age = s.cfg.Several.Age(lane) // The store does not know it.
	default:
		err = s.read(r.Context(), func(st *state.Store) { a.age = s.ageOf(st, lane) })
	}
	return a, err
}
