package state_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/nighttest"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/txns"
)

// shop is an account that is used while it is read: between any two answers
// cards are made and charged, and transactions are listed, some of them late.
type shop struct {
	rnd   *rand.Rand
	page  int // how many rows an answer has
	cards []api.CardItem
	used  map[api.CardID]time.Time
	rows  []api.Transaction // newest first
	// dark is when it is out of reach, quiet when it is left alone.
	dark  []span
	quiet time.Time
}

type span struct{ from, to time.Time }

func newShop(seed uint64) *shop {
	s := &shop{rnd: rand.New(rand.NewPCG(seed, 1)), used: make(map[api.CardID]time.Time)}
	s.page = 2 + s.rnd.IntN(6)
	for range s.rnd.IntN(30) {
		s.issue(at(-time.Duration(s.rnd.IntN(1000)) * time.Hour))
	}
	for range s.rnd.IntN(60) {
		s.charge(at(-s.within(23 * time.Hour)))
	}
	s.quiet = at(time.Minute)
	for range s.rnd.IntN(4) {
		dark := span{from: s.quiet.Add(s.within(2 * time.Minute))}
		dark.to = dark.from.Add(s.within([]time.Duration{30 * time.Second, 40 * time.Minute}[s.rnd.IntN(2)]))
		s.dark, s.quiet = append(s.dark, dark), dark.to.Add(s.within(3*time.Minute))
	}
	return s
}

func (s *shop) within(d time.Duration) time.Duration { return time.Duration(s.rnd.Int64N(int64(d))) }

func (s *shop) issue(now time.Time) {
	id := api.CardID(fmt.Sprintf("card_%06d", s.rnd.IntN(1_000_000)))
	if slices.ContainsFunc(s.cards, func(c api.CardItem) bool { return c.ID == id }) {
		return
	}
	c := item(id, api.CardActive, 100*dollar)
	c.CreatedAt = now
	s.cards = append(s.cards, c)
	slices.SortFunc(s.cards, func(a, b api.CardItem) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
}

func (s *shop) charge(now time.Time) {
	t := api.Transaction{ID: api.TransactionID(fmt.Sprintf("txn_%06d", len(s.rows))), Type: api.TransactionSettlement, Amount: -dollar, CreatedAt: now.Truncate(time.Second)}
	if len(s.cards) > 0 {
		c := &s.cards[s.rnd.IntN(len(s.cards))]
		t.CardID = c.ID
		c.Balance -= dollar
		s.used[c.ID] = now
	}
	older := func(i int) bool {
		return cmp.Or(s.rows[i].CreatedAt.Compare(t.CreatedAt), cmp.Compare(s.rows[i].ID, t.ID)) < 0
	}
	s.rows = slices.Insert(s.rows, sort.Search(len(s.rows), older), t)
}

// goOn lets happen what does between two answers, and now and then while
// nobody looks.
func (s *shop) goOn(now time.Time) {
	if now.After(s.quiet) {
		return
	}
	if s.rnd.IntN(20) == 0 {
		s.issue(now)
	}
	if len(s.cards) > 0 && s.rnd.IntN(20) == 0 {
		s.cards[s.rnd.IntN(len(s.cards))].Status = api.CardFrozen
	}
	switch s.rnd.IntN(40) {
	case 0: // Some pages at once.
		for range s.rnd.IntN(4 * s.page) {
			s.charge(now)
		}
	case 1, 2: // Listed late.
		s.charge(now.Add(-s.within(14 * time.Minute)))
	case 3, 4, 5:
		s.charge(now)
	}
}

// answer gives what a request brings, and when.
func (s *shop) answer(e kernel.Effect, sent time.Time) (kernel.Event, time.Duration) {
	took := s.within(900 * time.Millisecond)
	m := kernel.Meta{Sent: sent, At: sent.Add(took)}
	s.goOn(m.At)
	if slices.ContainsFunc(s.dark, func(d span) bool { return !m.At.Before(d.from) && m.At.Before(d.to) }) {
		return state.FetchFailed{Meta: m, Effect: e, Err: unreachable()}, took
	}
	if m.At.Before(s.quiet) && s.rnd.IntN(10) == 0 {
		errs := []error{unreachable(), cut(), limited(0), &api.Error{Status: 503}}
		return state.FetchFailed{Meta: m, Effect: e, Err: errs[s.rnd.IntN(len(errs))]}, took
	}
	switch f := e.(type) {
	case state.FetchCards:
		return s.list(f, m), took
	case txns.Fetch:
		n := sort.Search(len(s.rows), func(i int) bool { return s.rows[i].CreatedAt.Before(f.From) })
		part := paged(s.rows[:n], f.Page, s.page)
		return txns.Loaded{Fetch: f, Meta: m, Items: part, More: len(part) == s.page}, took
	default:
		return answer(e, m), took
	}
}

func (s *shop) list(f state.FetchCards, m kernel.Meta) kernel.Event {
	cards := slices.Clone(s.cards)
	if f.Hot {
		slices.SortStableFunc(cards, func(a, b api.CardItem) int { return s.used[b.ID].Compare(s.used[a.ID]) })
	}
	return state.CardsLoaded{
		FetchCards: f, Meta: m, Items: paged(cards, f.Page, s.page),
		Total: len(cards), TotalPages: (len(cards) + s.page - 1) / s.page,
	}
}

func paged[T any](rows []T, page, size int) []T {
	from := min((page-1)*size, len(rows))
	return slices.Clone(rows[from:min(from+size, len(rows))])
}

// TestPagesThatShiftLoseNothingAndDoubleNothing reads 200 accounts that are
// used, that fail and that are out of reach while their pages are read.
func TestPagesThatShiftLoseNothingAndDoubleNothing(t *testing.T) {
	t.Parallel()
	for seed := range uint64(nighttest.Times(40, 200)) {
		shop := newShop(seed)
		s := newStore(func(c *settings.Config) {
			c.Only = []poll.Lane{poll.Feed, poll.History, poll.Hot, poll.Sweep}
		})
		play(t, s, 0, shop.quiet.Sub(at(0))+16*time.Minute, shop.answer)
		have := make(map[api.TransactionID]int)
		for _, row := range s.Txns.All() {
			have[row.ID]++
		}
		lost, doubled := 0, len(s.Txns.All())-len(have)
		for _, row := range shop.rows {
			if have[row.ID] == 0 {
				lost++
			}
		}
		if lost > 0 || doubled > 0 || len(have) != len(shop.rows) {
			t.Errorf("seed %d: of %d transactions %d are lost, %d doubled", seed, len(shop.rows), lost, doubled)
		}
		if n := s.Cards.All().Len(); n != len(shop.cards) {
			t.Errorf("seed %d: %d cards of %d", seed, n, len(shop.cards))
		}
		for _, c := range shop.cards {
			if got, ok := s.Cards.Get(c.ID); !ok || got.Balance != c.Balance || got.Status != c.Status {
				t.Errorf("seed %d: card %+v, want %+v", seed, got, c)
			}
		}
	}
}

// TestAWalkThatASleepCutsOffIsTakenUp wakes in the middle of the pages of a
// long outage, when the newest of them are known.
func TestAWalkThatASleepCutsOffIsTakenUp(t *testing.T) {
	t.Parallel()
	const night = 8 * time.Hour
	s := newStore()
	for _, d := range []time.Duration{0, time.Second} {
		now := clocks(t, d, d)
		_, effects := s.Tick(now)
		for _, e := range effects {
			ev := answer(e, kernel.Meta{Sent: now, At: now})
			if f, ok := e.(txns.Fetch); ok && !f.History {
				ev = txns.Loaded{Fetch: f, Meta: kernel.Meta{Sent: now, At: now}, Items: []api.Transaction{txn(0, 0, api.TransactionSettlement, -dollar)}}
			}
			apply(s, ev)
		}
	}
	// The steady clock runs on through an outage, and stands still at night.
	back := clocks(t, 6*time.Hour, 6*time.Hour)
	_, effects := s.Tick(back)
	first := one[txns.Fetch](t, effects)
	apply(s, txns.Loaded{
		Fetch: first, Meta: kernel.Meta{Sent: back, At: back}, More: true,
		Items: []api.Transaction{txn(1, -6*time.Hour, api.TransactionSettlement, -dollar)},
	})
	woke := clocks(t, 6*time.Hour, 6*time.Hour+night)
	_, effects = s.Tick(woke)
	again := one[txns.Fetch](t, effects)
	if again.Page != 1 || again.From.After(first.From) {
		t.Fatalf("the poll after the sleep begins at %v, the one before at %v", again.From, first.From)
	}
	// A page of what is known already does not end it.
	m := kernel.Meta{Sent: woke, At: woke}
	effects = apply(s, txns.Loaded{Fetch: again, Meta: m, More: true, Items: []api.Transaction{txn(1, -6*time.Hour, api.TransactionSettlement, -dollar)}})
	next := one[txns.Fetch](t, effects)
	if len(apply(s, txns.Loaded{Fetch: next, Meta: m, Items: []api.Transaction{txn(2, -3*time.Hour, api.TransactionSettlement, -dollar)}})) != 0 {
		t.Error("the last page leads to more")
	}
	_, effects = s.Tick(woke.Add(3 * time.Second))
	if f := one[txns.Fetch](t, effects); !f.From.After(first.From) {
		t.Errorf("after the walk polls still begin at %v", f.From)
	}
	if n := len(s.Txns.All()); n != 3 {
		t.Errorf("%d transactions, want 3", n)
	}
}
