package node

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/cluster/replica"
	"github.com/cardtop/cardtop/state/poll"
)

// TestACardThatChangedComesWithoutTheWholeList, twice, whether it was used lately or never,
// before the cards used last.
func TestACardThatChangedComesWithoutTheWholeList(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)
	m := newMirror(nil, func() time.Duration { return 0 }, func() time.Time { return now })
	tell := func(is ...any) {
		t.Helper()
		var items []replica.Item
		for _, v := range is {
			var i replica.Item
			var err error
			switch v := v.(type) {
			case api.CardItem:
				i, err = replica.Put(string(v.ID), v)
			case api.Transaction:
				i, err = replica.Put(string(v.ID), v)
			case api.CardID:
				i = replica.Item{Kind: replica.Listed, ID: string(v), Gone: true}
			}
			if err != nil {
				t.Fatal(err)
			}
			items = append(items, i)
		}
		m.changed(items)
	}
	due := func() []poll.Lane { lanes, _ := m.take(); return lanes }
	page := func(hot bool) (ids []api.CardID) {
		for _, c := range m.cardPage(hot) {
			ids = append(ids, c.ID)
		}
		return ids
	}
	for i := range 300 {
		id := api.CardID(fmt.Sprintf("card_%03d", i))
		tell(api.CardItem{ID: id, Status: api.CardActive, Label: "a"}, api.Transaction{ID: api.TransactionID("txn_" + id), CardID: id, Type: api.TransactionSettlement, CreatedAt: now.Add(time.Duration(i) * time.Second)})
	}
	if all := page(false); len(all) != 300 {
		t.Fatalf("%d cards", len(all))
	}
	due()
	if hot := page(true); len(hot) != api.MaxPerPage || hot[0] != "card_299" || hot[99] != "card_200" {
		t.Errorf("the cards used last are %v", hot)
	}
	tell(api.CardItem{ID: "card_007", Status: api.CardActive, Label: "b"}, api.CardItem{ID: "card_new", Status: api.CardActive, Label: "b"}, api.CardItem{ID: "card_299", Status: api.CardActive, Label: "b"})
	if lanes := due(); !slices.Equal(lanes, []poll.Lane{poll.Hot}) {
		t.Errorf("due are %v", lanes)
	}
	for turn := range 3 {
		hot, want := page(true), []api.CardID{"card_007", "card_299", "card_new", "card_298"}
		if turn == 2 { // It was told of enough.
			want = []api.CardID{"card_299", "card_298"}
		}
		if !slices.Equal(hot[:len(want)], want) || len(slices.Compact(slices.Sorted(slices.Values(hot)))) != len(hot) {
			t.Errorf("page %d is %v", turn, hot)
		}
	}
	tell(api.CardID("card_007"))
	if lanes := due(); !slices.Contains(lanes, poll.Sweep) {
		t.Errorf("a card is gone, and due are %v", lanes)
	}
}
