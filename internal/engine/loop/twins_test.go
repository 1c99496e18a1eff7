package loop_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
)

// TestTwoDashboardsNeverSettleTheSameOperation leaves a fund without an answer
// and starts two dashboards on what is left, again and again; now and then the
// one that took it ends as well. One of them asks again, one record says what
// came of it, and the card is funded once.
func TestTwoDashboardsNeverSettleTheSameOperation(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		withTeller(t, dir, func(a *teller) {
			card := a.store.Cards.All().At(0).ID
			if a.store.Cards.All().At(0).Status != api.CardActive {
				card = a.store.Cards.All().At(1).ID
			}
			const rounds = 24
			taken := 0
			for round := range rounds {
				before := a.balance(card)
				a.ask(http.MethodPost, "/sandbox/faults", map[string]any{"route": route(state.OpFund), "kind": "cut_body", "times": 3 + round%2})
				key := a.do(state.FundCard{Card: card, Amount: api.Dollar})
				a.until("lose the answer", time.Minute, func() bool { _, open := a.store.Ops.Unsettled(card); return open })
				a.crash()

				b := &teller{t: t, world: a.world, wire: a.wire, dir: dir, keys: 1000 * (round + 1)}
				first, second := a, b
				if round%2 == 1 {
					first, second = b, a
				}
				first.begin()
				second.begin()
				if n := first.store.Ops.PendingCount() + second.store.Ops.PendingCount(); n > 1 {
					t.Fatalf("%d dashboards wait for the same answer", n)
				}
				if round%3 == 0 && first.store.Ops.PendingCount() > 0 {
					taken++
					first.crash()
					second.until("take it over", 5*time.Minute, func() bool { return second.shown(key) != "" || second.store.Ops.PendingCount() > 0 })
					first.begin()
				}
				both := func() bool { return first.store.Ops.PendingCount()+second.store.Ops.PendingCount() == 0 }
				for end := clock().Add(5 * time.Minute); !both() && clock().Before(end); {
					first.wait(time.Second)
					second.wait(time.Second)
				}
				b.crash()
				a.wait(15 * time.Second)
				if n := words(a, key); n != 1 {
					t.Errorf("round %d: %d records say what came of it", round, n)
				}
				if got := a.balance(card) - before; got != 100 {
					t.Errorf("round %d: %d cents moved", round, got)
				}
			}
			t.Logf("%d of %d operations were settled by one dashboard, %d after the one before had taken them over and ended", rounds, rounds, taken)
			if taken == 0 {
				t.Error("nothing was taken over twice")
			}
		})
	})
}

// words counts the records that are the last word on an operation.
func words(b *teller, key api.IdempotencyKey) (n int) {
	b.t.Helper()
	records, err := b.past.Load(state.HistoryShown)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, r := range records {
		if r.Key == key && state.Settled(r.Outcome) {
			n++
		}
	}
	return n
}
