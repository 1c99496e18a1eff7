// Package stream tells readers what changed. Each reader has a mailbox that holds the
// latest of each thing, so that a slow one never makes it grow.
package stream

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"
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

// Digests makes digests that can be compared within one run of the program.
type Digests struct{ seed maphash.Seed }

// NewDigests returns digests of a random seed.
func NewDigests() Digests { return Digests{maphash.MakeSeed()} }

// Of returns the digest of what write adds.
func (d Digests) Of(write func(*Digest)) uint64 {
	var sum Digest
	sum.hash.SetSeed(d.seed)
	write(&sum)
	return sum.hash.Sum64()
}

// Digest adds up what people see.
type Digest struct{ hash maphash.Hash }

// Text adds texts, each with its end.
func (d *Digest) Text(all ...string) {
	for _, s := range all {
		_, _ = d.hash.WriteString(s) // It never fails.
		_ = d.hash.WriteByte('\n')   // Likewise.
	}
}

// Number adds a number.
func (d *Digest) Number(n int64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(n))
	_, _ = d.hash.Write(b[:]) // It never fails.
}

// slow is how long a reader may take for what is written.
const slow = 10 * time.Second

// Events writes server-sent events to a reader.
type Events struct {
	w   io.Writer
	rc  *http.ResponseController
	now func() time.Time
}

// NewEvents writes the header of a stream that has no end. now returns the time.
func NewEvents(w http.ResponseWriter, now func() time.Time) *Events {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	rc := http.NewResponseController(w)
	_ = rc.SetReadDeadline(time.Time{}) // A connection in memory has none.
	return &Events{w: w, rc: rc, now: now}
}

// Send writes an event with its JSON and reports whether the reader took it in time.
func (e *Events) Send(name string, data []byte) bool {
	_ = e.rc.SetWriteDeadline(e.now().Add(slow)) // A connection in memory has none.
	if _, err := fmt.Fprintf(e.w, "event: %s\ndata: %s\n\n", name, data); err != nil {
		return false
	}
	return e.rc.Flush() == nil
}

// SendAll writes what was taken from a mailbox, the topics as one event.
func (e *Events) SendAll(topics []string, notes []Note) bool {
	if len(topics) > 0 {
		data, err := json.Marshal(struct {
			Topics []string `json:"topics"`
		}{topics})
		if err != nil || !e.Send("changed", data) {
			return false
		}
	}
	for _, n := range notes {
		if !e.Send(n.Event, n.Data) {
			return false
		}
	}
	return true
}

// Seen is what the people of each view saw last: a digest of each part, by its name. It is
// for one goroutine at a time.
type Seen struct {
	last  map[string]map[string]uint64
	begun map[string]bool
}

// NewSeen returns one in which nobody saw anything.
func NewSeen() Seen {
	return Seen{last: make(map[string]map[string]uint64), begun: make(map[string]bool)}
}

// Changed records what people of a view see and returns the parts that differ from what
// they saw.
func (s *Seen) Changed(view string, now map[string]uint64) (names []string) {
	last := s.last[view]
	if last == nil {
		last = make(map[string]uint64)
		s.last[view] = last
	}
	for name, digest := range now {
		if before, known := last[name]; known && before != digest {
			names = append(names, name)
		}
		last[name] = digest
	}
	return names
}

// Begun reports whether all parts of a view were seen. A change of some parts may come
// before the first reader of the view has begun.
func (s *Seen) Begun(view string) bool { return s.begun[view] }

// Begin records all parts of a view. What is known of one by a change stays, so that the
// next change is compared with it.
func (s *Seen) Begin(view string, all map[string]uint64) {
	for name := range s.last[view] {
		delete(all, name)
	}
	s.Changed(view, all)
	s.begun[view] = true
}

// Forget has nobody of a view have seen anything.
func (s *Seen) Forget(view string) {
	delete(s.last, view)
	delete(s.begun, view)
}
