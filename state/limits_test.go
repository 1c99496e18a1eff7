package state_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/alerts"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/news"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/txns"
)

func limits(c *settings.Config) { c.Alerts = alert.Rules{Limit: []int{75, 90, 100}} }

// spends is an archive of an account that spends a dollar an hour on each of two
// cards, with a refund in every tenth hour.
func spends(hours int) *archive {
	l := newArchive()
	for i := range 2 * hours {
		row := txn(i, time.Duration(i/2)*time.Hour+time.Minute, api.TransactionSettlement, -dollar)
		row.CardID = []api.CardID{first, second}[i%2]
		if i%20 == 0 {
			row.Type, row.Amount = api.TransactionRefund, dollar
		}
		l.rows = append(l.rows, row)
	}
	return l
}

// sum is what the month took from a card.
func (l *archive) sum(card api.CardID, now time.Time) (sum api.USD) {
	for _, t := range l.rows {
		if t.CardID == card && t.CreatedAt.Month() == now.Month() && t.CreatedAt.Year() == now.Year() {
			sum -= t.Amount
		}
	}
	return sum
}

// begun is a store of the two cards that has read the last day.
func (l *archive) begun(t *testing.T, change ...func(*settings.Config)) *state.Store {
	t.Helper()
	s := newStore(change...)
	for _, d := range []time.Duration{0, time.Second} {
		for _, e := range tick(s, d) {
			if f, ok := e.(state.FetchCards); ok {
				apply(s, state.CardsLoaded{FetchCards: f, Meta: meta(d), TotalPages: 1, Total: 2, Items: []api.CardItem{
					item(first, api.CardActive, 100*dollar), item(second, api.CardActive, 100*dollar),
				}})
				continue
			}
			l.serve(t, s, meta(d), []kernel.Effect{e})
		}
	}
	return s
}

// background answers what is read in the background until a time, and counts it.
func (l *archive) background(s *state.Store, from, to time.Duration, limit api.USD) (pages, summaries int) {
	for d := from; d < to; d += time.Second {
		for _, e := range tick(s, d) {
			switch e := e.(type) {
			case txns.Fetch:
				items, more := l.list("", e.From, time.Time{}, e.Page)
				apply(s, txns.Loaded{Fetch: e, Meta: meta(d), Items: items, More: more})
			case state.FetchMonth:
				pages++
				apply(s, l.month(e, meta(d)))
			case state.FetchSummary:
				summaries++
				apply(s, state.SummaryLoaded{FetchSummary: e, Meta: meta(d), Summary: api.CardSummary{ID: e.Card, Status: api.CardActive, Balance: 100 * dollar, SpendingLimit: &limit}})
			default:
			}
		}
	}
	return pages, summaries
}

func (l *archive) month(e state.FetchMonth, m kernel.Meta) state.MonthLoaded {
	all := l.rows
	defer func() { l.rows = all }()
	l.rows = nil
	for _, t := range all {
		if t.Type == e.Type {
			l.rows = append(l.rows, t)
		}
	}
	items, more := l.list("", e.From, e.To, e.Page)
	return state.MonthLoaded{FetchMonth: e, Meta: m, Items: items, More: more}
}

func TestTheMonthGoesBackBehindTheFeed(t *testing.T) {
	l := spends(40 * 24)
	for i := range l.rows { // As seen from the twentieth.
		l.rows[i].CreatedAt = l.rows[i].CreatedAt.Add(19 * 24 * time.Hour)
	}
	shift := 19 * 24 * time.Hour
	s := newStore(limits)
	for _, d := range []time.Duration{shift, shift + time.Second} {
		for _, e := range tick(s, d) {
			if f, ok := e.(state.FetchCards); ok {
				apply(s, state.CardsLoaded{FetchCards: f, Meta: meta(d), TotalPages: 1, Total: 2, Items: []api.CardItem{
					item(first, api.CardActive, 100*dollar), item(second, api.CardActive, 100*dollar),
				}})
				continue
			}
			l.serve(t, s, meta(d), []kernel.Effect{e})
		}
	}
	do(t, s, txns.ReadRest{Rest: txns.Rest{From: at(shift - 5*24*time.Hour)}})
	l.readOn(t, s, shift+2*time.Second)
	if s.Limits.MonthRead() {
		t.Fatal("it is whole after five days")
	}
	do(t, s, state.InspectCard{Card: first})
	own, _ := s.MonthSpent() // What the feed has.
	l.background(s, shift+5*time.Second, shift+30*time.Second, 1000*dollar)
	if spent, whole := s.MonthSpent(); whole || spent != card(t, s, first).Month || spent <= own {
		t.Errorf("halfway the card says %s, whole %t, the list %s", spent, whole, card(t, s, first).Month)
	}
	pages, _ := l.background(s, shift+30*time.Second, shift+5*time.Minute, 1000*dollar)
	if pages > 11 { // 876 settlements and 46 refunds of nineteen days and a half.
		t.Errorf("%d pages", pages)
	}
	for _, id := range []api.CardID{first, second} {
		if c := card(t, s, id); c.Month != l.sum(id, s.ServerNow()) || !s.Limits.MonthRead() {
			t.Errorf("%s: %s, want %s, whole %t", id, c.Month, l.sum(id, s.ServerNow()), s.Limits.MonthRead())
		}
	}
	if spent, whole := s.MonthSpent(); !whole || spent != l.sum(first, s.ServerNow()) {
		t.Errorf("the card says %s, whole %t", spent, whole)
	}
	// A new month begins at nothing.
	tick(s, 31*24*time.Hour)
	if c := card(t, s, first); c.Month != 0 {
		t.Errorf("%s in a new month", c.Month)
	}
}

// TestLimitsAreReadAtAPace and only of cards that spend, four times a day, and not at
// all when nobody wants to know.
func TestLimitsAreReadAtAPace(t *testing.T) {
	l := spends(20)
	s := l.begun(t)
	if pages, summaries := l.background(s, 2*time.Second, 10*time.Minute, 1000*dollar); pages+summaries > 0 {
		t.Errorf("%d pages and %d limits for nobody", pages, summaries)
	}
	do(t, s, state.WatchLimits{Shown: true})
	if _, summaries := l.background(s, 10*time.Minute, 30*time.Minute, 1000*dollar); summaries != 2 {
		t.Errorf("%d limits of two cards", summaries)
	}
	if _, summaries := l.background(s, 30*time.Minute, 7*time.Hour, 1000*dollar); summaries != 2 {
		t.Errorf("%d limits in the hours after", summaries)
	}
	do(t, s, state.WatchLimits{})
	if _, summaries := l.background(s, 7*time.Hour, 14*time.Hour, 1000*dollar); summaries != 0 {
		t.Errorf("%d limits after it was hidden", summaries)
	}
}

// justSettled brings a settlement that was just made.
func justSettled(t *testing.T, s *state.Store, d time.Duration, n int, amount api.USD) {
	t.Helper()
	row := txn(n, 0, api.TransactionSettlement, -amount)
	row.ID, row.CardID, row.CreatedAt = api.TransactionID(fmt.Sprintf("txn_new_%d", n)), first, at(d)
	answerLane(t, s, d, func(f txns.Fetch) kernel.Event {
		return txns.Loaded{Fetch: f, Meta: meta(d), Items: []api.Transaction{row}}
	})
}

func TestEachThresholdOfALimitAlertsOnce(t *testing.T) {
	l := newArchive()
	for i := range 2 {
		l.rows = append(l.rows, txn(i, time.Hour, api.TransactionSettlement, -10*dollar))
		l.rows[i].CardID = first
	}
	s := l.begun(t, limits)
	l.background(s, 2*time.Second, time.Minute, 100*dollar)
	s.News.Drain()
	d := time.Minute
	for i, step := range []struct {
		amount api.USD
		news   string
		now    string
	}{
		{50 * dollar, "", ""},
		{6 * dollar, "alert: limit used · card 0001 · 76 % of $100.00, $76.00 this month", "76 %"},
		{1 * dollar, "", "77 %"},
		{14 * dollar, "alert: limit used · card 0001 · 91 % of $100.00, $91.00 this month", "91 %"},
		{-3 * dollar, "", "88 %"},
		{3 * dollar, "", "91 %"},
		{9 * dollar, "alert: limit used · card 0001 · 100 % of $100.00, $100.00 this month", "100 %"},
		{-31 * dollar, "", ""},
		{6 * dollar, "alert: limit used · card 0001 · 75 % of $100.00, $75.00 this month", "75 %"},
	} {
		d += 5 * time.Second
		justSettled(t, s, d, i, step.amount)
		var got string
		for _, n := range s.News.Drain() {
			if n.Kind == news.Alert {
				got += string(n.Kind) + ": " + n.Line()
			}
		}
		if got != step.news {
			t.Errorf("%d: told %q, want %q", i, got, step.news)
		}
		want := ""
		if step.now != "" {
			want = fmt.Sprintf("limit used: %s %s of $100.00, $%s this month\n", first, step.now, card(t, s, first).Month.Grouped())
		}
		if got := matter(s); got != want {
			t.Errorf("%d: %q, want %q", i, got, want)
		}
	}
	s.Reload(settings.Reloadable{})
	if got := matter(s); got != "" {
		t.Errorf("without thresholds: %q", got)
	}
}

func TestALimitThatIsLongUsedIsNoNews(t *testing.T) {
	l := spends(20)
	s := l.begun(t, limits)
	l.background(s, 2*time.Second, time.Minute, 10*dollar)
	for _, n := range s.News.Drain() {
		if n.Kind == news.Alert {
			t.Error(n.Line())
		}
	}
	if got := matter(s); got == "" || !s.Alerts.All()[0].AtLeast {
		t.Errorf("%q", got)
	}
}

func TestLimitsThatWereNotReadAreCounted(t *testing.T) {
	l := spends(20)
	s := l.begun(t, limits)
	var asked []state.FetchSummary
	d := 2 * time.Second
	for ; len(asked) == 0 && d < time.Minute; d += time.Second {
		for _, e := range tick(s, d) {
			switch e := e.(type) {
			case state.FetchMonth:
				apply(s, l.month(e, meta(d)))
			case state.FetchSummary:
				asked = append(asked, e)
			default:
			}
		}
	}
	if lacks := s.Alerts.Lacks(); lacks.Past || lacks.Month || lacks.Limits != 2 || !s.Alerts.AtLeast() || s.Limits.LimitRead(first) {
		t.Errorf("before any was read: %+v", lacks)
	}
	topics, _ := s.Apply(state.SummaryLoaded{FetchSummary: asked[0], Meta: meta(d), Summary: api.CardSummary{ID: asked[0].Card, Status: api.CardActive, Balance: 100 * dollar}})
	if lacks := s.Alerts.Lacks(); lacks.Limits != 1 || topics&kernel.TopicCards == 0 {
		t.Errorf("one has none: %+v, the list is drawn again: %v", lacks, topics&kernel.TopicCards != 0)
	}
	l.background(s, d, 10*time.Minute, 1000*dollar)
	if lacks := s.Alerts.Lacks(); lacks != (alerts.Lacks{Since: lacks.Since}) || s.Alerts.AtLeast() {
		t.Errorf("all were read: %+v", lacks)
	}
}

// TestARefusedReadKeepsTheLimit that is known: what is refused says nothing of it.
func TestARefusedReadKeepsTheLimit(t *testing.T) {
	l := spends(12)
	s := l.begun(t, limits)
	l.background(s, 2*time.Second, 2*time.Minute, 1000*dollar)
	if card(t, s, first).Limit != 1000*dollar {
		t.Fatal("the limit was not read")
	}
	for d := 2 * time.Minute; d < 7*time.Hour; d += 10 * time.Second {
		for _, e := range tick(s, d) {
			if f, ok := e.(state.FetchSummary); ok && f.Limit {
				apply(s, state.FetchFailed{Meta: meta(d), Effect: f, Err: api.ErrNotFound})
			}
		}
	}
	if got := card(t, s, first).Limit; got != 1000*dollar {
		t.Errorf("after reads that were refused it is %s", got)
	}
}

// TestTheMonthIsAddedUpOnce reads the whole month in the background, each
// transaction once, while others come and older ones are scrolled to.
func TestTheMonthIsAddedUpOnce(t *testing.T) {
	l := spends(40 * 24)
	s := l.begun(t, func(c *settings.Config) { limits(c) })
	if s.Limits.MonthRead() {
		t.Fatal("read before it was asked for")
	}
	// at(0) is noon of the first of the month: nothing is older than the feed.
	l.background(s, 2*time.Second, 20*time.Second, 1000*dollar)
	for _, id := range []api.CardID{first, second} {
		if c := card(t, s, id); c.Month != l.sum(id, s.ServerNow()) || !s.Limits.MonthRead() {
			t.Errorf("%s: %s, want %s", id, c.Month, l.sum(id, s.ServerNow()))
		}
	}
}

// TestALimitThatCannotBeReadIsAskedForLater by the budget, the network or a
// server that says how long.
func TestALimitThatCannotBeReadIsAskedForLater(t *testing.T) {
	l := spends(20)
	s := l.begun(t, limits)
	d := 10 * time.Second
	for i, c := range []struct {
		fails func(state.FetchSummary) kernel.Event
		wait  time.Duration
	}{
		{func(e state.FetchSummary) kernel.Event {
			return state.Deferred{Effect: e, Meta: meta(d), Wait: 5 * time.Minute}
		}, 5 * time.Minute},
		{func(e state.FetchSummary) kernel.Event {
			return state.FetchFailed{Effect: e, Meta: meta(d), Err: unreachable()}
		}, 30 * time.Second},
		{func(e state.FetchSummary) kernel.Event {
			return state.FetchFailed{Effect: e, Meta: meta(d), Err: limited(2 * time.Minute)}
		}, 2 * time.Minute},
	} {
		var asked []state.FetchSummary
		for len(asked) == 0 {
			d += time.Second
			if asked = all[state.FetchSummary](tick(s, d)); d > time.Hour {
				t.Fatalf("%d: nothing is asked", i)
			}
		}
		apply(s, c.fails(asked[0]))
		none[state.FetchSummary](t, tick(s, d+c.wait-time.Second))
		d += c.wait
	}
}
