package state_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/burn"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/state/wallets"
)

func TestHowLongBalancesLast(t *testing.T) {
	s := settled(t)
	if _, ok := s.Insight.CardRunway(first); ok {
		t.Error("a runway before anything was spent")
	}
	var rows []api.Transaction
	for i := range 230 {
		rows = append(rows, txn(i, time.Duration(i)*6*time.Minute+3*time.Minute, api.TransactionSettlement, -dollar))
		rows[i].CardID = first
	}
	hold := txn(990, 36*time.Hour, api.TransactionAuthorization, 40*dollar)
	hold.CardID = first
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, append(rows, hold)...)
	for name, c := range map[string]struct {
		runway  func() (burn.Runway, bool)
		balance api.USD
	}{
		"card":     {func() (burn.Runway, bool) { return s.Insight.CardRunway(first) }, 100 * dollar},
		"campaign": {func() (burn.Runway, bool) { return s.Insight.CampaignRunway("fb") }, 100 * dollar},
		"wallet":   {s.Insight.WalletRunway, 1150 * dollar},
	} {
		want := time.Duration(float64(c.balance-40*dollar) / float64(10*dollar) * float64(time.Hour))
		got, ok := c.runway()
		if off := got.Left - want; !ok || off.Abs() > want/10 || got.Low > got.Left || got.High < got.Left {
			t.Errorf("%s: %+v, %t, want about %s", name, got, ok, want)
		}
	}
	if r, ok := s.Insight.CardRunway(second); ok {
		t.Errorf("a frozen card without spending lasts %+v", r)
	}
	// What is held of a card that cannot spend is not of the balance of those that can.
	before, _ := s.Insight.CampaignRunway("fb")
	hold = txn(991, 36*time.Hour, api.TransactionAuthorization, 500*dollar)
	hold.CardID = second
	feedPage(s, pollFeed(t, s, 8*time.Second), 8*time.Second, true, hold)
	if after, ok := s.Insight.CampaignRunway("fb"); !ok || (after.Left-before.Left).Abs() > time.Minute {
		t.Errorf("with a hold of a frozen card the campaign lasts %s, before %s", after.Left, before.Left)
	}
	// Of a hub the cards are those that the user sees, and the wallet is everybody's.
	for _, scoped := range []bool{true, false} {
		after := 40 * time.Second
		if !scoped {
			after *= 2
		}
		answerLane(t, s, after, func(f wallets.Fetch) kernel.Event {
			return wallets.Loaded{Fetch: f, Meta: meta(after), Wallet: api.Wallet{Balance: 1000 * dollar, Scoped: scoped}}
		})
		if r, ok := s.Insight.WalletRunway(); ok == scoped {
			t.Errorf("scoped %v: the wallet lasts %+v, %v", scoped, r, ok)
		}
	}
	// What is spent while nothing is read is not known, so it does not last longer.
	wallet, _ := s.Insight.WalletRunway()
	tick(s, 5*time.Hour)
	if later, ok := s.Insight.WalletRunway(); !ok || (later.Left-wallet.Left).Abs() > time.Minute {
		t.Errorf("five hours without an answer later the wallet lasts %s, before %s", later.Left, wallet.Left)
	}
	if r, ok := s.Insight.CampaignRunway("gg"); ok {
		t.Errorf("a campaign without cards lasts %+v", r)
	}
}

// TestRunwaysFollowTheCards holds that what cards hold is of their latest answers, and
// of the campaigns that the configuration tells.
func TestRunwaysFollowTheCards(t *testing.T) {
	s := settled(t)
	var rows []api.Transaction
	for i := range 23 {
		rows = append(rows, txn(i, time.Duration(i)*time.Hour+30*time.Minute, api.TransactionSettlement, -10*dollar))
		rows[i].CardID = first
	}
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, rows...)
	left := func(runway func() (burn.Runway, bool)) float64 {
		r, _ := runway()
		return r.Left.Hours()
	}
	of := func(name string) func() (burn.Runway, bool) {
		return func() (burn.Runway, bool) { return s.Insight.CampaignRunway(name) }
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if got < want*0.9 || got > want*1.1 {
			t.Errorf("%s: %.1f h, want about %.1f", what, got, want)
		}
	}
	near("wallet", left(s.Insight.WalletRunway), 115)
	other, d := item(second, api.CardActive, 300*dollar), 20*time.Second
	answerLane(t, s, d, func(f state.FetchCards) kernel.Event {
		return state.CardsLoaded{FetchCards: f, Meta: meta(d), Total: 2, TotalPages: 1, Items: []api.CardItem{item(first, api.CardActive, 200*dollar), other}}
	})
	near("card", left(func() (burn.Runway, bool) { return s.Insight.CardRunway(first) }), 20)
	near("campaign of two", left(of("fb")), 50)
	near("wallet", left(s.Insight.WalletRunway), 150)
	n := 0
	s.Insight.CardRunways(func(id api.CardID, r burn.Runway) {
		if one, ok := s.Insight.CardRunway(id); !ok || one != r || id != first {
			t.Errorf("%s lasts %v of all, %v by itself", id, r, one)
		}
		n++
	})
	if n != 1 {
		t.Errorf("%d cards last", n)
	}
	other.Status, other.Label, d = api.CardTerminated, "gg/x", 40*time.Second
	answerLane(t, s, d, func(f state.FetchCards) kernel.Event {
		return state.CardsLoaded{FetchCards: f, Meta: meta(d), Total: 2, TotalPages: 1, Items: []api.CardItem{item(first, api.CardActive, 200*dollar), other}}
	})
	near("campaign of one", left(of("fb")), 20)
	near("wallet", left(s.Insight.WalletRunway), 120)
	mine := item(first, api.CardActive, 200*dollar)
	mine.Label, d = "gg/geo/01", 60*time.Second
	answerLane(t, s, d, func(f state.FetchCards) kernel.Event {
		return state.CardsLoaded{FetchCards: f, Meta: meta(d), Total: 1, TotalPages: 1, Items: []api.CardItem{mine}}
	})
	near("another label", left(of("gg")), 20)
	r := s.Reloadable()
	r.Campaign = "*"
	s.Reload(r)
	near("another rule", left(of("gg/geo/01")), 20)
	if _, ok := s.Insight.CampaignRunway("gg"); ok {
		t.Error("a campaign of another rule lasts")
	}
	mine.Status, mine.Balance, d = api.CardTerminated, 0, 80*time.Second
	answerLane(t, s, d, func(f state.FetchCards) kernel.Event {
		return state.CardsLoaded{FetchCards: f, Meta: meta(d), Total: 1, TotalPages: 1, Items: []api.CardItem{mine}}
	})
	if r, ok := s.Insight.CampaignRunway("gg/geo/01"); ok {
		t.Errorf("a campaign whose only card is terminated lasts %+v", r)
	}
}

func TestTheWalletLastsByItsFundings(t *testing.T) {
	s := settled(t, func(c *settings.Config) { c.FindFundings = true })
	var records []state.Record
	for i := range 24 {
		key := api.IdempotencyKey(fmt.Sprint("past-", i))
		at := at(-time.Duration(i)*time.Hour - 30*time.Minute)
		records = append(
			records, state.Record{At: at, Key: key, Action: "fund", Amount: 50 * dollar, Outcome: state.OpStatusDone},
			state.Record{At: at, Key: key, Action: "fund", Amount: 50 * dollar, Outcome: state.OpStatusBegun},
			state.Record{At: at, Key: key + "no", Action: "fund", Amount: 70 * dollar, Outcome: state.OpStatusRefused},
			state.Record{At: at, Key: key + "back", Action: "withdraw", Amount: 90 * dollar, Outcome: state.OpStatusDone},
		)
	}
	if r, ok := s.Insight.FundingRunway(); ok {
		t.Errorf("%v before the history was read", r)
	}
	apply(s, state.HistoryLoaded{Meta: meta(time.Second), Records: records})
	r, ok := s.Insight.FundingRunway()
	if want := 20 * time.Hour; !ok || (r.Left-want).Abs() > want/10 { // 1,000 USD.
		t.Errorf("it lasts %+v, %t, want %s", r, ok, want)
	}
	team := settled(t)
	apply(team, state.HistoryLoaded{Meta: meta(time.Second), Records: records})
	answerLane(t, team, 40*time.Second, func(f wallets.Fetch) kernel.Event {
		return wallets.Loaded{Fetch: f, Meta: meta(40 * time.Second), Wallet: api.Wallet{Balance: 1000 * dollar, Scoped: true}}
	})
	if r, ok := team.Insight.FundingRunway(); ok {
		t.Errorf("%v of a wallet that others fund cards from", r)
	}
	few := settled(t)
	apply(few, state.HistoryLoaded{Meta: meta(time.Second), Records: records[:8]})
	if r, ok := few.Insight.FundingRunway(); ok {
		t.Errorf("%v by two fundings", r)
	}
	tick(s, 48*time.Hour)
	if r, ok := s.Insight.FundingRunway(); ok {
		t.Errorf("%v two days later", r)
	}
	if got := all[state.FetchHistory](tick(newStore(), 0)); len(got) > 0 {
		t.Error("the history is read for nothing")
	}
	if got := all[state.FetchHistory](tick(newStore(func(c *settings.Config) { c.FindFundings = true }), 0)); len(got) != 1 {
		t.Errorf("the history is read %d times", len(got))
	}
}

// TestEveryReadingOfTransactionsIsShown whatever they were read for: sums, cards and header are of all that was read.
func TestEveryReadingOfTransactionsIsShown(t *testing.T) {
	s := settled(t)
	_, effects, err := s.Dispatch(state.InspectCard{Card: first})
	if err != nil {
		t.Fatal(err)
	}
	ev := state.CardTransactionsLoaded{
		FetchCardTransactions: one[state.FetchCardTransactions](t, effects), Meta: meta(3 * time.Second),
		Items: []api.Transaction{txn(1, 2*time.Hour, api.TransactionSettlement, -7*dollar)},
	}
	topics, _ := s.Apply(ev)
	if sum, _ := s.Insight.Spent24h(); sum != 7*dollar || card(t, s, first).Spent24h != sum || topics&kernel.TopicSpend == 0 || topics&kernel.TopicCards == 0 {
		t.Errorf("%s in all, %s on the card, topics %b", sum, card(t, s, first).Spent24h, topics)
	}
}

// TestACardThatIsLowWithoutAForecast says why it has none, and that it cannot pay once more: of two
// charges a day no forecast is made.
func TestACardThatIsLowWithoutAForecast(t *testing.T) {
	s := settled(t)
	charge := func(n int, ago time.Duration, amount api.USD) api.Transaction {
		row := txn(n, ago, api.TransactionSettlement, -amount)
		row.CardID = first
		return row
	}
	low := []api.Transaction{charge(1, time.Hour, 120*dollar), charge(2, 8*time.Hour, 90*dollar), charge(3, 40*time.Hour, 90*dollar)}
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, low...)
	if r, ok := s.Insight.CardRunway(first); ok {
		t.Errorf("two charges a day are no forecast: %+v", r)
	}
	if free, charge, short := s.Insight.CardShort(first); !short || free != 100*dollar || charge != 105*dollar {
		t.Errorf("%s available, a charge takes %s, %v", free, charge, short)
	}
	if why := s.Insight.WhyNoRunway(nil, first); why != "2 charges in 24 h, 3 are needed" {
		t.Errorf("it says %q", why)
	}
	if why := s.Insight.WhyNoRunway(nil, second); why != "" {
		t.Errorf("a card that spends nothing has no forecast because of %q", why)
	}
	// Small charges that it can pay are no reason to call.
	feedPage(s, pollFeed(t, s, 8*time.Second), 8*time.Second, true, charge(4, 2*time.Hour, dollar))
	if free, charge, short := s.Insight.CardShort(first); short {
		t.Errorf("%s available, a charge takes %s", free, charge)
	}
}

// TestASingleChargeIsNoUse: a card that paid once in a week need not pay again.
func TestASingleChargeIsNoUse(t *testing.T) {
	s := settled(t)
	row := txn(1, time.Hour, api.TransactionSettlement, -900*dollar)
	row.CardID = first
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, row, txn(2, 50*time.Hour, api.TransactionSettlement, -dollar))
	if _, _, short := s.Insight.CardShort(first); short {
		t.Error("it has to pay again")
	}
}

// TestAForecastWaitsForTheFeed has all days of an earlier run on disk, which say nothing of today.
func TestAForecastWaitsForTheFeed(t *testing.T) {
	s := newStore()
	effects := tick(s, 0)
	var rows []api.Transaction
	for i := range 30 {
		rows = append(rows, txn(i, time.Duration(i)*time.Hour, api.TransactionSettlement, -10*dollar))
	}
	s.Insight.Ledger().Add(at(0), rows)
	s.Insight.Ledger().Cover(at(-40*time.Hour), at(-time.Minute))
	apply(s, wallets.Loaded{Fetch: one[wallets.Fetch](t, effects), Meta: meta(0), Wallet: api.Wallet{Balance: 1000 * dollar}})
	if r, ok := s.Insight.WalletRunway(); ok {
		t.Errorf("%s before the feed was read", r.Left)
	}
	feedPage(s, one[txns.Fetch](t, effects), 0, false, rows[:2]...)
	if _, ok := s.Insight.WalletRunway(); !ok {
		t.Error("no forecast of what was read")
	}
}

// TestCardsThatAreGoneHoldNothing removes the one card that a complete list leaves out.
func TestCardsThatAreGoneHoldNothing(t *testing.T) {
	s := settled(t)
	var rows []api.Transaction
	for i := range 230 {
		rows = append(rows, txn(i, time.Duration(i)*6*time.Minute+3*time.Minute, api.TransactionSettlement, -dollar))
	}
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, rows...)
	sweep := func(d time.Duration, items ...api.CardItem) {
		effects := tick(s, d)
		if d%(6*time.Minute) == 0 { // It is spent on.
			rows = append([]api.Transaction{txn(10_000+int(d/time.Minute), -d, api.TransactionSettlement, -dollar)}, rows...)
		}
		for _, f := range all[txns.Fetch](effects) {
			feedPage(s, f, d, false, rows...)
		}
		for _, f := range all[state.FetchCards](effects) {
			ev := state.CardsLoaded{FetchCards: f, Meta: meta(d), Total: len(items), TotalPages: 1}
			if !f.Hot {
				ev.Items = items
			}
			apply(s, ev)
		}
	}
	one := item(first, api.CardActive, 100*dollar)
	d := time.Minute
	for ; card(t, s, second).Balance != 300*dollar && d < time.Hour; d += time.Minute {
		sweep(d, one, item(second, api.CardActive, 300*dollar))
	}
	before, _ := s.Insight.CampaignRunway("fb")
	for ; s.Cards.Len() > 1; d += time.Minute {
		if sweep(d, one); d > 3*time.Hour {
			t.Fatal("the card is not removed")
		}
	}
	if after, ok := s.Insight.CampaignRunway("fb"); !ok || after.Left > before.Left/3 {
		t.Errorf("the campaign lasts %v, before %v", after, before)
	}
}
