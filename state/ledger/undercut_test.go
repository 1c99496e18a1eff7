package ledger_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/ledger"
)

// TestNoLowerBoundIsUndercut reads the past of twenty worlds page by page, newest first. What is marked as at
// least so much is never more than what it comes to when all was read.
func TestNoLowerBoundIsUndercut(t *testing.T) {
	t.Parallel()
	fell := 0
	for seed := range uint64(20) {
		w := newWorld(8800 + seed)
		moments := readBack(w)
		last := moments[len(moments)-1]
		for _, m := range moments {
			for _, whose := range []string{"account", "card_0", "card_1", "card_2"} {
				shown, truth := m.open[whose], last.open[whose]
				if shown.USD > truth.USD {
					fell++
					if shown.Mark() != "~" {
						t.Errorf("seed %d, %s: %s$%s is open, and then $%s", 8800+seed, whose, shown.Mark(), shown.USD, truth.USD)
					}
				}
				if !m.complete && (m.attempts[whose] > last.attempts[whose] || m.declined[whose] > last.declined[whose]) {
					t.Errorf("seed %d, %s: fewer attempts or declines when all was read", 8800+seed, whose)
				}
			}
		}
		if last.open["account"].Partial || !moments[0].open["account"].Partial {
			t.Errorf("seed %d: it is not told what was read", 8800+seed)
		}
	}
	if fell == 0 {
		t.Error("no figure fell: the test compares nothing")
	}
	t.Logf("%d figures were more than in the end", fell)
}

// figuresRead are the figures of a moment while the past is read, by whose they are.
type figuresRead struct {
	open               map[string]ledger.Open
	attempts, declined map[string]int
	complete           bool
}

// readBack reads a world in pages, newest first, and returns what is shown after each of them.
func readBack(w *world) (out []figuresRead) {
	l := ledger.New()
	for card := range w.ended {
		l.End(card, true)
	}
	var rows []api.Transaction
	for _, r := range slices.Backward(w.rows) {
		if !r.CreatedAt.After(w.now) {
			rows = append(rows, r)
		}
	}
	pages := slices.Collect(slices.Chunk(rows, max(1, len(rows)/31)))
	for i, page := range pages {
		from := page[len(page)-1].CreatedAt
		if i == len(pages)-1 {
			from = time.Time{}
		}
		l.Add(w.now, page)
		l.Cover(from, w.now)
		m := figuresRead{make(map[string]ledger.Open), make(map[string]int), make(map[string]int), l.Coverage(ledger.Last7d).Complete}
		scopes := map[string]ledger.Scope{"account": ledger.Account()}
		for c := range 3 {
			id := api.CardID(fmt.Sprint("card_", c))
			scopes[string(id)] = ledger.OfCard(id)
		}
		for name, s := range scopes {
			sum := l.Total(s, ledger.Last7d)
			m.open[name], m.attempts[name], m.declined[name] = l.Open(s), sum.Attempts(), int(sum.Declined)
		}
		out = append(out, m)
	}
	return out
}
