package endpoint

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	table "github.com/cardtop/cardtop/state/push"
)

// namesMost bounds the names of events that wait: more are all events.
const namesMost = 32

// mailbox holds what came until the program takes it. It never makes a sender wait: the
// same event twice is one.
type mailbox struct {
	events chan kernel.Event
	full   chan struct{}

	mu   sync.Mutex
	held table.Report
}

func newMailbox() mailbox {
	return mailbox{events: make(chan kernel.Event), full: make(chan struct{}, 1)}
}

func (m *mailbox) put(note func(*table.Report)) {
	m.mu.Lock()
	note(&m.held)
	m.mu.Unlock()
	select {
	case m.full <- struct{}{}:
	default:
	}
}

func (m *mailbox) event(name string) {
	m.put(func(r *table.Report) {
		switch {
		case slices.Contains(r.Events, name):
		case len(r.Events) >= namesMost:
			r.Events = []string{""}
		default:
			r.Events = append(r.Events, name)
		}
	})
}

func (m *mailbox) beat() {
	m.put(func(r *table.Report) { r.Beat, r.Unreached = true, "" })
}

func (m *mailbox) unreached(why string) {
	m.put(func(r *table.Report) { r.Unreached = why })
}

// refused counts; the next heartbeat tells of it, so that who sends much wakes nobody.
func (m *mailbox) refused() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.held.Refused++
}

// run passes on what came until the context ends.
func (m *mailbox) run(ctx context.Context, now func() time.Time) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-m.full:
		}
		m.mu.Lock()
		r := m.held
		m.held = table.Report{}
		m.mu.Unlock()
		r.At = now()
		select {
		case <-ctx.Done():
			return
		case m.events <- state.PushReported{Meta: kernel.Meta{At: r.At}, Report: r}:
		}
	}
}
