package state_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/news"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/settings"
)

const days = 24 * time.Hour

// expires has a card of a store expire at a time, as its summary says.
func expires(s *state.Store, id api.CardID, balance api.USD, after, now time.Duration) {
	apply(s, state.SummaryLoaded{FetchSummary: s.Info.Read(id), Meta: meta(now), Summary: api.CardSummary{
		ID: id, Label: "fb", Last4: api.Text(id[len(id)-4:]), Status: api.CardActive, Balance: balance, ExpiresAt: at(after),
	}})
}

// TestAnExpiredCardIsShownSo when its time has come, on the server's clock, while its status
// stays what the API says: operations are resolved by that.
func TestAnExpiredCardIsShownSo(t *testing.T) {
	s := with(t, []api.CardItem{item(first, api.CardActive, 500*dollar), item(second, api.CardFrozen, 500*dollar)})
	expires(s, first, 500*dollar, time.Hour, 2*time.Second)
	if c := card(t, s, first); c.Shown() != api.CardActive || !c.ExpiresAt.Equal(at(time.Hour)) {
		t.Fatalf("%s, expires %s", c.Shown(), c.ExpiresAt)
	}
	topics, _ := s.Tick(at(time.Hour))
	if c := card(t, s, first); c.Shown() != api.CardExpired || c.Status != api.CardActive || topics&kernel.TopicCards == 0 {
		t.Errorf("shown as %s, status %s, %v changed", c.Shown(), c.Status, topics)
	}
	if c := card(t, s, second); c.Shown() != api.CardFrozen || !c.ExpiresAt.IsZero() {
		t.Errorf("the other is %s", c.Shown())
	}
	// A list does not have it, and does not change it.
	apply(s, state.CardsKnown{Meta: meta(time.Hour), Items: []api.CardItem{item(first, api.CardActive, 400*dollar)}})
	if c := card(t, s, first); c.Shown() != api.CardExpired || c.Balance != 400*dollar {
		t.Errorf("%s with %s after a list", c.Shown(), c.Balance)
	}
	// The clock of this machine was ahead.
	s.Tick(at(time.Minute))
	if c := card(t, s, first); c.Shown() != api.CardActive {
		t.Errorf("%s before its time", c.Shown())
	}
}

// TestAnExpiredCardIsFundedOnlyOnASecondYes, by itself and not among many. Its money comes back
// without a word.
func TestAnExpiredCardIsFundedOnlyOnASecondYes(t *testing.T) {
	s := with(t, []api.CardItem{item(first, api.CardActive, 500*dollar), item(second, api.CardActive, 500*dollar)})
	expires(s, first, 500*dollar, -days, 2*time.Second)
	v := s.Check(state.Fund(first, 10*dollar))
	if want := "expired on 28 Feb 2026"; v.Reason != "" || !strings.Contains(v.Expired, want) || !strings.Contains(v.Again, want) {
		t.Errorf("funding: %+v", v)
	}
	if v := s.Check(state.Withdraw(first, 10*dollar)); v.Reason != "" || v.Again != "" || v.Expired != "" {
		t.Errorf("withdrawing: %+v", v)
	}
	if v := s.Check(state.Fund(second, 10*dollar)); v.Reason != "" || v.Again != "" {
		t.Errorf("funding the other: %+v", v)
	}
	both := []api.CardID{first, second}
	p := s.Plan(state.Writes{Kind: state.BulkFund, Cards: both, Amount: 10 * dollar})
	if out := p.Rows[0].Out; !strings.Contains(out, "expired on 28 Feb 2026") || p.Rows[1].Out != "" {
		t.Errorf("a plan leaves out %q and %q", out, p.Rows[1].Out)
	}
	p = s.Plan(state.Writes{Kind: state.BulkWithdraw, Cards: both, Share: state.ShareAll})
	if p.Rows[0].Out != "" || p.Rows[1].Out != "" {
		t.Errorf("a plan does not withdraw: %q, %q", p.Rows[0].Out, p.Rows[1].Out)
	}
	do(t, s, codes.Arm{Card: first})
	if n := s.Notice(); n.Level != kernel.Warn || !strings.Contains(n.Text, "EXPIRED on 28 Feb 2026") {
		t.Errorf("armed with %q", n.Text)
	}
}

// TestExpiriesAreReadOnce each, at the pace of the alerts and in turns with limits: the two
// take no more requests than one; and not at all when nobody wants to know.
func TestExpiriesAreReadOnce(t *testing.T) {
	l := spends(20)
	s := l.begun(t)
	if pages, summaries := l.background(s, 2*time.Second, 10*time.Minute, 1000*dollar); pages+summaries > 0 {
		t.Errorf("%d pages and %d cards for nobody", pages, summaries)
	}
	expiry := func(c *settings.Config) { c.Alerts.Expiry = []int{7, 30} }
	s = l.begun(t, expiry)
	if pages, summaries := l.background(s, 2*time.Second, 29*time.Second, 1000*dollar); pages != 0 || summaries != 1 {
		t.Errorf("%d pages and %d cards in half a minute", pages, summaries)
	}
	if _, summaries := l.background(s, 29*time.Second, 14*time.Hour, 1000*dollar); summaries != 1 {
		t.Errorf("%d cards in the hours after", summaries)
	}
	s = l.begun(t, expiry, limits2)
	if _, summaries := l.background(s, 2*time.Second, time.Hour, 1000*dollar); summaries != 2 {
		t.Errorf("%d cards for limits and expiries", summaries)
	}
}

func limits2(c *settings.Config) { c.Alerts.Limit = []int{75, 90, 100} }

func TestTheOldestActiveCardIsDatedFirst(t *testing.T) {
	items := []api.CardItem{
		item("card_0001", api.CardFrozen, 500*dollar), item("card_0002", api.CardActive, 0), item("card_0003", api.CardTerminated, 0),
		item("card_0004", api.CardActive, 5*dollar), item("card_0005", api.CardActive, 5*dollar),
	}
	items[4].CreatedAt = at(-900 * days)
	s := with(t, items, func(c *settings.Config) { c.Alerts.Expiry = []int{30} })
	var order []string
	for i := 2; i < 600; i++ {
		d := time.Duration(i) * time.Second
		for _, e := range all[state.FetchSummary](tick(s, d)) {
			order = append(order, string(e.Card[len(e.Card)-1:]))
			apply(s, state.SummaryLoaded{FetchSummary: e, Meta: meta(d), Summary: api.CardSummary{ID: e.Card, Status: api.CardActive, ExpiresAt: at(400 * days)}})
		}
	}
	if got := strings.Join(order, " "); got != "5 4 2 1" {
		t.Errorf("read in the order %s", got)
	}
}

func TestExpiryAlerts(t *testing.T) {
	s := with(t, cardsOf(100, 200, 300), func(c *settings.Config) { c.Alerts.Expiry, c.Alerts.Idle = []int{7, 30}, 30*days })
	ids := []api.CardID{s.Cards.All().ID(0), s.Cards.All().ID(1), s.Cards.All().ID(2)}
	expires(s, ids[0], 100*dollar, 31*days, 2*time.Second)
	expires(s, ids[1], 200*dollar, 31*days+time.Hour, 2*time.Second)
	expires(s, ids[2], 300*dollar, 20*days, 2*time.Second)
	at := 3 * time.Second
	s.News.Drain()
	told := func(until time.Duration) (said, listed string) {
		t.Helper()
		var lines []string
		for end := until + 3*time.Minute; at < end; at += time.Minute / 2 {
			if at < until {
				at = until
			}
			tick(s, at)
			for _, n := range s.News.Drain() {
				if n.Kind == news.Alert {
					lines = append(lines, n.Text)
				}
			}
		}
		var have []string
		for _, a := range s.Alerts.All() {
			if a.Kind == alert.Expired || a.Kind == alert.ExpiresSoon {
				have = append(have, a.Text)
			}
		}
		return strings.Join(lines, " | "), strings.Join(have, " | ")
	}
	for _, step := range []struct {
		at           time.Duration
		news, listed string
	}{
		{0, "", "1 card expires within 30 d, balance $300.00"}, // It was so when it was read.
		{days + 10*time.Minute, "2 cards expire within 30 d, balance $400.00", "2 cards expire within 30 d, balance $400.00"},
		{days + 2*time.Hour, "3 cards expire within 30 d, balance $600.00", "3 cards expire within 30 d, balance $600.00"},
		{13*days + time.Hour, "1 card expires within 7 d, balance $300.00", "1 card expires within 7 d, balance $300.00 | 2 cards expire within 30 d, balance $300.00"},
		{20*days + time.Hour, "1 card expired, $300.00 to withdraw", "1 card expired, $300.00 to withdraw | 2 cards expire within 30 d, balance $300.00"},
		{21 * days, "", "1 card expired, $300.00 to withdraw | 2 cards expire within 30 d, balance $300.00"},
	} {
		if news, listed := told(step.at); news != step.news || listed != step.listed {
			t.Errorf("after %s: news %q, listed %q", step.at, news, listed)
		}
	}
	if idle := s.Rules.Idle(); len(idle) != 1 || idle[0] != ids[2] {
		t.Errorf("the plan of idle cards is of %v", idle)
	}
	expires(s, ids[2], 0, 20*days, at)
	if news, listed := told(at); news != "" || listed != "2 cards expire within 30 d, balance $300.00" {
		t.Errorf("after the withdrawal: news %q, listed %q", news, listed)
	}
}

// TestAnExpiredCardIsNotCountedAsActive by any pane: the list has the figure, not the wallet.
func TestAnExpiredCardIsNotCountedAsActive(t *testing.T) {
	s := with(t, []api.CardItem{item(first, api.CardActive, 500*dollar), item(second, api.CardActive, 500*dollar)})
	if n, ok := s.Insight.ActiveCards(); !ok || n != 2 {
		t.Fatalf("%d active, %v", n, ok)
	}
	expires(s, first, 500*dollar, time.Hour, 2*time.Second)
	s.Tick(at(time.Hour))
	if n, ok := s.Insight.ActiveCards(); !ok || n != 1 {
		t.Errorf("after its expiry %d active, %v", n, ok)
	}
}

// TestACardHasExpiredAsSoonAsTheServersClockIsKnown: the clock of this machine may be a day behind, and a command checks a
// write as soon as its answers are there.
func TestACardHasExpiredAsSoonAsTheServersClockIsKnown(t *testing.T) {
	s := with(t, []api.CardItem{item(first, api.CardActive, 500*dollar)})
	expires(s, first, 500*dollar, time.Hour, 2*time.Second)
	m := meta(3 * time.Second)
	m.Clock = poll.SampleClock(m.Sent, m.At, at(26*time.Hour))
	apply(s, state.CardsKnown{Meta: m})
	if v := s.Check(state.Fund(first, 10*dollar)); v.Expired == "" {
		t.Errorf("%+v", v)
	}
}
