package state_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/txns"
)

// readOn answers the pages of a rest until it is over, and counts them. Each
// step is as long as the store wants to wait.
func (l *archive) readOn(t *testing.T, s *state.Store, d time.Duration) (pages int) {
	t.Helper()
	for range 1000 {
		if !s.Past.RestRead().On {
			return pages
		}
		d += 100 * time.Millisecond
		effects := tick(s, d)
		for _, e := range all[state.FetchMonth](effects) {
			apply(s, l.month(e, meta(d)))
		}
		for _, e := range all[txns.FetchOlder](effects) {
			if !e.Rest {
				t.Fatalf("%+v is not told from what a person waits for", e)
			}
			pages++
			if e.Search.On() {
				apply(s, l.search(e, meta(d)))
				continue
			}
			items, more := l.list(e.Card, e.From, e.To, e.Page)
			apply(s, txns.OlderLoaded{FetchOlder: e, Meta: meta(d), Items: items, More: more})
		}
	}
	t.Fatal("it does not end")
	return pages
}

// TestARestIsReadAsFarAsItIsWanted reads the year of an archive, or a part of
// it, of all cards, of one, or of what is searched for.
func TestARestIsReadAsFarAsItIsWanted(t *testing.T) {
	for name, c := range map[string]struct {
		rest  txns.Rest
		rows  func(s *state.Store) int
		pages int
		least int
	}{
		"all":    {txns.Rest{}, func(s *state.Store) int { return len(s.Txns.All()) }, 88, 8760},
		"a week": {txns.Rest{From: at(-7 * 24 * time.Hour)}, func(s *state.Store) int { return len(s.Txns.All()) }, 2, 7 * 24},
		"search": {txns.Rest{Search: txns.Search{Type: api.TransactionDecline}}, func(s *state.Store) int { return len(s.Past.Found().Rows) }, 9, 860},
		"card":   {txns.Rest{Card: first}, func(s *state.Store) int { return len(s.Info.Inspected().Transactions) }, 43, 4380},
	} {
		t.Run(name, func(t *testing.T) {
			l := old()
			s := l.begin(t)
			d := 2 * time.Second
			if c.rest.Card != "" {
				l.serve(t, s, meta(d), do(t, s, state.InspectCard{Card: c.rest.Card}))
			}
			do(t, s, txns.ReadRest{Rest: c.rest})
			if pages := l.readOn(t, s, d); pages > c.pages {
				t.Errorf("%d pages, %d are enough", pages, c.pages)
			}
			if n := c.rows(s); n < c.least || c.rest.From.IsZero() && n > c.least+30 {
				t.Errorf("%d rows, want %d", n, c.least)
			}
		})
	}
}

// TestARestWaitsAndGoesOn is kept from its pages by the budget, by the network
// and by a server that says how long.
func TestARestWaitsAndGoesOn(t *testing.T) {
	l := old()
	s := l.begin(t)
	d := 2 * time.Second
	do(t, s, txns.ReadRest{})
	fetch := func() txns.FetchOlder {
		t.Helper()
		return one[txns.FetchOlder](t, tick(s, d))
	}
	for _, c := range []struct {
		fails func(txns.FetchOlder) kernel.Event
		wait  time.Duration
	}{
		{func(e txns.FetchOlder) kernel.Event {
			return state.Deferred{Effect: e, Meta: meta(d), Wait: time.Minute}
		}, time.Minute},
		{func(e txns.FetchOlder) kernel.Event {
			return state.FetchFailed{Effect: e, Meta: meta(d), Err: unreachable()}
		}, 2 * time.Second},
		{func(e txns.FetchOlder) kernel.Event {
			return state.FetchFailed{Effect: e, Meta: meta(d), Err: limited(9 * time.Second)}
		}, 9 * time.Second},
	} {
		e := fetch()
		apply(s, c.fails(e))
		if r := s.Past.RestRead(); !r.On || r.Older.Why == "" || !r.Again.Equal(at(d+c.wait)) {
			t.Errorf("%+v", r)
		}
		none[txns.FetchOlder](t, tick(s, d+c.wait-time.Millisecond))
		if due := s.NextWake(); due.After(at(d + c.wait)) {
			t.Errorf("wakes at %v", due)
		}
		d += c.wait
	}
	apply(s, txns.OlderLoaded{FetchOlder: fetch(), Meta: meta(d), Items: []api.Transaction{txn(1, 30*time.Hour, api.TransactionSettlement, -dollar)}, More: true})
	d += time.Second
	e := fetch()
	if e.Page != 2 {
		t.Errorf("goes on with %+v", e)
	}
	// A later page that is refused: it begins again where it has come to. The
	// first one refused: there is no way on.
	apply(s, state.FetchFailed{Effect: e, Meta: meta(d), Err: refused()})
	d += time.Second
	if e = fetch(); e.Page != 1 {
		t.Errorf("goes on with %+v", e)
	}
	apply(s, state.FetchFailed{Effect: e, Meta: meta(d), Err: refused()})
	d += time.Second
	none[txns.FetchOlder](t, tick(s, d))
	if s.Past.RestRead().On {
		t.Error("goes on")
	}
}

func TestARestEndsWhenItIsStopped(t *testing.T) {
	l := old()
	s := l.begin(t)
	do(t, s, txns.ReadRest{})
	e := one[txns.FetchOlder](t, tick(s, 2*time.Second))
	do(t, s, txns.EndRest{})
	items, more := l.list("", e.From, e.To, e.Page)
	apply(s, txns.OlderLoaded{FetchOlder: e, Meta: meta(2 * time.Second), Items: items, More: more})
	none[txns.FetchOlder](t, tick(s, 20*time.Second))
	if n := len(s.Txns.All()); n < 100 {
		t.Errorf("%d rows: what was read stays", n)
	}
}
