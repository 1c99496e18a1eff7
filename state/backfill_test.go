package state_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/insight"
	"github.com/cardtop/cardtop/state/kernel"
	sums "github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/txns"
)

func background(c *settings.Config) { c.SpendHourly = 1000 }

// account is the API of an account, for a store that runs by its own wakes.
type account struct {
	rows  []api.Transaction // newest first
	cards []api.CardItem
	// asked are the requests for the past, when they were sent.
	asked []insight.Fetch
	times []time.Time
	// fails returns how a request fails; nil where it does not.
	fails func(insight.Fetch, kernel.Meta) kernel.Event
	// disk answers what needs no API; nil answers nothing.
	disk func(kernel.Effect, time.Time) kernel.Event
}

// campaigner is an account with so many cards and transactions in 30 days.
func campaigner(cards, transactions int) *account {
	a := &account{}
	for i := range cards {
		a.cards = append(a.cards, item(api.CardID(fmt.Sprintf("card_%04d", i)), api.CardActive, 100*dollar))
	}
	every := 30 * 24 * time.Hour / time.Duration(transactions)
	for i := range transactions {
		row := txn(i, time.Duration(i)*every, api.TransactionSettlement, -dollar)
		row.CardID = a.cards[i*7%cards].ID
		a.rows = append(a.rows, row)
	}
	return a
}

func (a *account) Page(from, to time.Time, page int) ([]api.Transaction, bool) {
	first, _ := slices.BinarySearchFunc(a.rows, to, func(t api.Transaction, at time.Time) int { return at.Compare(t.CreatedAt) })
	first += (page - 1) * api.MaxPerPage
	var out []api.Transaction
	for i := first; i < len(a.rows) && len(out) < api.MaxPerPage && !a.rows[i].CreatedAt.Before(from); i++ {
		out = append(out, a.rows[i])
	}
	return out, len(out) == api.MaxPerPage
}

func (a *account) answer(e kernel.Effect, now time.Time) kernel.Event {
	m := kernel.Meta{Sent: now, At: now}
	switch e := e.(type) {
	case txns.Fetch:
		items, more := a.Page(e.From, now, e.Page)
		return txns.Loaded{Fetch: e, Meta: m, Items: items, More: more}
	case state.FetchCards:
		from := min((e.Page-1)*api.MaxPerPage, len(a.cards))
		items := a.cards[from:min(from+api.MaxPerPage, len(a.cards))]
		return state.CardsLoaded{FetchCards: e, Meta: m, Items: items, Total: len(a.cards), TotalPages: (len(a.cards) + api.MaxPerPage - 1) / api.MaxPerPage}
	case insight.Fetch:
		a.asked, a.times = append(a.asked, e), append(a.times, now)
		if a.fails != nil {
			if ev := a.fails(e, m); ev != nil {
				return ev
			}
		}
		items, more := a.Page(e.From, e.To, e.Page)
		return insight.Loaded{Fetch: e, Meta: m, Items: items, More: more}
	default:
	}
	if a.disk != nil {
		if ev := a.disk(e, now); ev != nil {
			return ev
		}
	}
	return answer(e, m)
}

// run lets a store run by its own wakes until a time, or until done.
func (a *account) run(t *testing.T, s *state.Store, from, to time.Duration, done func() bool) (end time.Duration) {
	t.Helper()
	for now := at(from); !now.After(at(to)); {
		_, effects := s.Tick(now)
		for len(effects) > 0 {
			effects = append(effects[1:], apply(s, a.answer(effects[0], now))...)
		}
		if done() {
			return now.Sub(at(0))
		}
		next := s.NextWake()
		if !next.After(now) {
			t.Fatalf("at %v the next wake is %v", now, next)
		}
		now = next
	}
	return to
}

func never() bool { return false }

// allRead reports whether all of the last 30 days was read, but for what was just made.
func allRead(s *state.Store) func() bool {
	return func() bool {
		c := s.Insight.Ledger().Coverage(sums.Last30d)
		return c.Complete && s.ServerNow().Sub(c.Until) < time.Minute
	}
}

func TestThirtyDaysAreReadInTenMinutes(t *testing.T) {
	t.Parallel()
	a := campaigner(800, 30_000)
	s := newStore(background)
	took := a.run(t, s, 0, time.Hour, allRead(s))
	if took > 10*time.Minute {
		t.Errorf("it took %s", took)
	}
	t.Logf("%d requests in %s", len(a.asked), took)
	for i := 1; i < len(a.times); i++ {
		if pause := a.times[i].Sub(a.times[i-1]); pause < time.Second {
			t.Fatalf("a pause of %s before request %d", pause, i)
		}
	}
	for i, e := range a.asked {
		if e.Cost().Lane != "spending" || e.To.Sub(e.From) > 24*time.Hour || i > 0 && e.From.After(a.asked[i-1].From) {
			t.Fatalf("request %d: %+v", i, e)
		}
	}
	first := s.ServerNow().Truncate(time.Hour).AddDate(0, 0, -30)
	want := 0
	for _, row := range a.rows {
		if !row.CreatedAt.Before(first) {
			want++
		}
	}
	if got := s.Insight.Ledger().Total(sums.Account(), sums.Last30d); int(got.Settlements) != want || got.Spent() != api.USD(want)*dollar {
		t.Errorf("%d settlements of $%s, want %d", got.Settlements, got.Spent(), want)
	}
	if n := len(a.asked); n > want/api.MaxPerPage+30 {
		t.Errorf("%d requests for %d transactions", n, want)
	}
	asked := len(a.asked)
	a.run(t, s, took, took+time.Hour, never)
	if n := len(a.asked) - asked; n > 0 {
		t.Errorf("%d requests in the hour after", n)
	}
}

func TestThePastKeepsToItsHour(t *testing.T) {
	t.Parallel()
	a := campaigner(10, 30_000)
	s := newStore(func(c *settings.Config) { c.SpendHourly = 100 })
	for hour := range 3 {
		before := len(a.asked)
		a.run(t, s, time.Duration(hour)*61*time.Minute, time.Duration(hour+1)*61*time.Minute-time.Second, never)
		if n := len(a.asked) - before; n != 100 {
			t.Errorf("hour %d: %d requests", hour, n)
		}
	}
	r := s.Reloadable()
	r.SpendHourly = 0
	s.Reload(r)
	before := len(a.asked)
	a.run(t, s, 4*time.Hour, 6*time.Hour, never)
	if n := len(a.asked) - before; n > 0 {
		t.Errorf("%d requests after it was switched off", n)
	}
}

func TestThePastRests(t *testing.T) {
	t.Parallel()
	a := campaigner(10, 30_000)
	s := newStore(background)
	a.run(t, s, 0, time.Minute, never)
	s.Poll.SetAttention(poll.Unfocused, at(time.Minute))
	before := len(a.asked)
	a.run(t, s, time.Minute+time.Second, 2*time.Minute, never)
	if n := len(a.asked) - before; n < 10 || n > 16 {
		t.Errorf("%d requests in an unfocused minute", n)
	}
	a, s = campaigner(10, 30_000), newStore(background, func(c *settings.Config) {
		c.Only = []poll.Lane{poll.Codes, poll.Feed, poll.History}
	})
	a.run(t, s, 0, time.Hour, never)
	if n := len(a.asked); n > 0 {
		t.Errorf("%d requests of a program that polls some lanes", n)
	}
}

func TestThePastGoesOnAfterFailures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ev   func(insight.Fetch, kernel.Meta) kernel.Event
		wait time.Duration
	}{
		"budget": {func(e insight.Fetch, m kernel.Meta) kernel.Event {
			return state.Deferred{Effect: e, Meta: m, Wait: 5 * time.Minute}
		}, 5 * time.Minute},
		"network": {func(e insight.Fetch, m kernel.Meta) kernel.Event {
			return state.FetchFailed{Effect: e, Meta: m, Err: unreachable()}
		}, 30 * time.Second},
		"rate limit": {func(e insight.Fetch, m kernel.Meta) kernel.Event {
			return state.FetchFailed{Effect: e, Meta: m, Err: limited(2 * time.Minute)}
		}, 2 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := campaigner(10, 3_000)
			a.fails = func(e insight.Fetch, m kernel.Meta) kernel.Event {
				if len(a.asked) == 5 {
					return c.ev(e, m)
				}
				return nil
			}
			s := newStore(background)
			if took := a.run(t, s, 0, time.Hour, allRead(s)); took > 10*time.Minute {
				t.Errorf("it took %s", took)
			}
			again, failed := a.asked[5], a.asked[4]
			failed.Seq, again.Seq = 0, 0
			if pause := a.times[5].Sub(a.times[4]); pause < c.wait || pause > c.wait+2*time.Second || again != failed {
				t.Errorf("%+v after %s, the one that failed was %+v", again, pause, failed)
			}
		})
	}
}

// TestARefusedPageDoesNotLoop reads what an API lists that has no more than three pages of
// a list, and leaves out the day that it lists nothing of.
func TestARefusedPageDoesNotLoop(t *testing.T) {
	t.Parallel()
	a := campaigner(10, 30_000)
	none := at(0).Truncate(24*time.Hour).AddDate(0, 0, -7)
	a.fails = func(e insight.Fetch, m kernel.Meta) kernel.Event {
		if e.Page > 3 || e.From.Equal(none) {
			return state.FetchFailed{Effect: e, Meta: m, Err: &api.Error{Status: 400, ID: "invalid_request"}}
		}
		return nil
	}
	s := newStore(background)
	a.run(t, s, 0, 30*time.Minute, never)
	day := sums.Span{From: none, To: none.AddDate(0, 0, 1)}
	first := s.ServerNow().Truncate(time.Hour).AddDate(0, 0, -30)
	if got := s.Insight.Ledger().Holes(sums.Span{From: first, To: at(0)}); !slices.Equal(got, []sums.Span{day}) {
		t.Errorf("not read: %v", got)
	}
	if n := len(a.asked); n > 480 {
		t.Errorf("%d requests", n)
	}
}

func TestALateAnswerOfThePastStays(t *testing.T) {
	t.Parallel()
	a := campaigner(10, 3_000)
	s := newStore(background)
	var late insight.Fetch
	a.fails = func(e insight.Fetch, _ kernel.Meta) kernel.Event {
		late = e
		return insight.Loaded{Fetch: insight.Fetch{Seq: e.Seq + 1000, From: e.From, To: e.To, Page: 1}}
	}
	a.run(t, s, 0, time.Minute, func() bool { return len(a.asked) > 0 })
	a.run(t, s, time.Minute, 2*time.Minute, never)
	if len(a.asked) != 1 {
		t.Fatalf("%d requests while one is under way", len(a.asked))
	}
	known := s.Insight.Ledger().Known()
	items, _ := a.Page(late.From, late.To.Add(-1), 1) // What is of its end was read.
	n := s.Insight.Ledger().Len()
	wrong := late
	wrong.Seq += 7
	apply(s, insight.Loaded{Fetch: wrong, Meta: meta(2 * time.Minute), Items: items})
	if got := s.Insight.Ledger(); len(got.Known()) != len(known) || got.Len() != n+len(items) {
		t.Errorf("%d rows, known %v", got.Len(), got.Known())
	}
	apply(s, insight.Loaded{Fetch: late, Meta: meta(2 * time.Minute), Items: items})
	if got := s.Insight.Ledger().Known(); slices.Equal(got, known) {
		t.Error("the answer that is waited for ends no day")
	}
}

func TestAProgramThatPollsSomeLanesReadsTheDaysItNeeds(t *testing.T) {
	t.Parallel()
	for days, pages := range map[int]int{0: 0, 8: 13} {
		a := campaigner(10, 3000)
		s := newStore(background, func(c *settings.Config) {
			c.Only, c.PastDays = []poll.Lane{poll.Feed, poll.History, poll.Sweep}, days
		})
		a.run(t, s, 0, 10*time.Minute, never)
		oldest := at(0).Truncate(24*time.Hour).AddDate(0, 0, 1-days)
		for _, f := range a.asked {
			if f.From.Before(oldest) {
				t.Errorf("%d days: asked for %s", days, f.From)
			}
		}
		if c := s.Insight.Ledger().Coverage(sums.Last7d); len(a.asked) != pages || c.Complete != (days > 0) {
			t.Errorf("%d days: %d pages, %+v", days, len(a.asked), c)
		}
	}
}
