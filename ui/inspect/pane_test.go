package inspect

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

const id = "card_0001"

func noon() time.Time { return time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC) }

// looking is a pane on a card that settled 80 USD this month, of a limit of
// 100 USD; more says that there may be older transactions in it.
func looking(t *testing.T, more bool) (*Pane, *state.Store) {
	t.Helper()
	s := state.New(state.Config{NewKey: func() api.IdempotencyKey { return "k" }, Rand: func() float64 { return 0.5 }})
	s.Tick(noon())
	_, effects, err := s.Dispatch(state.InspectCard{Card: id})
	if err != nil {
		t.Fatal(err)
	}
	m := state.Meta{Sent: noon(), At: noon()}
	for _, e := range effects {
		switch e := e.(type) {
		case state.FetchSummary:
			s.Apply(state.SummaryLoaded{FetchSummary: e, Meta: m, Summary: api.CardSummary{ID: id, Status: api.CardActive, SpendingLimit: new(100 * state.Dollar)}})
		case state.FetchCardTransactions:
			s.Apply(state.CardTransactionsLoaded{FetchCardTransactions: e, Meta: m, More: more, Items: []api.Transaction{
				{ID: "txn_1", CardID: id, Type: api.TransactionSettlement, Amount: -80 * state.Dollar, CreatedAt: noon().Add(-time.Hour)},
			}})
		default:
		}
	}
	th, err := theme.New(theme.Plain, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := New(&th)
	p.SetSize(80, 24)
	p.Sync(s, state.TopicAll)
	return p, s
}

func (p *Pane) seen(focused bool) string {
	lines := p.View(focused)
	out := make([]string, 0, len(lines))
	for _, l := range lines {
		out = append(out, widget.Strip(l))
	}
	return strings.Join(out, "\n")
}

func TestTheMonthSaysWhenItIsNotAllOfIt(t *testing.T) {
	p, _ := looking(t, false)
	if text := p.seen(true); !strings.Contains(text, "month    ████████████████░░░░ $80.00  limit $100.00  80 %") {
		t.Errorf("whole:\n%s", text)
	}
	p, _ = looking(t, true)
	if text := p.seen(true); !strings.Contains(text, "░░░░ $80.00 loaded so far  limit $100.00  80 %") {
		t.Errorf("partial:\n%s", text)
	}
	p.SetSize(40, 10)
	if text := p.seen(true); !strings.Contains(text, " $80.00 loaded so fa") {
		t.Errorf("small:\n%s", text)
	}
}

// TestEveryFactIsReached goes through the facts of a pane with little room,
// with the keys that go through the timeline.
func TestEveryFactIsReached(t *testing.T) {
	for _, keys := range [][2]keymap.Action{{keymap.Down, keymap.Up}, {keymap.PageDown, keymap.PageUp}} {
		p, _ := looking(t, false)
		p.SetSize(40, 9)
		first := p.seen(true)
		if !strings.Contains(first, "↓ ") || strings.Contains(first, "rules") {
			t.Fatalf("all facts have room:\n%s", first)
		}
		seen := first
		for range 12 {
			p.Act(keys[0])
			seen += p.seen(true)
		}
		for _, fact := range []string{"balance", "month", "number", "spent", "created", "expires", "rules", "not reported", "settled"} {
			if !strings.Contains(seen, fact) {
				t.Errorf("%s does not lead to %q", keys[0], fact)
			}
		}
		if last := p.seen(true); strings.Contains(last, "↓ ") || strings.Contains(last, "balance") {
			t.Errorf("%s: it is not at the end:\n%s", keys[0], last)
		}
		for range 12 {
			p.Act(keys[1])
		}
		if got := p.seen(true); got != first {
			t.Errorf("%s leads back to\n%s", keys[1], got)
		}
		p.Act(keys[0])
		p.Act(keymap.First)
		if got := p.seen(true); got != first {
			t.Errorf("the first row is at\n%s", got)
		}
	}
}

func TestHiddenFiguresAreNotToldByABar(t *testing.T) {
	p, s := looking(t, false)
	topics, _, err := s.Dispatch(state.TogglePrivacy{})
	if err != nil {
		t.Fatal(err)
	}
	p.Sync(s, topics)
	if text := p.seen(true); strings.Contains(text, "█") || strings.Contains(text, "80") || !strings.Contains(text, "month    $•••  limit $•••") {
		t.Errorf("private:\n%s", text)
	}
}

func TestThirtyDaysAreDrawnWhereThereIsRoom(t *testing.T) {
	p, s := looking(t, false)
	shop := func(tid api.TransactionID, kind api.TransactionType, name api.Text, amount api.USD, days int) api.Transaction {
		return api.Transaction{ID: tid, CardID: id, Type: kind, Amount: amount, Merchant: api.Merchant{Name: name}, CreatedAt: noon().AddDate(0, 0, -days)}
	}
	l := s.Spend.Ledger()
	l.Add(noon(), []api.Transaction{
		shop("a", api.TransactionSettlement, "Meta", -60*state.Dollar, 1), shop("b", api.TransactionSettlement, "Google", -60*state.Dollar, 29),
		shop("c", api.TransactionDecline, "Google", 9*state.Dollar, 2), shop("d", api.TransactionAuthorization, "Meta", 9*state.Dollar, 2),
		shop("e", api.TransactionAuthorization, "Meta", 9*state.Dollar, 2),
	})
	p.Sync(s, state.TopicSpend)
	text := p.seen(true)
	for _, want := range []string{"30 d ", "≥$200.00 spent", "33.3 % declined, 1 of ≥3", "Meta 30 %  Google 30 %", "▒"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not drawn:\n%s", want, text)
		}
	}
	l.Cover(noon().AddDate(0, 0, -40), noon())
	p.Sync(s, state.TopicSpend)
	if text = p.seen(true); strings.ContainsAny(text, "≥▒") || !strings.Contains(text, "▂") {
		t.Errorf("all is known:\n%s", text)
	}
	// In one line the merchants are left out, in less room all of it.
	p.SetSize(80, 18)
	if text = p.seen(true); !strings.Contains(text, "$200.00 spent  33.3 % declined") || strings.Contains(text, "Meta 30") {
		t.Errorf("in one line:\n%s", text)
	}
	for _, size := range [][2]int{{80, 12}, {40, 30}} {
		p.SetSize(size[0], size[1])
		if text = p.seen(true); strings.Contains(text, "30 d ") {
			t.Errorf("%v:\n%s", size, text)
		}
	}
	p.SetSize(160, 30)
	topics, _, err := s.Dispatch(state.TogglePrivacy{})
	if err != nil {
		t.Fatal(err)
	}
	p.Sync(s, topics)
	if text = p.seen(true); strings.Contains(text, "Meta 30") || strings.Contains(text, "200.00") || strings.ContainsAny(text, "█▂") {
		t.Errorf("private:\n%s", text)
	}
}

func TestEveryLineIsAsWideAsThePane(t *testing.T) {
	p, _ := looking(t, true)
	for w := 12; w <= 160; w++ {
		for _, h := range []int{3, 5, 8, 13, 14, 30} {
			p.SetSize(w, h)
			lines := p.View(true)
			if len(lines) != h {
				t.Fatalf("%dx%d: %d lines", w, h, len(lines))
			}
			for _, l := range lines {
				if n := widget.Width(widget.Strip(l)); n != w {
					t.Fatalf("%dx%d: a line of %d: %q", w, h, n, widget.Strip(l))
				}
			}
		}
	}
}
