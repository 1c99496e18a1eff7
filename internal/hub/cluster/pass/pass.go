// Package pass hands a person's request from a hub that does not lead to the one that
// does, and its answer back.
//
// What was handed over is not handed over again. A write that is not answered in time
// is unknown: it is asked for again under the same key, and the log of the leader says
// what became of it. Whoever reads the bus reads nothing: requests are sealed under the
// key of the hubs, and answers under a key that is made for one answer besides.
package pass

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
)

// Errors of a request that was passed.
var (
	// ErrNobody means that no hub took the request: nothing was done.
	ErrNobody = errors.New("no hub leads now")
	// ErrUnknown means that a hub may have done it, or may yet.
	ErrUnknown = errors.New("the hub that leads has not answered")
	// ErrVersion means that the hubs do not understand one another: nothing was done.
	ErrVersion = errors.New("the hubs are of different versions, or have different keys")
)

// Line carries requests and their answers between hubs, each at most once.
type Line interface {
	// Ask sends a request and waits for its answer. ErrNobody means that nobody listens.
	Ask(ctx context.Context, subject string, data []byte) ([]byte, error)
	// Listen calls f with each request, each in a goroutine of its own, until stop.
	Listen(subject string, f func(data []byte) []byte) (stop func() error, err error)
}

// Request is what a person asked a hub for.
type Request struct {
	Method string      `json:"method"`
	URI    string      `json:"uri"` // path and query
	Header http.Header `json:"header"`
	From   string      `json:"from"` // the person's address
	// Name and SSHKey are of a person who has shown an SSH key to the hub that asks; the
	// key is its fingerprint.
	Name   string `json:"name,omitempty"`
	SSHKey string `json:"ssh_key,omitempty"`
	Body   []byte `json:"-"`
}

// Answer is what the leader says. Its body may have a secret: who has written it wipes
// it.
type Answer struct {
	Status int         `json:"status"`
	Header http.Header `json:"header"`
	Body   []byte      `json:"-"`
}

// Channel passes requests over a line, sealed. It may be used from several goroutines.
type Channel struct {
	line  Line
	keys  *seal.Keys
	clock func() time.Duration
	// hub is random and names this process; count is how many requests it has passed.
	hub   string
	count atomic.Uint64
}

// NewChannel makes a channel of this process. The clock is monotonic.
func NewChannel(l Line, k *seal.Keys, clock func() time.Duration) *Channel {
	return &Channel{line: l, keys: k, clock: clock, hub: rand.Text()}
}

// subject is where the leader of a lease listens. One that was paused listens where
// nobody asks any more.
func subject(number uint64) string { return fmt.Sprintf("ask.%d", number) }

// about is what a request is sealed with: one to another leader does not open.
func about(number uint64) string { return "request to " + subject(number) }

// Ask passes a request to the hub with a lease. Ctx has to have a deadline.
func (c *Channel) Ask(ctx context.Context, number uint64, r Request) (Answer, error) {
	until, ok := ctx.Deadline()
	if !ok {
		return Answer{}, errors.New("pass request: it has no deadline")
	}
	left := time.Until(until) //nolint:forbidigo // the deadline of a context is by this clock
	own, err := newKey()
	if err != nil {
		return Answer{}, fmt.Errorf("pass request: %w: %w", ErrNobody, err)
	}
	head := requestHead{
		Version: version, ID: rand.Text(), Key: own.PublicKey().Bytes(), Left: left.Milliseconds(), Request: r,
		stamp: stamp{Hub: c.hub, Count: c.count.Add(1), Sent: c.clock()},
	}
	plain, err := frame(head, r.Body)
	if err != nil {
		return Answer{}, fmt.Errorf("pass request: %w: %w", ErrNobody, err)
	}
	sealed := c.keys.Seal(plain, about(number))
	clear(plain)
	data, err := c.line.Ask(ctx, subject(number), sealed)
	switch {
	case errors.Is(err, ErrNobody):
		return Answer{}, fmt.Errorf("pass request: %w", err)
	case err != nil:
		return Answer{}, fmt.Errorf("pass request: %w: %w", ErrUnknown, err)
	case len(data) == 0:
		return Answer{}, fmt.Errorf("pass request: %w", ErrVersion)
	}
	a, taken, err := c.open(data, own, head.ID)
	switch {
	case err != nil:
		return Answer{}, fmt.Errorf("pass request: %w: %w", ErrUnknown, err)
	case !taken:
		return Answer{}, fmt.Errorf("pass request: %w", ErrNobody)
	}
	return a, nil
}

// Do answers a request at the leader. Taken is false when this hub leads no more and
// certainly did nothing. The body of the answer is wiped when it is sealed.
type Do func(ctx context.Context, r Request) (a Answer, taken bool)

// Serve answers what others pass to the leader with a lease, until stop.
func (c *Channel) Serve(ctx context.Context, number uint64, do Do) (stop func() error, err error) {
	var heard window
	stop, err = c.line.Listen(subject(number), func(data []byte) []byte {
		plain, err := c.keys.Open(data, about(number))
		if err != nil {
			return nil // It is not of a hub with the same key: nothing was done.
		}
		defer clear(plain)
		var head requestHead
		body, err := unframe(plain, &head)
		if err != nil || head.Version != version {
			return nil
		}
		head.Body = body
		if !heard.first(head.stamp, c.clock(), head.left()) {
			return nil // It came before, or somebody held it back.
		}
		if ctx.Err() != nil || head.Left <= 0 {
			return c.reply(head, Answer{}, false)
		}
		ctx, cancel := context.WithTimeout(ctx, head.left())
		defer cancel()
		a, taken := do(ctx, head.Request)
		defer clear(a.Body)
		return c.reply(head, a, taken)
	})
	if err != nil {
		return nil, fmt.Errorf("serve requests: %w", err)
	}
	return stop, nil
}

// stamp tells requests of a hub apart, and when they were sent. It is sealed with the
// request.
type stamp struct {
	// Hub names a process, Count counts its requests.
	Hub   string `json:"hub"`
	Count uint64 `json:"count"`
	// Sent is by the clock of that process.
	Sent time.Duration `json:"sent"`
}

// window takes each request once: who is on the bus can deliver one again, or hold it
// back until the person has been told something else. A window is of one lease, as no
// request opens under another.
type window struct {
	mu   sync.Mutex
	hubs map[string]*heard
}

// width is how far behind the newest request of a hub another may come, as many are
// passed at once.
const width = 64

// heard is what came of a hub.
type heard struct {
	newest uint64
	// seen has a bit for each of the last ones, the lowest for the newest.
	seen uint64
	// The clocks of two hubs have nothing in common, and drift: least is the least that
	// this hub's was ahead when a request came, of the minute that began at since and of
	// the one before.
	least, before time.Duration
	since         time.Duration
}

const minute = time.Minute

// first reports whether a request comes for the first time, and no later than the one
// who asked waits for it.
func (w *window) first(s stamp, now, left time.Duration) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	ahead := now - s.Sent
	h, known := w.hubs[s.Hub]
	if !known {
		if w.hubs == nil {
			w.hubs = make(map[string]*heard)
		}
		h = &heard{least: ahead, before: ahead, since: now}
		w.hubs[s.Hub] = h
	}
	return h.once(s.Count) && h.delayed(ahead, now) <= left
}

// once reports whether a number did not come before.
func (h *heard) once(n uint64) bool {
	if n > h.newest {
		h.seen, h.newest = h.seen<<min(n-h.newest, width)|1, n
		return true
	}
	behind := h.newest - n
	if behind >= width || h.seen&(1<<behind) != 0 {
		return false
	}
	h.seen |= 1 << behind
	return true
}

// delayed is how much later a request came than those that came soonest.
func (h *heard) delayed(ahead, now time.Duration) time.Duration {
	switch {
	case now-h.since >= 2*minute:
		h.least, h.before, h.since = ahead, ahead, now
	case now-h.since >= minute:
		h.least, h.before, h.since = ahead, h.least, now
	}
	h.least = min(h.least, ahead)
	return ahead - min(h.least, h.before)
}
