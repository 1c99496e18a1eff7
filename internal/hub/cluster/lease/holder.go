package lease

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"
)

// Config says how a hub competes for the lease.
type Config struct {
	Register Register
	// Name is the hub's name, shown by the others.
	Name string
	// TTL is how long a lease lasts without renewal. 3 s lets another hub take over
	// within 5 s.
	TTL   time.Duration
	Clock Clock
	// Seen is told the name of the holder and its number when they change; nil tells
	// nobody.
	Seen func(Holder)
	// Note returns what is told with each renewal of a lease, and Noted gets what another hub
	// told a moment ago: what may be older is not passed on. Both or none.
	Note  func(number uint64) string
	Noted func(number uint64, note string)
}

func (c Config) note(number uint64) string {
	if c.Note == nil {
		return ""
	}
	return c.Note(number)
}

// Holder is who has the lease, as last read.
type Holder struct {
	Name   string
	Number uint64
}

// Shares of the TTL.
const (
	renewals = 3  // renewals in a TTL
	polls    = 12 // reads in a TTL, and tries after a failure
	margins  = 10 // the holder gives up a tenth before the TTL ends
)

// Acquire waits until the lease is this hub's, and renews it until it is lost or
// released. Errors of the register are waited out: the error is that of ctx.
func Acquire(ctx context.Context, cfg Config) (*Lease, error) {
	c := &candidate{cfg: cfg}
	for {
		l, err := c.try(ctx)
		if l != nil {
			go l.renew() //nolint:gosec // A lease outlives the wait for it: Release ends it.
			return l, nil
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("wait for the lease: %w", errors.Join(ctx.Err(), err))
		}
		select {
		case <-ctx.Done():
		case <-time.After(cfg.TTL / polls):
		}
	}
}

// candidate is a hub that waits for the lease.
type candidate struct {
	cfg Config
	// revision is the newest seen, seen when, last what it says.
	revision uint64
	seen     time.Duration
	last     value
	// looked is when the register was read last.
	looked time.Duration
	told   Holder
	// token and sent are of the last attempt, whose answer may have been lost.
	token string
	sent  time.Duration
}

// try reads the register, and swaps it when the lease is free. Without a lease and an
// error it is another's.
func (c *candidate) try(ctx context.Context) (*Lease, error) {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.TTL/renewals)
	defer cancel()
	if err := c.look(ctx); err != nil {
		return nil, err
	}
	if c.token != "" && c.last.Token == c.token && !c.last.Free {
		// It was written after all.
		if l := c.held(c.revision, c.revision, c.sent); l.Left() > 0 {
			return l, nil
		}
	}
	if !c.free() {
		return nil, nil
	}
	c.token, c.sent = rand.Text(), c.cfg.Clock()
	data, err := encode(value{Version: version, Token: c.token, Name: c.cfg.Name, TTL: c.cfg.TTL.Milliseconds()})
	if err != nil {
		return nil, err
	}
	revision, err := c.cfg.Register.Swap(ctx, c.revision, data)
	if err != nil {
		return nil, fmt.Errorf("take lease: %w", err)
	}
	c.tell(Holder{c.cfg.Name, revision})
	return c.held(revision, revision, c.sent), nil
}

// look reads the register. A value that is older than the one seen is not believed.
func (c *candidate) look(ctx context.Context) error {
	data, revision, err := c.cfg.Register.Load(ctx)
	if err != nil {
		return fmt.Errorf("read lease: %w", err)
	}
	before, now := c.looked, c.cfg.Clock()
	c.looked = now
	if revision <= c.revision {
		return nil
	}
	// A value that replaces one which was there a moment ago was written since.
	fresh := c.revision > 0 && now-before < c.cfg.TTL
	c.revision, c.seen, c.last = revision, now, value{TTL: c.cfg.TTL.Milliseconds()}
	v, err := decode(data)
	if err != nil {
		return err // It is waited for as any other.
	}
	c.last = v
	if v.Number == 0 {
		v.Number = revision
	}
	if !v.Free {
		c.tell(Holder{v.Name, v.Number})
	}
	if fresh && c.cfg.Noted != nil && v.Note != "" {
		c.cfg.Noted(v.Number, v.Note)
	}
	return nil
}

// free reports whether nobody has the lease: it was given back, or has not changed for
// as long as it lasts.
func (c *candidate) free() bool {
	if c.revision == 0 || c.last.Free {
		return true
	}
	ttl := max(c.cfg.TTL, time.Duration(c.last.TTL)*time.Millisecond)
	return c.cfg.Clock()-c.seen >= ttl
}

func (c *candidate) tell(h Holder) {
	if c.cfg.Seen != nil && h != c.told {
		c.told = h
		c.cfg.Seen(h)
	}
}

func (c *candidate) held(number, revision uint64, sent time.Duration) *Lease {
	l := &Lease{cfg: c.cfg, token: c.token, number: number, revision: revision, sent: sent, lost: make(chan struct{}), stop: make(chan struct{})}
	l.until.Store(int64(sent + l.lasts()))
	return l
}
