//go:build long

package sync_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/state"
)

const dayCards = 1000

// enough is how long the API has to serve a challenge, outside outages, for it
// to count as missed when it was not seen.
const enough = 20 * time.Second

// TestADayOfTrouble runs 1,000 cards through traffic, faults and outages, and compares
// what the store has with what the server had.
func TestADayOfTrouble(t *testing.T) {
	day := howMuch().day
	synctest.Test(t, func(t *testing.T) {
		w := openWorld(t.Context(), t, sandbox.Config{Cards: dayCards, Transactions: 3 * dayCards})
		defer w.stop()
		for _, kind := range []string{"code_missing", "code_late"} {
			w.ask(http.MethodPost, "/sandbox/faults", map[string]any{"kind": kind, "probability": 0.01, "latency_ms": 4000}, nil)
		}
		began, rng := clock(), newRand(3)
		harm := &trouble{
			next: w.line, outages: planOutages(rng, began, day), until: began.Add(day - calm), rng: rng, struck: make(map[string]int),
		}
		w.line = harm
		p := &person{began: began, day: day, seen: make(map[api.ChallengeID]time.Time)}
		f := follow(t.Context(), t, w, p.look)
		ctx, cancel := context.WithTimeout(t.Context(), day)
		defer cancel()
		had := w.watch(ctx)
		f.stop()
		table := figures{{"", "count"}}
		table.row("hours", fmt.Sprintf("%.1f", day.Hours()))
		table.outages(harm)
		table.requests(t, w, f)
		table.codes(t, harm.outages, had, p.seen)
		table.transactions(t, w, f.store, began)
		table.print(t.Output(), fmt.Sprintf("A day of trouble with %s cards", grouped(dayCards)))
	})
}

// outages adds the outages and faults.
func (f *figures) outages(harm *trouble) {
	var down time.Duration
	for _, o := range harm.outages {
		down += o.to.Sub(o.from)
	}
	f.row("outages", len(harm.outages))
	f.row("minutes of outage", int(down.Minutes()))
	for _, kind := range slices.Sorted(maps.Keys(harm.struck)) {
		f.row("requests struck: "+kind, grouped(harm.struck[kind]))
	}
}

// requests adds the requests that reached the server, and those that it refused by its
// own limits, not by injected faults.
func (f *figures) requests(t *testing.T, w *world, from *follower) {
	t.Helper()
	r, refused := w.report(), 0
	for route, statuses := range r.Requests {
		if n := statuses[http.StatusTooManyRequests]; n > 0 {
			t.Errorf("the limiter refused %s %d times", route, n)
			refused += n
		}
	}
	f.row("requests sent", grouped(len(from.sent)))
	f.row("requests that the budget held back", grouped(from.held))
	f.row("most in an hour", grouped(r.MostHour))
	f.row("most in a minute", grouped(r.MostMin))
	f.row("429 of the limiter itself", refused)
}

// codes compares the challenges of the server with those seen.
func (f *figures) codes(t *testing.T, down []outage, had map[api.ChallengeID]challenge, seen map[api.ChallengeID]time.Time) {
	t.Helper()
	var (
		counted, missed, brief, unseen int
		took                           []time.Duration
	)
	for id, c := range had {
		at, ok := seen[id]
		served := reachable(down, c.created, c.pending)
		switch {
		case c.pending.IsZero():
			// It was over before the day began, or between two looks of the watcher.
		case served < enough && ok:
			brief++
		case served < enough:
			unseen++
		case !ok:
			missed++
			t.Errorf("%s was served for %v and never seen", id, served)
		default:
			counted++
			took = append(took, reachable(down, c.created, at))
		}
	}
	if counted == 0 {
		t.Fatal("no challenge was seen")
	}
	f.row("codes that the API served long enough", grouped(counted+missed))
	f.row("of them missed", missed)
	f.row("codes over or cut off within "+enough.String(), grouped(brief+unseen))
	f.row("of them seen", brief)
	f.row("age of a code when it was there, outages aside, p50", seconds(percentile(took, 50)))
	f.row("p95", seconds(percentile(took, 95)))
}

// transactions compares the stored transactions with all on the server.
func (f *figures) transactions(t *testing.T, w *world, s *state.Store, began time.Time) {
	t.Helper()
	listed := make(map[api.TransactionID]item)
	for _, row := range w.list("/v1/transactions?from=" + began.Add(-23*time.Hour).UTC().Format(time.RFC3339)) {
		listed[api.TransactionID(row.ID)] = row
	}
	all, lost, doubled, other := len(listed), 0, 0, 0
	held := make(map[api.TransactionID]bool)
	for _, row := range s.Txns.All() {
		if held[row.ID] {
			doubled++
		}
		held[row.ID] = true
		if of, ok := listed[row.ID]; ok && (string(row.Type) != of.Type || row.Amount != of.Amount) {
			other++
		}
	}
	for id, row := range listed {
		// What came since the last poll was never asked for.
		if !held[id] && clock().Sub(row.Created) > 5*time.Second {
			lost++
		}
	}
	f.row("transactions", grouped(all))
	f.row("of them lost", lost)
	f.row("doubled", doubled)
	f.row("with another type or amount", other)
	if lost+doubled+other > 0 || all == 0 {
		t.Errorf("of %d transactions %d are lost, %d doubled, %d not as listed", all, lost, doubled, other)
	}
}
