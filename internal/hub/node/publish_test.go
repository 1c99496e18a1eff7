package node

import (
	mrand "math/rand/v2"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/cluster/replica"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/settings"
)

// TestCardsAreToldOfOnce, and anew to hubs that have lost them, though the list did not change.
func TestCardsAreToldOfOnce(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)
	st := state.New(settings.Config{NewKey: api.NewIdempotencyKey, Rand: mrand.Float64})
	st.Recall(state.Snapshot{
		At: now, CardsAt: now, Total: 2,
		Cards: cardlist.ListOf(cardlist.Card{ID: "card_1", Status: api.CardActive}, cardlist.Card{ID: "card_2", Status: api.CardFrozen}),
	})
	m := newMirror(nil, func() time.Duration { return 0 }, func() time.Time { return now })
	p := &publisher{}
	p.resume(m)
	told := func() (ids []string) {
		p.followCards(st, func(i replica.Item, err error) {
			if err != nil {
				t.Error(err)
			}
			ids = append(ids, i.ID)
		})
		return ids
	}
	if ids := told(); len(ids) != 2 {
		t.Fatalf("told of %v", ids)
	}
	if ids := told(); len(ids) != 0 {
		t.Errorf("told of %v again", ids)
	}
	p.resume(m) // The others have none of it.
	if ids := told(); len(ids) != 2 {
		t.Errorf("told of %v anew", ids)
	}
}
