package hub

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/hub/limit"
	"github.com/cardtop/cardtop/internal/hub/team"
)

// cache remembers answers to reads that the store does not have, so that many people
// cost as one. What it holds is not secret.
type cache struct {
	now func() time.Time

	mu      sync.Mutex
	entries map[string]*cached
	version int // of what is remembered: a write forgets all before it
}

type cached struct {
	done    chan struct{}
	at      time.Time
	version int
	body    []byte
	err     error
}

// How long answers are remembered.
const (
	shortly  = 5 * time.Second
	aWhile   = 20 * time.Second
	forLong  = 10 * time.Minute
	mostHeld = 500
)

func newCache(now func() time.Time) *cache {
	return &cache{now: now, entries: make(map[string]*cached)}
}

// forget forgets what may have been changed by a write.
func (c *cache) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version++
}

// errNotRead is that a read panicked.
var errNotRead = errors.New("it could not be read")

// get returns what is remembered under a name, or reads it. Those who ask for the same
// at once share one read. A failure is not remembered.
func (c *cache) get(ctx context.Context, name string, life time.Duration, read func() ([]byte, error)) ([]byte, time.Duration, error) {
	c.mu.Lock()
	e := c.entries[name]
	if e == nil || e.version != c.version && life < forLong || e.over() && (e.err != nil || c.now().Sub(e.at) >= life) {
		e = &cached{done: make(chan struct{}), at: c.now(), version: c.version}
		c.trim()
		c.entries[name] = e
		c.mu.Unlock()
		e.err = errNotRead
		func() {
			defer close(e.done) // Also when it panics.
			e.body, e.err = read()
		}()
		return e.body, c.now().Sub(e.at), e.err
	}
	c.mu.Unlock()
	select {
	case <-e.done:
		return e.body, max(0, c.now().Sub(e.at)), e.err
	case <-ctx.Done():
		return nil, 0, ctx.Err()
	}
}

func (c *cache) trim() {
	for name, e := range c.entries {
		if len(c.entries) < mostHeld {
			return
		}
		if e.over() {
			delete(c.entries, name)
		}
	}
}

func (e *cached) over() bool {
	select {
	case <-e.done:
		return true
	default:
		return false
	}
}

// through reads what the store does not have, under the budget. The read is not tied to
// who asked first: others may wait for it. It counts to who sends it.
func (s *Server) through(ctx context.Context, p *team.Person, r api.Read, life time.Duration) ([]byte, time.Duration, error) {
	return s.throughAs(ctx, p, r, life, func(body []byte) ([]byte, error) { return body, nil })
}

// throughAs is through with what is kept of the answer.
func (s *Server) throughAs(ctx context.Context, p *team.Person, r api.Read, life time.Duration, keep func([]byte) ([]byte, error)) ([]byte, time.Duration, error) {
	name := nameOf(r)
	for {
		sent := false
		body, age, err := s.cache.get(ctx, name, life, func() ([]byte, error) {
			sent = true
			limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
			defer cancel()
			body, err := s.upstream(limited, p, r)
			if err != nil {
				return nil, err
			}
			return keep(body.Bytes())
		})
		// The limit of who asked first is not that of who waited for them.
		if of := (*pagesError)(nil); !errors.As(err, &of) || sent {
			return body, age, err
		}
	}
}

// nameOf is what the answer to a read is remembered under.
func nameOf(r api.Read) string { return r.Route + "\x00" + r.Segment + "\x00" + r.Query.Encode() }

// secretly is through for what may have secrets: nothing is remembered, and the caller
// wipes it.
func (s *Server) secretly(ctx context.Context, p *team.Person, r api.Read) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	body, err := s.upstream(ctx, p, r)
	return body.Bytes(), err
}

// pagesError is that a person had too many pages of the service read.
type pagesError struct{ *refusal }

func (e *pagesError) Unwrap() error { return e.refusal }

// upstream sends a read. It ranks behind what the hub polls for everybody.
func (s *Server) upstream(ctx context.Context, p *team.Person, r api.Read) (api.Secret, error) {
	if s.reader() {
		return api.Secret{}, errElsewhere
	}
	if wait := s.limits.Take(p.Name, limit.Page); wait > 0 {
		return api.Secret{}, &pagesError{tooMany(wait)}
	}
	return s.sendRead(ctx, r)
}

// sendRead sends a read.
func (s *Server) sendRead(ctx context.Context, r api.Read) (api.Secret, error) {
	return engine.ReadLow(ctx, s.cfg.Engine, "hub", func(ctx context.Context, c *client.Client) (api.Secret, error) { return c.ReadRaw(ctx, r) })
}
