// Package bustest is a bus in memory for tests: a register and a stream that hubs reach
// over connections that fail as they are told to.
package bustest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/cardtop/cardtop/internal/hub/cluster/lease"
)

// ErrDown is the error of a connection that is down.
var ErrDown = errors.New("the bus is not reachable")

// Fault is what happens to one call.
type Fault struct {
	// Delay is how long the request is under way. A caller that gives up before does
	// not stop it.
	Delay time.Duration
	// Refused fails at once: nothing is sent.
	Refused bool
	// LoseRequest and LoseAnswer let the caller wait until it gives up, as the bus does for it after gaveUp.
	LoseRequest, LoseAnswer bool
	// Stale answers a read with what was there so many writes ago.
	Stale int
}

// gaveUp is for how long an answer is waited for.
const gaveUp = 3 * time.Second

// Bus is what the hubs share.
type Bus struct {
	mu       sync.Mutex
	values   [][]byte // of the register, by revision
	messages []message
	newest   uint64
}

type message struct {
	sequence uint64
	subject  string
	data     []byte
}

// Conn is a hub's connection. It is a lease.Register and an oplog.Stream.
type Conn struct {
	bus *Bus
	// fault returns what happens to the next call: load, swap, append or read.
	fault func(call string) Fault
}

// Connect returns a connection; nil faults are none.
func (b *Bus) Connect(fault func(call string) Fault) *Conn {
	if fault == nil {
		fault = func(string) Fault { return Fault{} }
	}
	return &Conn{b, fault}
}

// value is what a call returns.
type value struct {
	data     []byte
	number   uint64
	messages []message
}

// Load returns the register's value.
func (c *Conn) Load(ctx context.Context) (data []byte, revision uint64, err error) {
	v, err := c.call(ctx, "load", func(f Fault) (value, error) {
		n := max(0, len(c.bus.values)-f.Stale)
		if n == 0 {
			return value{}, nil
		}
		return value{data: c.bus.values[n-1], number: uint64(n)}, nil
	})
	return v.data, v.number, err
}

// Swap writes the register when revision is its newest.
func (c *Conn) Swap(ctx context.Context, revision uint64, data []byte) (uint64, error) {
	data = slices.Clone(data)
	v, err := c.call(ctx, "swap", func(Fault) (value, error) {
		if uint64(len(c.bus.values)) != revision {
			return value{}, lease.ErrMoved
		}
		c.bus.values = append(c.bus.values, data)
		return value{number: revision + 1}, nil
	})
	return v.number, err
}

// Append stores a message when last is the newest sequence.
func (c *Conn) Append(ctx context.Context, last uint64, subject string, data []byte) (uint64, error) {
	data = slices.Clone(data)
	v, err := c.call(ctx, "append", func(Fault) (value, error) {
		if c.bus.newest != last {
			return value{}, lease.ErrMoved
		}
		c.bus.newest++
		c.bus.messages = slices.DeleteFunc(c.bus.messages, func(m message) bool { return m.subject == subject })
		c.bus.messages = append(c.bus.messages, message{c.bus.newest, subject, data})
		return value{number: c.bus.newest}, nil
	})
	return v.number, err
}

// Read calls f with the messages after a sequence.
func (c *Conn) Read(ctx context.Context, after uint64, f func(sequence uint64, data []byte) error) (uint64, error) {
	v, err := c.call(ctx, "read", func(fault Fault) (value, error) {
		newest := c.bus.newest - min(c.bus.newest, uint64(fault.Stale))
		return value{number: newest, messages: slices.Clone(c.bus.messages)}, nil
	})
	if err != nil {
		return 0, err
	}
	for _, m := range v.messages {
		if m.sequence > after && m.sequence <= v.number {
			if err := f(m.sequence, m.data); err != nil {
				return v.number, err
			}
		}
	}
	return v.number, nil
}

// Remove removes the messages of a subject up to a sequence.
func (c *Conn) Remove(ctx context.Context, subject string, upTo uint64) error {
	_, err := c.call(ctx, "remove", func(Fault) (value, error) {
		c.bus.messages = slices.DeleteFunc(c.bus.messages, func(m message) bool { return m.subject == subject && m.sequence <= upTo })
		return value{}, nil
	})
	return err
}

// Len returns how many messages the stream has.
func (b *Bus) Len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.messages)
}

// call runs one call on the bus, with what goes wrong on the way.
func (c *Conn) call(ctx context.Context, name string, do func(Fault) (value, error)) (value, error) {
	type answer struct {
		value value
		err   error
	}
	f := c.fault(name)
	if f.Refused {
		return value{}, ErrDown
	}
	ctx, cancel := context.WithTimeout(ctx, gaveUp)
	defer cancel()
	if f.LoseRequest {
		<-ctx.Done()
		return value{}, ctx.Err()
	}
	answers := make(chan answer, 1)
	run := func() {
		c.bus.mu.Lock()
		defer c.bus.mu.Unlock()
		v, err := do(f)
		answers <- answer{v, err}
	}
	if f.Delay == 0 {
		run()
	} else {
		time.AfterFunc(f.Delay, run)
	}
	if f.LoseAnswer {
		<-ctx.Done()
		return value{}, ctx.Err()
	}
	select {
	case a := <-answers:
		return a.value, a.err
	case <-ctx.Done():
		return value{}, ctx.Err()
	}
}
