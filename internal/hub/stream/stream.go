// Package stream tells readers what changed. Each reader has a mailbox that holds the
// latest of each thing, so that a slow one never makes it grow.
package stream

import (
	"maps"
	"slices"
	"sync"
)

// Note is one event for a reader: the latest of a Name replaces those before it.
type Note struct {
	// Name is unique among the notes of a mailbox, such as "code 3ds_1".
	Name string
	// Event and Data are what is sent: the name of the event and its JSON.
	Event string
	Data  []byte
}

// most bounds the notes of a mailbox besides topics. A reader that misses one reads
// the lists.
const most = 256

// Mailbox holds what one reader has not been told. It may be used from several
// goroutines.
type Mailbox struct {
	mu     sync.Mutex
	topics map[string]bool
	notes  map[string]Note
	order  []string
	ready  chan struct{}
	closed chan struct{}
	once   sync.Once
}

// New returns an empty mailbox.
func New() *Mailbox {
	return &Mailbox{topics: make(map[string]bool), notes: make(map[string]Note), ready: make(chan struct{}, 1), closed: make(chan struct{})}
}

// Ready receives when there is something to take.
func (m *Mailbox) Ready() <-chan struct{} { return m.ready }

// Closed is closed when the reader has to go.
func (m *Mailbox) Closed() <-chan struct{} { return m.closed }

// Close has the reader go.
func (m *Mailbox) Close() { m.once.Do(func() { close(m.closed) }) }

// Topic puts in that a part changed.
func (m *Mailbox) Topic(names ...string) {
	if len(names) == 0 {
		return
	}
	m.mu.Lock()
	for _, name := range names {
		m.topics[name] = true
	}
	m.mu.Unlock()
	m.wake()
}

// Put puts in a note in place of the one of its name.
func (m *Mailbox) Put(n Note) {
	m.mu.Lock()
	if _, there := m.notes[n.Name]; !there {
		if len(m.order) == most {
			delete(m.notes, m.order[0])
			m.order = m.order[1:]
		}
		m.order = append(m.order, n.Name)
	}
	m.notes[n.Name] = n
	m.mu.Unlock()
	m.wake()
}

func (m *Mailbox) wake() {
	select {
	case m.ready <- struct{}{}:
	default: // It is awake.
	}
}

// Take empties the mailbox.
func (m *Mailbox) Take() (topics []string, notes []Note) {
	m.mu.Lock()
	defer m.mu.Unlock()
	topics = slices.Sorted(maps.Keys(m.topics))
	for _, name := range m.order {
		notes = append(notes, m.notes[name])
	}
	clear(m.topics)
	clear(m.notes)
	m.order = nil
	return topics, notes
}
