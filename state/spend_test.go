package state_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/burn"
	sums "github.com/cardtop/cardtop/state/ledger"
)

// TestWhatIsReadIsAddedUp reads the feed and a page of the past, and renames a
// card.
func TestWhatIsReadIsAddedUp(t *testing.T) {
	s := settled(t)
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false,
		txn(1, 2*time.Hour, state.Settlement, -7*dollar), txn(2, time.Hour, state.Settlement, -5*dollar), txn(1, 2*time.Hour, state.Settlement, -7*dollar))
	sum := s.Spend.Ledger().Total(sums.Account(), sums.Last24h)
	if sum.Spent() != 12*dollar || sum.Settlements != 2 {
		t.Errorf("spent %+v", sum)
	}
	of := func(campaign string) state.USD {
		return s.Spend.Ledger().Total(sums.Scope{By: sums.ByCampaign, Name: campaign}, sums.Last24h).Spent()
	}
	if of("fb") != 12*dollar {
		t.Errorf("the campaign spent %s", of("fb"))
	}
	renamed := item(first, api.CardActive, 90*dollar)
	renamed.Label = "gg/geo-de/07"
	answerLane(t, s, 20*time.Second, func(f state.FetchCards) state.Event {
		return state.CardsLoaded{FetchCards: f, Meta: meta(20 * time.Second), Total: 2, TotalPages: 1, Items: []api.CardItem{renamed}}
	})
	if of("fb") != 0 || of("gg/geo-de") != 12*dollar {
		t.Errorf("after a rename: fb %s, gg/geo-de %s", of("fb"), of("gg/geo-de"))
	}
	r := s.Reloadable()
	r.Campaign = "*"
	s.Reload(r)
	if of("gg/geo-de/07") != 12*dollar {
		t.Errorf("after a reload: gg/geo-de/07 %s", of("gg/geo-de/07"))
	}
}

// TestCoverageReachesAsFarAsTheFeedWasRead holds that figures say what they are
// about.
func TestCoverageReachesAsFarAsTheFeedWasRead(t *testing.T) {
	s := newStore()
	effects := append(tick(s, 0), tick(s, time.Second)...)
	coverage := func() sums.Coverage { return s.Spend.Ledger().Coverage(sums.Last24h) }
	if coverage().Complete {
		t.Error("complete before anything was read")
	}
	var feed, past state.FetchTransactions
	for _, f := range all[state.FetchTransactions](effects) {
		if f.History {
			past = f
		} else {
			feed = f
		}
	}
	feedPage(s, feed, time.Second, true, txn(1, time.Minute, state.Settlement, -dollar))
	if coverage().Complete {
		t.Error("complete by one page of the feed")
	}
	apply(s, state.TransactionsLoaded{FetchTransactions: past, Meta: meta(time.Second), Items: []api.Transaction{txn(2, time.Hour, state.Settlement, -dollar)}})
	if c := coverage(); !c.Complete || c.Since.After(at(-23*time.Hour)) {
		t.Errorf("after the history: %+v", c)
	}
}

// TestHowLongBalancesLast spends 10 USD an hour on one of two cards and holds some of
// its balance.
func TestHowLongBalancesLast(t *testing.T) {
	s := settled(t)
	if _, ok := s.Spend.CardRunway(first); ok {
		t.Error("a runway before anything was spent")
	}
	var rows []api.Transaction
	for i := range 23 {
		rows = append(rows, txn(i, time.Duration(i)*time.Hour+30*time.Minute, state.Settlement, -10*dollar))
		rows[i].CardID = first
	}
	hold := txn(90, 36*time.Hour, state.Authorization, 40*dollar)
	hold.CardID = first
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, append(rows, hold)...)
	for name, c := range map[string]struct {
		runway  func() (burn.Runway, bool)
		balance state.USD
	}{
		"card":     {func() (burn.Runway, bool) { return s.Spend.CardRunway(first) }, 100 * dollar},
		"campaign": {func() (burn.Runway, bool) { return s.Spend.CampaignRunway("fb") }, 100 * dollar},
		"wallet":   {s.Spend.WalletRunway, 1150 * dollar},
	} {
		want := time.Duration(float64(c.balance-40*dollar) / float64(10*dollar) * float64(time.Hour))
		got, ok := c.runway()
		if off := got.Left - want; !ok || off.Abs() > want/10 || got.Low > got.Left || got.High < got.Left {
			t.Errorf("%s: %+v, %t, want about %s", name, got, ok, want)
		}
	}
	if r, ok := s.Spend.CardRunway(second); ok {
		t.Errorf("a frozen card without spending lasts %+v", r)
	}
	if r, ok := s.Spend.CampaignRunway("gg"); ok {
		t.Errorf("a campaign without cards lasts %+v", r)
	}
}
