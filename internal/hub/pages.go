package hub

import (
	"sync"
	"sync/atomic"

	"github.com/cardtop/cardtop/state"
)

// pages are answers from memory, kept while nothing has changed: when many people are
// told of a change they ask for the same. None has a secret.
type pages struct {
	version atomic.Uint64 // of what memory has

	mu      sync.Mutex
	of      uint64 // the version of the entries
	entries map[string]answer
}

// mostPages bounds the answers that are kept.
const mostPages = 256

// changed has everything read anew.
func (p *pages) changed() { p.version.Add(1) }

func (p *pages) find(key string) (answer, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a, ok := p.entries[key]
	return a, ok && p.of == p.version.Load()
}

// keep stores what was read at a version, unless a newer one is there.
func (p *pages) keep(key string, version uint64, a answer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if version < p.of {
		return
	}
	if p.entries == nil || version > p.of || len(p.entries) >= mostPages {
		p.of, p.entries = version, make(map[string]answer)
	}
	p.entries[key] = a
}

// remembered answers with what somebody of the same view was answered, while memory has
// the same. Its age is that of now.
func (s *Server) remembered(r *request, lane state.Lane, handle func(*request) (answer, error)) (answer, error) {
	key := r.person.View() + "\x00" + r.URL.EscapedPath() + "\x00" + r.URL.RawQuery
	if a, ok := s.pages.find(key); ok {
		err := s.read(r.Context(), func(st *state.Store) { a.age = s.ageOf(st, lane) })
		return a, err
	}
	version := s.pages.version.Load()
	a, err := handle(r)
	if err == nil && a.memory && !a.wipe {
		s.pages.keep(key, version, a)
	}
	return a, err
}
