package state_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cardtop/cardtop/api"
	_ "github.com/cardtop/cardtop/internal/rapidtest" // the same cases in each run
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/txns"
)

// archive is a server's transactions.
type archive struct {
	rows  []api.Transaction
	asked map[string]bool
}

// list gives a page, newest first, and whether it is full.
func (l *archive) list(card api.CardID, from, to time.Time, page int) ([]api.Transaction, bool) {
	slices.SortFunc(l.rows, func(a, b api.Transaction) int {
		if c := b.CreatedAt.Compare(a.CreatedAt); c != 0 {
			return c
		}
		return strings.Compare(string(b.ID), string(a.ID))
	})
	var out []api.Transaction
	skip := max(0, page-1) * api.MaxPerPage
	for _, t := range l.rows {
		switch {
		case card != "" && t.CardID != card, t.CreatedAt.Before(from), !to.IsZero() && t.CreatedAt.After(to):
		case skip > 0:
			skip--
		case len(out) < api.MaxPerPage:
			out = append(out, t)
		}
	}
	return out, len(out) == api.MaxPerPage
}

// serve answers effects until none of them leads to another.
func (l *archive) serve(t *testing.T, s *state.Store, m kernel.Meta, effects []kernel.Effect) {
	t.Helper()
	for len(effects) > 0 {
		ev := answer(effects[0], m)
		switch e := effects[0].(type) {
		case txns.Fetch:
			items, more := l.list("", e.From, time.Time{}, e.Page)
			ev = txns.Loaded{Fetch: e, Meta: m, Items: items, More: more}
		case state.FetchCardTransactions:
			items, more := l.list(e.Card, time.Time{}, time.Time{}, 1)
			ev = state.CardTransactionsLoaded{FetchCardTransactions: e, Meta: m, Items: items, More: more}
		case txns.FetchOlder:
			name := fmt.Sprint(e.Card, e.To, e.Page)
			if l.asked[name] {
				t.Fatalf("asked twice for %+v", e)
			}
			l.asked[name] = true
			items, more := l.list(e.Card, time.Time{}, e.To, e.Page)
			ev = txns.OlderLoaded{FetchOlder: e, Meta: m, Items: items, More: more}
		default:
		}
		effects = append(effects[1:], apply(s, ev)...)
	}
}

func newArchive() *archive { return &archive{asked: make(map[string]bool)} }

// begin is a store that has read what there is at the start.
func (l *archive) begin(t *testing.T) *state.Store {
	t.Helper()
	s := newStore()
	l.serve(t, s, meta(0), tick(s, 0))
	l.serve(t, s, meta(time.Second), tick(s, time.Second))
	return s
}

// TestThePastIsReadToItsBeginning reads on while transactions are made and
// listed late, in a world where many are made at one time.
func TestThePastIsReadToItsBeginning(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l, n := newArchive(), 0
		add := func(ago time.Duration) {
			row := txn(n, ago, api.TransactionSettlement, -dollar)
			row.CardID = []api.CardID{first, second}[n%2]
			l.rows = append(l.rows, row)
			n++
		}
		for range rapid.IntRange(0, 20).Draw(rt, "moments") {
			ago := time.Duration(rapid.IntRange(0, 90*24).Draw(rt, "hours")) * time.Hour
			for range rapid.SampledFrom([]int{1, 3, 100, 130, 210}).Draw(rt, "at once") {
				add(ago)
			}
		}
		card := rapid.SampledFrom([]api.CardID{"", first}).Draw(rt, "card")
		s := l.begin(t)
		d := time.Second
		if card != "" {
			l.serve(t, s, meta(d), do(t, s, state.InspectCard{Card: card}))
		}
		for steps := 0; !s.Past.State(card).End; steps++ {
			if steps > 100 {
				rt.Fatalf("no end: %+v", s.Past.State(card))
			}
			d += time.Second
			if rapid.IntRange(0, 3).Draw(rt, "news") == 0 {
				add(-d)
				add(time.Duration(rapid.IntRange(0, 14).Draw(rt, "late")) * time.Minute)
			}
			effects := do(t, s, txns.LoadOlder{Card: card})
			if len(effects) == 1 && !s.Past.State(card).Loading {
				rt.Fatal("nothing says that it loads")
			}
			none[txns.FetchOlder](t, do(t, s, txns.LoadOlder{Card: card}))
			l.serve(t, s, meta(d), effects)
			l.serve(t, s, meta(d), tick(s, d))
		}
		l.serve(t, s, meta(d+2*time.Minute), tick(s, d+2*time.Minute))
		none[txns.FetchOlder](t, do(t, s, txns.LoadOlder{Card: card}))
		held := make(map[api.TransactionID]int)
		if card == "" {
			for _, r := range s.Txns.All() {
				held[r.ID]++
			}
		} else {
			for _, m := range s.Timeline() {
				held[m.Transaction.ID]++
			}
		}
		want := 0
		for _, r := range l.rows {
			if card == "" || r.CardID == card {
				want++
				if held[r.ID] != 1 {
					rt.Fatalf("%s of %v is held %d times", r.ID, r.CreatedAt, held[r.ID])
				}
			}
		}
		if len(held) != want {
			rt.Fatalf("%d rows, want %d", len(held), want)
		}
	})
}

// TestRowsOfTheFeedAreHeldOnce opens a card that almost all of a long feed is
// of: its past is read on from where the feed's ends, and no row that the feed
// lets go of later is missed.
func TestRowsOfTheFeedAreHeldOnce(t *testing.T) {
	const fed, own = 99_500, api.MaxPerPage
	s := settled(t)
	rows := make([]api.Transaction, 0, fed)
	for i := range fed {
		rows = append(rows, txn(i, time.Duration(i+1)*time.Minute, api.TransactionSettlement, -dollar))
	}
	feedPage(s, pollFeed(t, s, 4*time.Second), 4*time.Second, false, slices.Clone(rows)...)
	// The feed says how far back it was read once a page of its past was.
	f := one[txns.FetchOlder](t, do(t, s, txns.LoadOlder{}))
	apply(s, txns.OlderLoaded{FetchOlder: f, Meta: meta(5 * time.Second), Items: rows[fed-own:], More: true})
	listed := one[state.FetchCardTransactions](t, do(t, s, state.InspectCard{Card: first}))
	apply(s, state.CardTransactionsLoaded{FetchCardTransactions: listed, Meta: meta(6 * time.Second), Items: rows[:own], More: true})
	poll := pollFeed(t, s, 7*time.Second)
	f = one[txns.FetchOlder](t, do(t, s, txns.LoadOlder{Card: first}))
	if last := rows[fed-1].CreatedAt; !f.To.Equal(last) || f.Page != 1 {
		t.Fatalf("asks %+v, the feed ends at %v", f, last)
	}
	apply(s, txns.OlderLoaded{FetchOlder: f, Meta: meta(8 * time.Second), More: false, Items: []api.Transaction{
		txn(fed, (fed+1)*time.Minute, api.TransactionSettlement, -dollar), rows[fed-1],
	}})
	if o := s.Past.State(first); o.Full || !o.End {
		t.Errorf("%+v: rows of the feed count twice", o)
	}
	news := make([]api.Transaction, 0, 1000)
	for i := range cap(news) {
		news = append(news, txn(fed+1+i, -time.Duration(i)*time.Millisecond, api.TransactionSettlement, -dollar))
	}
	feedPage(s, poll, 9*time.Second, false, news...)
	if n := len(s.Txns.All()); n != 100_000 {
		t.Fatalf("the feed holds %d", n)
	}
	held := make(map[string]int)
	for i, m := range s.Timeline() {
		held[m.ID]++
		if held[m.ID] > 1 {
			t.Fatalf("%s is listed twice, at last as row %d", m.ID, i)
		}
	}
	if want := fed + 1 + len(news); len(held) != want {
		t.Errorf("%d rows, want %d", len(held), want)
	}
}

func TestAPastThatCannotBeBegunSaysWhy(t *testing.T) {
	fails := map[string]func(e kernel.Effect, m kernel.Meta) kernel.Event{
		"the request limit": func(e kernel.Effect, m kernel.Meta) kernel.Event {
			return state.Deferred{Effect: e, Meta: m, Wait: time.Minute}
		},
		"does not answer": func(e kernel.Effect, m kernel.Meta) kernel.Event {
			return state.FetchFailed{Effect: e, Meta: m, Err: unreachable()}
		},
	}
	for why, fail := range fails {
		for _, card := range []api.CardID{"", first} {
			s := newStore()
			effects := append(tick(s, 0), tick(s, time.Second)...)
			if card != "" {
				effects = do(t, s, state.InspectCard{Card: card})
			}
			if o := s.Past.State(card); !o.Loading || o.Why != "" || o.ByItself {
				t.Errorf("on the way: %+v", o)
			}
			for _, e := range effects {
				apply(s, fail(e, meta(2*time.Second)))
			}
			if o := s.Past.State(card); o.Loading || !strings.Contains(o.Why, why) || !o.ByItself {
				t.Errorf("%s of %q: %+v", why, card, o)
			}
			if other := s.Past.State(second); !other.Loading {
				t.Errorf("another card: %+v", other)
			}
		}
	}
}

func TestWhatIsHeldIsBoundedAndLetGoOfFromTheBottom(t *testing.T) {
	const kept = 100_000
	s := settled(t)
	rows := make([]api.Transaction, 0, kept-50)
	for i := range cap(rows) {
		rows = append(rows, txn(i, time.Duration(kept-i)*time.Minute, api.TransactionSettlement, -dollar))
	}
	feedPage(s, pollFeed(t, s, 4*time.Second), 4*time.Second, false, rows...)
	page := func(n int) []api.Transaction {
		out := make([]api.Transaction, 0, api.MaxPerPage)
		for i := range cap(out) {
			out = append(out, txn(kept+100*n+i, time.Duration(kept+100*n+i)*time.Minute, api.TransactionSettlement, -dollar))
		}
		return out
	}
	f := one[txns.FetchOlder](t, do(t, s, txns.LoadOlder{}))
	apply(s, txns.OlderLoaded{FetchOlder: f, Meta: meta(5 * time.Second), Items: page(0), More: true})
	if n := len(s.Txns.All()); n != kept || !s.Past.State("").Full {
		t.Fatalf("%d rows, %+v", n, s.Past.State(""))
	}
	tick(s, 6*time.Second)
	none[txns.FetchOlder](t, do(t, s, txns.LoadOlder{}))
	feedPage(s, pollFeed(t, s, 10*time.Second), 10*time.Second, false, txn(999_999, 0, api.TransactionSettlement, -dollar))
	got := s.Txns.All()
	if back := s.Past.State("").Back; len(got) != kept || got[kept-1].ID != "txn_999999" || !back.Equal(got[0].CreatedAt) {
		t.Errorf("%d rows back to %v, said to be %v", len(got), got[0].CreatedAt, back)
	}
	apply(s, txns.OlderLoaded{FetchOlder: f, Meta: meta(10 * time.Second), Items: page(1), More: true})
	if now := s.Txns.All(); now[0].ID != got[0].ID {
		t.Error("an answer came in twice")
	}
}
