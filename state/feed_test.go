package state_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

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

func TestAnAccountThatWasEmptyIsReadToItsEnd(t *testing.T) {
	s := settled(t)
	f := pollFeed(t, s, time.Hour)
	if !f.From.IsZero() {
		t.Fatalf("asks %+v", f)
	}
	next := one[txns.Fetch](t, feedPage(s, f, time.Hour, true, txn(2, time.Minute, api.TransactionSettlement, -dollar)))
	if effects := feedPage(s, next, time.Hour, false, txn(1, time.Hour, api.TransactionSettlement, -dollar)); len(effects) != 0 {
		t.Errorf("goes on after the end: %v", effects)
	}
}

func TestARowOfTheFutureDoesNotHideThoseOfNow(t *testing.T) {
	s := settled(t)
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, txn(1, time.Minute, api.TransactionSettlement, -dollar), txn(2, -48*time.Hour, api.TransactionSettlement, -dollar))
	if f := pollFeed(t, s, 10*time.Second); !f.From.Equal(at(5*time.Second - 15*time.Minute)) {
		t.Errorf("starts at %v", f.From)
	}
}

// TestWhatComesLateOnALaterPageIsSeen answers from a list of two pages, of
// which the first never changes.
func TestWhatComesLateOnALaterPageIsSeen(t *testing.T) {
	one, two := txn(1, time.Minute, api.TransactionSettlement, -dollar), txn(2, 2*time.Minute, api.TransactionAuthorization, -dollar)
	late, changed := txn(3, 3*time.Minute, api.TransactionSettlement, -7*dollar), two
	changed.Type = api.TransactionSettlement
	s := newStore()
	seen := time.Duration(0)
	asked := play(t, s, 0, 10*time.Minute, func(e kernel.Effect, sent time.Time) (kernel.Event, time.Duration) {
		m := kernel.Meta{Sent: sent, At: sent}
		f, ok := e.(txns.Fetch)
		if !ok {
			return answer(e, m), 0
		}
		if n := len(s.Txns.All()); n == 3 && seen == 0 {
			seen = sent.Sub(at(0))
		}
		ev := txns.Loaded{Fetch: f, Meta: m, Items: []api.Transaction{one}, More: true}
		switch {
		case f.Page == 2 && sent.Before(at(5*time.Minute)):
			ev.Items, ev.More = []api.Transaction{two}, false
		case f.Page == 2:
			ev.Items, ev.More = []api.Transaction{changed, late}, false
		}
		return ev, 0
	})
	rows := s.Txns.All()
	if len(rows) != 3 || rows[0].ID != late.ID || rows[1].Type != api.TransactionSettlement || seen > 5*time.Minute+75*time.Second {
		t.Errorf("rows %+v, seen after %v", rows, seen)
	}
	if sum, _ := s.Insight.Spent24h(); sum != 9*dollar {
		t.Errorf("spent %s", sum)
	}
	if n := asked["transactions"]; n > 200+11 {
		t.Errorf("%d requests", n)
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

// TestALongOverlapIsReadLessOften keeps what a busy account costs in bounds.
func TestALongOverlapIsReadLessOften(t *testing.T) {
	s := newStore()
	row := txn(1, time.Minute, api.TransactionSettlement, -dollar)
	asked := play(t, s, 0, 2*time.Hour, func(e kernel.Effect, sent time.Time) (kernel.Event, time.Duration) {
		m := kernel.Meta{Sent: sent, At: sent}
		if f, ok := e.(txns.Fetch); ok {
			return txns.Loaded{Fetch: f, Meta: m, Items: []api.Transaction{row}, More: f.Page < 100}, 0
		}
		return answer(e, m), 0
	})
	if n := asked["transactions"]; n > 2*(1200+1000)+200 {
		t.Errorf("%d requests in two hours", n)
	}
}

func TestTheHistoryIsReadOnceAndBounded(t *testing.T) {
	s := newStore()
	tick(s, 0)
	f := one[txns.Fetch](t, tick(s, time.Second))
	n := 1
	for {
		effects := feedPage(s, f, time.Second, true, txn(n, time.Duration(n)*time.Minute, api.TransactionSettlement, -dollar))
		if len(effects) == 0 {
			break
		}
		f = one[txns.Fetch](t, effects)
		n++
	}
	if n != 200 {
		t.Errorf("%d pages", n)
	}
	if _, complete := s.Insight.Spent24h(); complete {
		t.Error("complete although the last page that is read was full")
	}
	for _, f := range all[txns.Fetch](tick(s, 48*time.Hour)) {
		if f.History {
			t.Error("read again")
		}
	}
}

// TestSumsEqualAPlainRecomputation merges random pages, in any order and
// late, while the window moves on.
func TestSumsEqualAPlainRecomputation(t *testing.T) {
	kinds := []api.TransactionType{api.TransactionSettlement, api.TransactionRefund, api.TransactionAuthorization, api.TransactionDecline}
	rapid.Check(t, func(rt *rapid.T) {
		s := settled(t)
		world := make(map[api.TransactionID]api.Transaction)
		d := 5 * time.Second
		for range rapid.IntRange(1, 25).Draw(rt, "polls") {
			var rows []api.Transaction
			for range rapid.IntRange(0, 8).Draw(rt, "rows") {
				n := rapid.IntRange(0, 60).Draw(rt, "n")
				r := txn(n, 0, kinds[n%4], api.USD(n-20)*dollar)
				r.CardID = []api.CardID{first, second}[n%2]
				if old, ok := world[r.ID]; ok {
					r.CreatedAt = old.CreatedAt
					r.Type = rapid.SampledFrom(kinds).Draw(rt, "kind")
				} else {
					r.CreatedAt = at(d - time.Duration(rapid.IntRange(0, 26*60).Draw(rt, "minutes"))*time.Minute)
				}
				world[r.ID] = r
				rows = append(rows, r)
			}
			f := txns.Fetch{}
			for _, e := range all[txns.Fetch](tick(s, d)) {
				f = e
			}
			// Time passes between the request and its answer.
			d += time.Duration(rapid.IntRange(1, 200).Draw(rt, "latency")) * time.Minute
			apply(s, txns.Loaded{Fetch: f, Meta: meta(d), Items: rows})
			compare(rt, s, world)
			d += time.Duration(rapid.IntRange(1, 300).Draw(rt, "pause")) * time.Minute
		}
		tick(s, d)
		compare(rt, s, world)
	})
}

// byHour is what the bars of the header's chart come to.
func byHour(s *state.Store) (sum api.USD) {
	for _, h := range s.Insight.Ledger().Bars(sums.Account(), sums.Last24h) {
		sum += h.Spent()
	}
	return sum
}

func compare(t *rapid.T, s *state.Store, world map[api.TransactionID]api.Transaction) {
	start := s.ServerNow().Truncate(time.Hour).Add(-24 * time.Hour)
	spent := make(map[api.CardID]api.USD)
	total := api.USD(0)
	for _, r := range world {
		if r.CreatedAt.Before(start) || r.Type != api.TransactionSettlement && r.Type != api.TransactionRefund {
			continue
		}
		spent[r.CardID] -= r.Amount
		total -= r.Amount
	}
	rows := s.Txns.All()
	if len(rows) != len(world) || !slices.IsSortedFunc(rows, func(a, b api.Transaction) int { return a.CreatedAt.Compare(b.CreatedAt) }) {
		t.Fatalf("%d rows of %d, or out of order", len(rows), len(world))
	}
	if got, _ := s.Insight.Spent24h(); got != total || byHour(s) != total {
		t.Fatalf("spent %s, by hour %s, want %s", got, byHour(s), total)
	}
	for _, c := range s.Cards.All().All() {
		if c.Spent24h != spent[c.ID] {
			t.Fatalf("%s spent %s, want %s", c.ID, c.Spent24h, spent[c.ID])
		}
	}
}

// TestSumsHoldWhenTheServersClockGoesBack reads a row that is within the day
// again, beside one that has left it.
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

// TestPagesOfAnyTimeComeIntoOrder merges pages that lie before, within and
// after what is held.
func TestPagesOfAnyTimeComeIntoOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := settled(t)
		first, last, n := 500_000, 500_000, 0
		var want []api.Transaction
		for poll := range rapid.IntRange(1, 30).Draw(rt, "pages") {
			var rows []api.Transaction
			size := rapid.IntRange(0, 60).Draw(rt, "rows")
			where := rapid.SampledFrom([]string{"before", "after", "within"}).Draw(rt, "where")
			for range size {
				second := 0
				switch where {
				case "before":
					first--
					second = first
				case "after":
					last++
					second = last
				default:
					second = rapid.IntRange(first, last).Draw(rt, "second")
				}
				n++
				rows = append(rows, txn(n, time.Duration(1_000_000-second)*time.Second, api.TransactionSettlement, -dollar))
			}
			d := time.Duration(poll+1) * 5 * time.Second
			feedPage(s, pollFeed(t, s, d), d, false, rows...)
			want = append(want, rows...)
		}
		slices.SortFunc(want, func(a, b api.Transaction) int {
			return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
		})
		if got := s.Txns.All(); !slices.EqualFunc(got, want, func(a, b api.Transaction) bool { return a.ID == b.ID }) {
			rt.Fatalf("%d rows of %d, or out of order", len(got), len(want))
		}
	})
}

func TestTheFeedIsTrimmedOutsideTheWindow(t *testing.T) {
	s := settled(t)
	rows := make([]api.Transaction, 0, 111_000)
	for i := range cap(rows) {
		rows = append(rows, txn(i, 200*time.Hour-time.Duration(i)*6*time.Second, api.TransactionSettlement, -dollar))
	}
	before := 0
	for _, r := range rows {
		if r.CreatedAt.Before(at(8 * time.Second).Truncate(time.Hour).Add(-24 * time.Hour)) {
			before++
		}
	}
	// The past comes last, and goes first.
	feedPage(s, pollFeed(t, s, 4*time.Second), 4*time.Second, false, rows[6000:]...)
	feedPage(s, pollFeed(t, s, 8*time.Second), 8*time.Second, false, rows[:6000]...)
	got := s.Txns.All()
	if len(got) != 100_000 || got[len(got)-1].ID != rows[len(rows)-1].ID {
		t.Errorf("%d rows are held", len(got))
	}
	if sum, _ := s.Insight.Spent24h(); sum != api.USD(len(rows)-before)*dollar {
		t.Errorf("spent %s", sum)
	}
	feedPage(s, pollFeed(t, s, 12*time.Second), 12*time.Second, false, rows[len(rows)-1])
	if n := len(s.Txns.All()); n != 100_000 {
		t.Errorf("%d rows after a known one", n)
	}
	feedPage(s, pollFeed(t, s, 15*time.Second), 15*time.Second, false, rows[0])
	if got = s.Txns.All(); len(got) != 100_000 || got[0].ID != rows[11_000].ID {
		t.Errorf("%d rows from %s on after one that was let go of", len(got), got[0].ID)
	}
}

// TestAFullFeedRollsOn adds at the one end and lets go at the other, through
// what room there is between.
func TestAFullFeedRollsOn(t *testing.T) {
	const kept, every, page = 100_000, 6 * time.Second, 100
	s := settled(t)
	row := func(i int) api.Transaction {
		return txn(i, time.Duration(kept-1-i)*every, api.TransactionSettlement, -dollar)
	}
	rows := make([]api.Transaction, 0, kept)
	for i := range kept {
		rows = append(rows, row(i))
	}
	feedPage(s, pollFeed(t, s, 4*time.Second), 4*time.Second, false, rows...)
	for n := kept; n < kept*3/2; n += page {
		rows = rows[:0]
		for i := range page {
			rows = append(rows, row(n+i))
		}
		d := time.Duration(n+page-kept) * every
		feedPage(s, pollFeed(t, s, d), d, false, rows...)
		got := s.Txns.All()
		if len(got) != kept || got[0].ID != row(n+page-kept).ID || got[kept-1].ID != rows[page-1].ID || got[kept/2].ID != row(n+page-kept/2).ID {
			t.Fatalf("after %d: %d rows from %s to %s", n, len(got), got[0].ID, got[len(got)-1].ID)
		}
	}
	day := s.ServerNow().Sub(s.ServerNow().Truncate(time.Hour).Add(-24 * time.Hour))
	if sum, _ := s.Insight.Spent24h(); sum != api.USD(day/every)*dollar && sum != api.USD(day/every+1)*dollar {
		t.Errorf("spent %s", sum)
	}
}
