// Package claim shows on every hub who is at work on what: a person has taken a code,
// an operation on a card is under way. A claim ends by itself.
//
// A claim prevents nothing on its own: who may write is decided by the lease and the
// operations log.
package claim

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cardtop/cardtop/internal/hub/cluster/lease"
)

// Table is what the hubs share: a value for each name, that they compare and swap.
type Table interface {
	// Swap writes a value when revision is that of the newest, 0 for none; lease.ErrMoved
	// when it is not. A value may be forgotten after a day.
	Swap(ctx context.Context, name string, revision uint64, data []byte) (uint64, error)
	// Watch calls f with the newest value of each name, and then with each new one,
	// until ctx ends or the connection does. No data means that it is gone.
	Watch(ctx context.Context, f func(name string, revision uint64, data []byte)) error
}

// version is that of the values.
const version = 1

// value is a claim as it is stored.
type value struct {
	Version int    `json:"v"`
	Who     string `json:"who"`
	Token   string `json:"token"`
	// TTL is in milliseconds, from when a hub sees it. It is a time span, as the clocks
	// of two hubs may differ.
	TTL  int64 `json:"ttl_ms"`
	Free bool  `json:"free,omitempty"`
}

// TakenError means that somebody else has it.
type TakenError struct{ Claim Claim }

// Error says who has it, and for how long.
func (e *TakenError) Error() string {
	return fmt.Sprintf("taken by %s %s ago", e.Claim.Who, e.Claim.Age.Round(time.Second))
}

// Claim is who has something.
type Claim struct {
	What, Who string
	// Age is for how long this hub has known of it.
	Age time.Duration
}

// seen is a claim as a hub knows it.
type seen struct {
	value    value
	revision uint64
	at       time.Duration // when it was seen first
}

// Claims are those that a hub knows of. Follow has to run. It may be used from several
// goroutines.
type Claims struct {
	table Table
	clock lease.Clock

	mu    sync.Mutex
	known map[string]seen
}

// New returns a hub's view of the claims in a table.
func New(t Table, c lease.Clock) *Claims {
	return &Claims{table: t, clock: c, known: make(map[string]seen)}
}

const retry = time.Second

// Follow reads what the hubs claim until ctx ends. When the table cannot be read it
// tries again; failed is told why.
func (c *Claims) Follow(ctx context.Context, failed func(error)) {
	for ctx.Err() == nil {
		if err := c.table.Watch(ctx, c.see); err != nil && ctx.Err() == nil {
			failed(err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(retry):
		}
	}
}

// see stores what is newer than what is known.
func (c *Claims) see(name string, revision uint64, data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if revision <= c.known[name].revision {
		return
	}
	var v value
	if data == nil || json.Unmarshal(data, &v) != nil || v.Version != version {
		v = value{Free: true} // Nobody is kept from it by what is not understood.
	}
	at := c.clock()
	if old := c.known[name]; old.value.Token == v.Token {
		at = old.at // It is the same claim.
	}
	c.known[name] = seen{v, revision, at}
}

// holds returns the claim on something while it holds.
func (c *Claims) holds(name string) (seen, bool) {
	s, ok := c.known[name]
	age := c.clock() - s.at
	return s, ok && !s.value.Free && age < time.Duration(s.value.TTL)*time.Millisecond
}

// List returns the claims that hold, the newest first.
func (c *Claims) List() []Claim {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []Claim
	for name := range c.known {
		if s, ok := c.holds(name); ok {
			all = append(all, Claim{What: name, Who: s.value.Who, Age: c.clock() - s.at})
		}
	}
	slices.SortFunc(all, func(a, b Claim) int {
		return cmp.Or(cmp.Compare(a.Age, b.Age), strings.Compare(a.What, b.What))
	})
	return all
}

// Take claims something for a time. When somebody else has it the error is a
// TakenError. Release ends it before.
func (c *Claims) Take(ctx context.Context, what, who string, ttl time.Duration) (release func(context.Context) error, err error) {
	c.mu.Lock()
	old, taken := c.holds(what)
	revision := c.known[what].revision
	age := c.clock() - old.at
	c.mu.Unlock()
	if taken {
		return nil, &TakenError{Claim{What: what, Who: old.value.Who, Age: age}}
	}
	v := value{Version: version, Who: who, Token: rand.Text(), TTL: ttl.Milliseconds()}
	next, err := c.write(ctx, what, revision, v)
	if errors.Is(err, lease.ErrMoved) && revision > 0 {
		next, err = c.write(ctx, what, 0, v) // The table has forgotten the old one.
	}
	if err != nil {
		return nil, fmt.Errorf("claim %s: %w", what, err)
	}
	return func(ctx context.Context) error {
		v.Free = true
		_, err := c.write(ctx, what, next, v)
		if errors.Is(err, lease.ErrMoved) {
			return nil // It had ended, and is another's.
		}
		return err
	}, nil
}

// write swaps a value, and knows of it at once.
func (c *Claims) write(ctx context.Context, what string, revision uint64, v value) (uint64, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return 0, err
	}
	next, err := c.table.Swap(ctx, what, revision, data)
	if err != nil {
		return 0, err
	}
	c.see(what, next, data)
	return next, nil
}
