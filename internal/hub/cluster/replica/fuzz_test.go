package replica

import (
	"testing"

	"github.com/cardtop/cardtop/api"
)

// FuzzChanges reads whatever the bus may bring as a change and as a snapshot: what is
// refused changes nothing, what is taken can be stored and read again, and a message of a
// leader whose time is over changes no item.
func FuzzChanges(f *testing.F) {
	f.Add([]byte(`{"v":1,"number":4,"items":[{"kind":"listed","id":"card_1","data":{"id":"card_1","balance":5}}]}`), []byte(`{"v":1,"sequence":2,"number":3,"items":[{"kind":"code","id":"c","code":"AQ=="}]}`))
	f.Add([]byte(`{"v":1,"number":1,"items":[{"kind":"wallet","id":"w","gone":true}]}`), []byte(`{"v":2}`))
	f.Add([]byte(`{"v":1,"items":[{"kind":"age","id":"x","data":null}]}`), []byte(`[`))
	f.Fuzz(func(t *testing.T, change, stored []byte) {
		s := state{items: make(map[place]Item)}
		if _, err := s.load(stored); err != nil && len(s.items) > 0 {
			t.Errorf("a snapshot that is refused leaves %d items", len(s.items))
		}
		at, number := s.at()
		before := len(s.items)
		items, _, err := s.apply(at+1, change)
		if now, _ := s.at(); err != nil && (now != at || len(s.items) != before) {
			t.Errorf("a message that is refused moves the state from %d to %d", at, now)
		}
		if _, newest := s.at(); newest < number {
			t.Errorf("lease %d follows %d", newest, number)
		}
		for _, i := range items {
			_, _ = Get[api.CardItem](i)    // What cannot be decoded is left out.
			_, _ = Get[api.Transaction](i) // Likewise.
			_, _ = Get[api.Wallet](i)      // Likewise.
			_, _ = Get[api.Deposit](i)     // Likewise.
			_, _ = Get[Ages](i)            // Likewise.
		}
		data, sequence, err := s.save()
		if err != nil {
			t.Fatalf("what was taken cannot be stored: %v", err)
		}
		again := state{items: make(map[place]Item)}
		if _, err := again.load(data); err != nil || sequence > 0 && len(again.items) != len(s.items) {
			t.Errorf("%d items are stored, %d read, %v", len(s.items), len(again.items), err)
		}
	})
}
