package state_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/nighttest"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	sums "github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/txns"
)

func txn(n int, ago time.Duration, kind api.TransactionType, amount api.USD) api.Transaction {
	return api.Transaction{
		ID: api.TransactionID(fmt.Sprintf("txn_%05d", n)), CardID: first, Type: kind, Amount: amount,
		BalanceAfter: new(dollar), CreatedAt: at(-ago),
	}
}

// feedPage answers a feed request.
func feedPage(s *state.Store, f txns.Fetch, d time.Duration, more bool, rows ...api.Transaction) []kernel.Effect {
	return apply(s, txns.Loaded{Fetch: f, Meta: meta(d), Items: rows, More: more})
}

func pollFeed(t *testing.T, s *state.Store, d time.Duration) txns.Fetch {
	t.Helper()
	return one[txns.Fetch](t, tick(s, d))
}

func TestACardReadAfterTheFeedKnowsItsUse(t *testing.T) {
	s := newStore()
	effects := tick(s, 0)
	feedPage(s, one[txns.Fetch](t, effects), 0, false, txn(1, time.Hour, api.TransactionSettlement, -7*dollar))
	hot, _ := pages(t, effects)
	apply(s, state.CardsLoaded{FetchCards: hot, Meta: meta(0), Items: []api.CardItem{item(first, api.CardActive, 0)}})
	if c := card(t, s, first); c.Spent24h != 7*dollar || !c.LastUsed.Equal(at(-time.Hour)) {
		t.Errorf("card %+v", c)
	}
	if _, complete := s.Insight.Spent24h(); complete {
		t.Error("complete before the past was read")
	}
}

func TestATransactionThatChangesIsCountedAnew(t *testing.T) {
	s := settled(t)
	old := txn(1, time.Hour, api.TransactionAuthorization, -5*dollar)
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, old)
	changed := old
	changed.Type, changed.BalanceAfter = api.TransactionSettlement, nil
	topics, _ := s.Apply(txns.Loaded{Fetch: pollFeed(t, s, 10*time.Second), Meta: meta(10 * time.Second), Items: []api.Transaction{changed}})
	if sum, _ := s.Insight.Spent24h(); sum != 5*dollar || topics&kernel.TopicFeed == 0 || s.Txns.All()[0].Type != api.TransactionSettlement {
		t.Errorf("spent %s, topics %b", sum, topics)
	}
	again := changed
	topics, _ = s.Apply(txns.Loaded{Fetch: pollFeed(t, s, 20*time.Second), Meta: meta(20 * time.Second), Items: []api.Transaction{again}})
	if topics&kernel.TopicFeed != 0 {
		t.Error("redrawn for nothing")
	}
	moved := changed
	moved.CreatedAt = at(-2 * time.Hour)
	feedPage(s, pollFeed(t, s, 30*time.Second), 30*time.Second, false, moved)
	if n := len(s.Txns.All()); n != 1 {
		t.Errorf("%d rows of one transaction", n)
	}
}

func TestWhichPagesAreRead(t *testing.T) {
	known := txn(1, time.Hour, api.TransactionSettlement, -dollar)
	news := txn(2, time.Minute, api.TransactionSettlement, -dollar)
	t.Run("the first answer is one page", func(t *testing.T) {
		s := newStore()
		f := one[txns.Fetch](t, tick(s, 0))
		if !f.From.IsZero() || f.Page != 1 {
			t.Errorf("asks %+v", f)
		}
		if effects := feedPage(s, f, 0, true, known); len(effects) != 0 {
			t.Errorf("goes on: %v", effects)
		}
	})
	s := settled(t)
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, known)
	f := pollFeed(t, s, 10*time.Second)
	if !f.From.Equal(at(-time.Hour - 15*time.Minute)) {
		t.Errorf("starts at %v", f.From)
	}
	next := one[txns.Fetch](t, feedPage(s, f, 10*time.Second, true, news))
	if next.Page != 2 || next.Seq <= f.Seq || !next.From.Equal(f.From) || !next.To.Equal(at(10*time.Second)) {
		t.Errorf("next %+v", next)
	}
	if effects := feedPage(s, next, 10*time.Second, true, known); len(effects) != 0 {
		t.Errorf("goes on where nothing is new: %v", effects)
	}
	f = pollFeed(t, s, 15*time.Second)
	if effects := feedPage(s, f, 15*time.Second, false, txn(3, 0, api.TransactionSettlement, -dollar)); len(effects) != 0 {
		t.Errorf("goes on after a short page: %v", effects)
	}
}

func TestAWalkEndsWhereItReachesWhatWasKnown(t *testing.T) {
	known, older := txn(1, time.Hour, api.TransactionSettlement, -dollar), txn(4, 2*time.Hour, api.TransactionSettlement, -dollar)
	ahead := txn(9, -48*time.Hour, api.TransactionSettlement, -dollar)
	s := settled(t)
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, known, ahead)
	f := pollFeed(t, s, 10*time.Second)
	if effects := feedPage(s, f, 10*time.Second, true, txn(2, time.Minute, api.TransactionSettlement, -dollar), known); len(effects) != 0 {
		t.Errorf("goes on behind what is known: %v", effects)
	}
	f = pollFeed(t, s, 15*time.Second)
	page := txn(3, 0, api.TransactionSettlement, -dollar)
	next := one[txns.Fetch](t, feedPage(s, f, 15*time.Second, true, ahead, page))
	// The page before again: others pushed it down.
	next = one[txns.Fetch](t, feedPage(s, next, 15*time.Second, true, page))
	if effects := feedPage(s, next, 15*time.Second, true, page, older, known); len(effects) != 1 {
		t.Errorf("stops at a page whose oldest row is new: %v", effects)
	}
}

func TestARowOfTheFutureDoesNotHideThoseOfNow(t *testing.T) {
	s := settled(t)
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, txn(1, time.Minute, api.TransactionSettlement, -dollar), txn(2, -48*time.Hour, api.TransactionSettlement, -dollar))
	if f := pollFeed(t, s, 10*time.Second); !f.From.Equal(at(5*time.Second - 15*time.Minute)) {
		t.Errorf("starts at %v", f.From)
	}
}

// TestNothingListedLateIsLostOnABusyAccount has three transactions a second, of
// which one in a hundred is listed fourteen minutes after its time.
func TestNothingListedLateIsLostOnABusyAccount(t *testing.T) {
	const gap, late, size = 300 * time.Millisecond, 14 * time.Minute, 100
	s := newStore()
	listed := func(n int, now time.Time) bool {
		made := at(time.Duration(n) * gap)
		return !made.After(now) && (n%size != 0 || !made.Add(late).After(now))
	}
	span := time.Duration(nighttest.Times(40, 80)) * time.Minute
	asked := play(t, s, 0, span, func(e kernel.Effect, sent time.Time) (kernel.Event, time.Duration) {
		m := kernel.Meta{Sent: sent, At: sent}
		f, ok := e.(txns.Fetch)
		if !ok {
			return answer(e, m), 0
		}
		ev := txns.Loaded{Fetch: f, Meta: m}
		skip := (f.Page - 1) * size
		for n := int(sent.Sub(at(0)) / gap); n >= 0 && !ev.More; n-- {
			r := txn(n, -time.Duration(n)*gap, api.TransactionSettlement, -dollar)
			switch {
			case r.CreatedAt.Before(f.From):
				return ev, 0
			case !listed(n, sent):
			case skip > 0:
				skip--
			default:
				ev.Items = append(ev.Items, r)
				ev.More = len(ev.Items) == size
			}
		}
		return ev, 0
	})
	held := make(map[api.TransactionID]bool)
	for _, r := range s.Txns.All() {
		held[r.ID] = true
	}
	lost := 0
	for n := range int((span - late - 11*time.Minute) / gap) {
		if !held[txn(n, 0, api.TransactionSettlement, 0).ID] {
			lost++
		}
	}
	if lost > 0 {
		t.Errorf("%d rows are lost", lost)
	}
	if n := asked["transactions"]; n > 28*int(span/time.Minute) {
		t.Errorf("%d requests", n)
	}
}

// byHour is what the bars of the header's chart come to.
func byHour(s *state.Store) (sum api.USD) {
	for _, h := range s.Insight.Ledger().Bars(sums.Account(), sums.Last24h) {
		sum += h.Spent()
	}
	return sum
}

func TestSumsHoldWhenTheServersClockGoesBack(t *testing.T) {
	s := settled(t)
	for i, ahead := range []time.Duration{0, time.Hour, 0} {
		d := time.Duration(i+1) * 5 * time.Second
		f := pollFeed(t, s, d)
		m := meta(d)
		m.Clock = poll.ClockSample{Low: ahead - time.Millisecond, High: ahead + time.Millisecond}
		row := txn(10-i, 23*time.Hour+time.Duration(30+5*i)*time.Minute, api.TransactionSettlement, -dollar<<i)
		apply(s, txns.Loaded{Fetch: f, Meta: m, Items: []api.Transaction{row}})
		if sum, _ := s.Insight.Spent24h(); sum != byHour(s) || sum != card(t, s, first).Spent24h {
			t.Errorf("after %v: %s, by hour %s, on the card %s", d, sum, byHour(s), card(t, s, first).Spent24h)
		}
	}
}

func TestEachTransactionIsHeldOnceInTheOrderOfTime(t *testing.T) {
	s := settled(t)
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false,
		txn(3, time.Hour, api.TransactionSettlement, -3*dollar), txn(1, 3*time.Hour, api.TransactionSettlement, -dollar))
	feedPage(s, pollFeed(t, s, 10*time.Second), 10*time.Second, false,
		txn(2, 2*time.Hour, api.TransactionRefund, dollar), txn(3, time.Hour, api.TransactionSettlement, -3*dollar), txn(4, time.Hour, api.TransactionDecline, 50*dollar), txn(5, 25*time.Hour, api.TransactionSettlement, -90*dollar))
	got := ""
	for _, r := range s.Txns.All() {
		got += string(r.ID[8:]) + " "
	}
	if got != "5 1 2 3 4 " {
		t.Errorf("order %s", got)
	}
	if sum, complete := s.Insight.Spent24h(); sum != 3*dollar || !complete {
		t.Errorf("spent %s %v", sum, complete)
	}
	if c := card(t, s, first); c.Spent24h != 3*dollar || !c.LastUsed.Equal(at(-time.Hour)) {
		t.Errorf("card %+v", c)
	}
}
