package replica

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
)

// version is that of the messages and snapshots. A hub does not read a later one.
const version = 2

// message is one message of the stream.
type message struct {
	Version int `json:"v"`
	// Number is that of the leader's lease.
	Number uint64 `json:"number"`
	// Index counts the messages of the lease. After is that of the last one before that
	// was stored for certain, or 0: who has not read it waits for one that has no need of
	// it.
	Index uint64 `json:"index"`
	After uint64 `json:"after,omitempty"`
	Items []Item `json:"items,omitempty"`
}

// snapshot is the state after a message.
type snapshot struct {
	Version  int    `json:"v"`
	Sequence uint64 `json:"sequence"`
	Number   uint64 `json:"number"`
	Index    uint64 `json:"index"`
	Items    []Item `json:"items"`
}

// place is where an item is in the state.
type place struct {
	kind Kind
	id   string
}

// state is what a hub has read. It may be used from several goroutines.
type state struct {
	mu       sync.Mutex
	items    map[place]Item
	sequence uint64 // of the last message
	number   uint64 // of the newest leader
	index    uint64 // of its last message
	missing  bool   // something that came before its newest one
}

// skip passes over a message that counts for nobody.
func (s *state) skip(sequence uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sequence = max(s.sequence, sequence)
}

func (s *state) misses() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.missing
}

// apply takes a message, and returns what changed. It does not count when it is of a
// leader whose time was over, came again or out of order, or when one before it is
// missing.
func (s *state) apply(sequence uint64, data []byte) (changed []Item, counts bool, err error) {
	var m message
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, false, fmt.Errorf("decode change: %w", err)
	}
	if m.Version != version {
		return nil, false, fmt.Errorf("decode change: version %d, this program has %d", m.Version, version)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if sequence <= s.sequence {
		return nil, false, nil
	}
	s.sequence = sequence
	if m.Number > s.number {
		s.number, s.index = m.Number, 0
	}
	if m.Number < s.number || m.Index <= s.index {
		return nil, false, nil
	}
	if s.missing = m.After > s.index; s.missing {
		return nil, false, nil
	}
	s.index = m.Index
	for _, i := range m.Items {
		if i.Gone {
			delete(s.items, place{i.Kind, i.ID})
		} else {
			s.items[place{i.Kind, i.ID}] = i
		}
	}
	return m.Items, true, nil
}

// load replaces the state by a snapshot, unless that is older, and returns what
// changed.
func (s *state) load(data []byte) ([]Item, error) {
	var n snapshot
	if err := json.Unmarshal(data, &n); err != nil {
		return nil, fmt.Errorf("decode snapshot: %w", err)
	}
	if n.Version != version {
		return nil, fmt.Errorf("decode snapshot: version %d, this program has %d", n.Version, version)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n.Sequence <= s.sequence {
		return nil, nil
	}
	old := s.items
	s.items, s.sequence, s.number, s.index, s.missing = make(map[place]Item, len(n.Items)), n.Sequence, n.Number, n.Index, false
	for _, i := range n.Items {
		s.items[place{i.Kind, i.ID}] = i
		delete(old, place{i.Kind, i.ID})
	}
	changed := n.Items
	for p := range old {
		changed = append(changed, Item{Kind: p.kind, ID: p.id, Gone: true})
	}
	return changed, nil
}

// save returns a snapshot.
func (s *state) save() (data []byte, sequence uint64, err error) {
	s.mu.Lock()
	n := snapshot{Version: version, Sequence: s.sequence, Number: s.number, Index: s.index, Items: slices.Collect(maps.Values(s.items))}
	s.mu.Unlock()
	if data, err = json.Marshal(n); err != nil {
		return nil, 0, fmt.Errorf("encode snapshot: %w", err)
	}
	return data, n.Sequence, nil
}

func (s *state) at() (sequence, number uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sequence, s.number
}
