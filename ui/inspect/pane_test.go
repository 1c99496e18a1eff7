package inspect

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/pane/panetest"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

const id = "card_0001"

func noon() time.Time { return time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC) }

// looking is a pane on a card that settled 80 USD this month, of a limit of
// 100 USD; more says that there may be older transactions in it.
func looking(t *testing.T, more bool) (*Pane, *state.Store) {
	t.Helper()
	s := state.New(settings.Config{Screen: &settings.Screen{}, NewKey: func() api.IdempotencyKey { return "k" }, Rand: func() float64 { return 0.5 }})
	s.Tick(noon())
	_, effects, err := s.Dispatch(state.InspectCard{Card: id})
	if err != nil {
		t.Fatal(err)
	}
	m := kernel.Meta{Sent: noon(), At: noon()}
	for _, e := range effects {
		switch e := e.(type) {
		case state.FetchSummary:
			s.Apply(state.SummaryLoaded{FetchSummary: e, Meta: m, Summary: api.CardSummary{ID: id, Status: api.CardActive, SpendingLimit: new(100 * api.Dollar)}})
		case state.FetchCardTransactions:
			s.Apply(state.CardTransactionsLoaded{FetchCardTransactions: e, Meta: m, More: more, Items: []api.Transaction{
				{ID: "txn_1", CardID: id, Type: api.TransactionSettlement, Amount: -80 * api.Dollar, CreatedAt: noon().Add(-time.Hour)},
			}})
		default:
		}
	}
	th, err := theme.New(theme.Plain, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := New(&th, keymap.New(keymap.Defaults()))
	p.SetSize(80, 24)
	p.Sync(s, kernel.TopicAll)
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
	if text := p.seen(true); !strings.Contains(text, "░░░░ ≥$80.00  limit $100.00  80 %") {
		t.Errorf("partial:\n%s", text)
	}
	p.SetSize(40, 10)
	if text := p.seen(true); !strings.Contains(text, " ≥$80.00 ") {
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
		if !strings.Contains(first, "↓ ") || strings.Contains(first, "expires") {
			t.Fatalf("all facts have room:\n%s", first)
		}
		seen := first
		for range 12 {
			p.Act(keys[0])
			seen += p.seen(true)
		}
		for _, fact := range []string{"balance", "month", "number", "spent", "created", "expires", "settled"} {
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
	topics, _, err := s.Dispatch(kernel.TogglePrivacy{})
	if err != nil {
		t.Fatal(err)
	}
	p.Sync(s, topics)
	if text := p.seen(true); strings.Contains(text, "█") || strings.Contains(text, "80") || !strings.Contains(text, "month    $•••  limit $•••") {
		t.Errorf("private:\n%s", text)
	}
}

// TestTheCardTellsItsBalancesAndWhatHelps: what was on it on each day, how long it
// lasts, and its declines by cause with the key that helps.
func TestTheCardTellsItsBalancesAndWhatHelps(t *testing.T) {
	t.Parallel()
	for _, private := range []bool{false, true} {
		a := panetest.New(t)
		if private {
			a = panetest.New(t, panetest.Private)
		}
		a.Cards = []api.CardItem{panetest.Card(id, "fb/spring/01", 50*api.Dollar)}
		day := 24 * time.Hour
		for i, balance := range []api.USD{50, 60, 70, 400, 10} {
			txn := panetest.Settled(api.TransactionID("txn_"+string(rune('a'+i))), id, "Meta", -10*api.Dollar, -time.Duration(i)*5*time.Hour-time.Hour)
			if i == 4 {
				txn.CreatedAt = panetest.At(-3 * day)
			}
			txn.BalanceAfter = new(balance * api.Dollar)
			a.Txns = append(a.Txns, txn)
		}
		for i := range 3 {
			txn := panetest.Settled(api.TransactionID("txn_d"+string(rune('a'+i))), id, "Meta", 90*api.Dollar, -time.Duration(i+1)*day)
			txn.Type, txn.BalanceAfter = api.TransactionDecline, nil
			a.Txns = append(a.Txns, txn)
		}
		slices.SortStableFunc(a.Txns, func(x, y api.Transaction) int { return y.CreatedAt.Compare(x.CreatedAt) })
		a.Wait(2 * time.Second)
		a.Store.Insight.Ledger().Explain("txn_da", decline.Balance)
		a.Store.Insight.Ledger().Explain("txn_db", decline.Balance)
		a.Do(state.InspectCard{Card: id})
		s := panetest.Open(t, a, New(panetest.Theme(t), panetest.Keys()), 160, 60)
		if private {
			s.See("balance  $•••", "balances")
			s.SeeNot("50.00", "400.00", "█", "lasts")
			continue
		}
		panetest.See(t, s.Line(" balance  "), "$50.00  active")
		s.See("lasts – (") // Why follows.
		panetest.See(t, s.Line("balances"), "$10.00 to $400.00")
		s.See("2 likely balance too low  + fund the card", "1 cause not known  open the transaction")
		panetest.See(t, s.Line("balances"), strings.Repeat("·", 2*26)) // Nothing is known of these days.
		s.Fits()
	}
}

// TestTheMonthSaysWhenItsLimitIsReached where that is before the balance ends, and within the month.
func TestTheMonthSaysWhenItsLimitIsReached(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		limit, balance api.USD
		reached        bool
	}{{280, 300, true}, {280, 100, false}, {120, 300, false}, {100_000, 200_000, false}} {
		a := panetest.New(t)
		a.Cards = []api.CardItem{panetest.Card(id, "fb/spring/01", c.balance*api.Dollar)}
		a.Limits = map[api.CardID]*api.USD{id: new(c.limit * api.Dollar)}
		for i := range 48 { // 10 USD an hour: 120 this month.
			a.Txns = append(a.Txns, panetest.Settled(api.TransactionID(fmt.Sprintf("txn_%02d", i)), id, "Meta", -10*api.Dollar, -time.Duration(i)*time.Hour-time.Minute))
		}
		a.Wait(2 * time.Second)
		a.Do(state.InspectCard{Card: id})
		s := panetest.Open(t, a, New(panetest.Theme(t), panetest.Keys()), 160, 60)
		if line := s.Line("month "); strings.Contains(line, "reached in 16 h") != c.reached || strings.Contains(line, "reached") != c.reached {
			t.Errorf("limit %d, balance %d: %s", c.limit, c.balance, line)
		}
	}
}

// TestRulesAreNamedOnceOneIsReported: the API says them only in answer to a write, and a line that says so of every
// card says nothing.
func TestRulesAreNamedOnceOneIsReported(t *testing.T) {
	a := panetest.New(t)
	a.Cards = []api.CardItem{panetest.Card(id, "fb", 100*api.Dollar)}
	a.Wait(2 * time.Second)
	a.Do(state.InspectCard{Card: id})
	s := panetest.Open(t, a, New(panetest.Theme(t), panetest.Keys()), 100, 45)
	s.See("created")
	s.SeeNot("rules")
	a.Begin(state.Update(id, api.UpdateCardRequest{AutoFreezeAt: new(15 * api.Dollar)}))
	op, _ := a.Store.Ops.Pending(id)
	a.Apply(state.OpDone{Meta: a.Meta(), Op: op.ID, Card: id, Returned: &api.Card{ID: id, Status: api.CardActive, AutoFreezeAt: new(15 * api.Dollar)}})
	s.Look()
	s.See("rules    auto-freeze below $15.00")
}
