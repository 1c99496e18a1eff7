package pane_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/pane/panetest"
)

// TestATerminatedCardIsHelpedByAnotherOne whatever it was declined for; others are funded.
func TestATerminatedCardIsHelpedByAnotherOne(t *testing.T) {
	for status, want := range map[api.CardStatus]decline.Fix{api.CardActive: decline.Fund, api.CardFrozen: decline.Fund, api.CardTerminated: decline.IssueCard} {
		a := panetest.New(t)
		a.Cards = []api.CardItem{{ID: "card_1", Label: "fb", Status: status, Last4: "0001"}}
		a.Wait(0)
		if got := pane.StillHelps(a.Store, "card_1", decline.Answer{Fix: decline.Fund}).Fix; got != want {
			t.Errorf("%s: %v, want %v", status, got, want)
		}
	}
}

// TestACardThatWasFundedSinceIsTriedAgain and not funded once more for the same payment.
func TestACardThatWasFundedSinceIsTriedAgain(t *testing.T) {
	for balance, want := range map[api.USD]decline.Fix{30 * api.Dollar: decline.Fund, 40 * api.Dollar: decline.TryAgain} {
		a := panetest.New(t)
		a.Cards = []api.CardItem{{ID: "card_1", Label: "fb", Status: api.CardActive, Last4: "0001", Balance: balance}}
		a.Wait(0)
		then := decline.Answer{Cause: decline.Balance, Fix: decline.Fund, Shortfall: 20 * api.Dollar, Needs: 40 * api.Dollar}
		got := pane.StillHelps(a.Store, "card_1", then)
		if key, in := pane.Fix(a.Store, "card_1", got); got.Fix != want || (in == nil) != (want == decline.TryAgain) {
			t.Errorf("%s: %v, %q", balance, got.Fix, key)
		}
	}
}

// TestACardIsFundedByWhatItLacksNow, which is less or more than it was.
func TestACardIsFundedByWhatItLacksNow(t *testing.T) {
	for balance, want := range map[api.USD]string{30 * api.Dollar: "fund $10.00", 5 * api.Dollar: "fund $35.00"} {
		a := panetest.New(t)
		a.Cards = []api.CardItem{{ID: "card_1", Label: "fb", Status: api.CardActive, Last4: "0001", Balance: balance}}
		a.Wait(0)
		then := decline.Answer{Cause: decline.Balance, Fix: decline.Fund, Shortfall: 20 * api.Dollar, Needs: 40 * api.Dollar}
		got := pane.StillHelps(a.Store, "card_1", then)
		_, in := pane.Fix(a.Store, "card_1", got)
		if fund, _ := in.(state.Write); fund.Kind != state.OpFund || got.Advice(nil) != want || "fund $"+fund.Amount.String() != want {
			t.Errorf("%s: %q, %v", balance, got.Advice(nil), in)
		}
	}
}

// TestAnExpiredCardIsHelpedByAnotherOne whatever it was declined for.
func TestAnExpiredCardIsHelpedByAnotherOne(t *testing.T) {
	a := panetest.New(t)
	a.Cards = []api.CardItem{{ID: "card_1", Label: "fb", Status: api.CardActive, Last4: "0001", ExpiresAt: time.Unix(1e9, 0)}}
	a.Wait(0)
	for _, fix := range []decline.Fix{decline.Fund, decline.Unfreeze, decline.RaiseLimit, decline.TryAgain, decline.AskTheMerchant} {
		if got := pane.StillHelps(a.Store, "card_1", decline.Answer{Fix: fix, Needs: 1}).Fix; got != decline.IssueCard {
			t.Errorf("%v: %v", fix, got)
		}
	}
}

// TestAFrozenCardIsUnfrozenFirst: nothing else helps before. One that is active now is tried again.
func TestAFrozenCardIsUnfrozenFirst(t *testing.T) {
	for status, want := range map[api.CardStatus][2]string{
		api.CardFrozen: {"unfreeze the card, then fund $20.00", "unfreeze the card"},
		api.CardActive: {"fund $20.00", "try again: the card is not frozen now"},
	} {
		a := panetest.New(t)
		a.Cards = []api.CardItem{{ID: "card_1", Label: "fb", Status: status, Last4: "0001"}}
		a.Wait(0)
		low := decline.Answer{Cause: decline.Balance, Fix: decline.Fund, Shortfall: 20 * api.Dollar, Needs: 20 * api.Dollar}
		frozen := decline.Answer{Cause: decline.Frozen, Fix: decline.Unfreeze}
		for i, then := range []decline.Answer{low, frozen} {
			got := pane.StillHelps(a.Store, "card_1", then)
			key, _ := pane.Fix(a.Store, "card_1", got)
			if text := got.Advice(nil); text != want[i] || status == api.CardFrozen && key != keymap.Freeze {
				t.Errorf("%s: %q with %q, want %q", status, text, key, want[i])
			}
		}
	}
}

// TestWhatIsMendedByNowIsNotMendedAgain: a limit is raised as long as it is below what the payment takes.
func TestWhatIsMendedByNowIsNotMendedAgain(t *testing.T) {
	for limit, want := range map[api.USD]string{500 * api.Dollar: "raise the monthly limit to $520.00", 520 * api.Dollar: "the limit allows it now: try again, or ask the issuer"} {
		a := limited(t, limit)
		then := decline.Answer{Cause: decline.MonthlyLimit, Fix: decline.RaiseLimit, Shortfall: 20 * api.Dollar, Needs: 520 * api.Dollar}
		if got := pane.StillHelps(a.Store, "card_1", then).Advice(nil); got != want {
			t.Errorf("a limit of %s: %q", limit, got)
		}
	}
	// An expired card that is frozen is not unfrozen for another one.
	a := panetest.New(t)
	a.Cards = []api.CardItem{{ID: "card_1", Label: "fb", Status: api.CardFrozen, Last4: "0001"}}
	a.Wait(0)
	for fix, want := range map[decline.Fix]string{decline.IssueCard: "issue another card", decline.AskTheMerchant: "ask the merchant or the issuer"} {
		got := pane.StillHelps(a.Store, "card_1", decline.Answer{Fix: fix})
		if key, in := pane.Fix(a.Store, "card_1", got); got.Advice(nil) != want || in != nil {
			t.Errorf("%q with %q, want %q", got.Advice(nil), key, want)
		}
	}
}

// limited is an account of one card of a BIN that allows $3,000 a month, with a monthly limit, USD, that was read; 0 for
// none. It has spent $480 this month.
func limited(t *testing.T, limit api.USD) *panetest.Account {
	t.Helper()
	a := panetest.New(t, func(c *settings.Config) { c.Alerts = alert.Rules{Limit: []int{90}} })
	a.Cards = []api.CardItem{{ID: "card_1", Label: "fb", BIN: "bin_1", Status: api.CardActive, Last4: "0001"}}
	a.BINs = []api.BIN{{ID: "bin_1", MaxMonthly: new(3000 * api.Dollar)}}
	if limit > 0 {
		a.Limits = map[api.CardID]*api.USD{"card_1": &limit}
	}
	a.Txns = []api.Transaction{{ID: "txn_1", CardID: "card_1", Type: api.TransactionSettlement, Amount: -480 * api.Dollar, CreatedAt: panetest.At(-time.Hour)}}
	a.Wait(0)
	a.Do(bins.Load{})
	a.Do(state.InspectCard{Card: "card_1"})
	a.Wait(time.Minute)
	return a
}

// TestALimitIsRaisedByWhatIsUsedNow: later spending counts, and neither the limit of the BIN nor that of a month that is
// over is raised.
func TestALimitIsRaisedByWhatIsUsedNow(t *testing.T) {
	for name, c := range map[string]struct {
		limit, asked api.USD
		ago          time.Duration
		want         string
	}{
		"more was spent since":            {500 * api.Dollar, 40 * api.Dollar, time.Minute, "raise the monthly limit to $520.00"},
		"a part of a cent":                {500 * api.Dollar, 40*api.Dollar + 1, time.Minute, "raise the monthly limit to $520.01"},
		"it fits by now":                  {500 * api.Dollar, 20 * api.Dollar, time.Minute, "the limit allows it now: try again, or ask the issuer"},
		"no limit of its own":             {0, 40 * api.Dollar, time.Minute, "the limit allows it now: try again, or ask the issuer"},
		"more than the BIN allows":        {500 * api.Dollar, 2900 * api.Dollar, time.Minute, "issue another card"},
		"no amount, and the BIN's limit":  {3000 * api.Dollar, 0, time.Minute, "ask the merchant or the issuer"},
		"of a month that is over":         {500 * api.Dollar, 40 * api.Dollar, 40 * 24 * time.Hour, "try again: a new month has begun"},
		"no amount, and a limit below it": {500 * api.Dollar, 0, time.Minute, "raise the monthly limit"},
	} {
		a := limited(t, c.limit)
		then := decline.Answer{Cause: decline.MonthlyLimit, Fix: decline.RaiseLimit, At: a.Store.ServerNow().Add(-c.ago), Asked: c.asked}
		got := pane.StillHelps(a.Store, "card_1", then)
		if text := got.Advice(nil); text != c.want {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
	}
}

// TestWhatIsKnownOfALimitBoundsTheAdvice: a figure is advised where it is one, and a key where that can help.
func TestWhatIsKnownOfALimitBoundsTheAdvice(t *testing.T) {
	then := func(a *panetest.Account, c decline.Confidence, ago time.Duration) decline.Answer {
		return decline.Answer{Cause: decline.MonthlyLimit, Confidence: c, Fix: decline.RaiseLimit, At: a.Store.ServerNow().Add(-ago), Asked: 40 * api.Dollar, Merchant: "Acme"}
	}
	row := func(kind api.TransactionType, currency api.Text, amount api.USD) api.Transaction {
		return api.Transaction{ID: "txn_2", CardID: "card_1", Type: kind, Currency: currency, Amount: amount, Merchant: api.Merchant{Name: "Acme"}, CreatedAt: panetest.At(90 * time.Second)}
	}
	for name, c := range map[string]struct {
		limit  api.USD
		stated bool
		ago    time.Duration // of the decline, in which the limit was read a minute ago
		before func(*panetest.Account)
		want   string
		key    bool
		figure bool // with which the form opens
	}{
		"some was in another currency": {limit: 500, ago: time.Second, before: func(a *panetest.Account) {
			foreign := row(api.TransactionSettlement, "EUR", 0)
			foreign.Foreign = -30 * api.Units(api.Dollar)
			a.Txns = append(a.Txns, foreign)
		}, want: "raise the monthly limit above $520.00", key: true},
		"the API said so after the limit was read": {limit: 900, stated: true, ago: -time.Second, want: "raise the monthly limit", key: true},
		"the API said so before":                   {limit: 900, stated: true, ago: time.Hour, want: "the limit allows it now: try again, or ask the issuer"},
		"none of its own, and of no known BIN": {ago: time.Second, before: func(a *panetest.Account) {
			a.Cards[0].BIN = "bin_2"
		}, want: "ask the merchant or the issuer"},
		"a later try went through": {limit: 500, ago: 2 * time.Minute, before: func(a *panetest.Account) {
			a.Txns = append(a.Txns, row(api.TransactionAuthorization, "", 40*api.Dollar))
		}, want: "nothing: a later try went through"},
		"a raise was refused": {limit: 500, ago: 2 * time.Minute, before: func(a *panetest.Account) {
			a.Begin(state.Update("card_1", api.UpdateCardRequest{SpendingLimit: new(510 * api.Dollar)}))
			a.Apply(state.OpFailed{Meta: a.Meta(), Op: a.Store.Ops.List()[0].ID, Err: &api.Error{Status: 422, ID: "invalid"}})
		}, want: "ask the merchant or the issuer"},
		"another, lower limit was refused": {limit: 500, ago: 2 * time.Minute, before: func(a *panetest.Account) {
			a.Begin(state.Update("card_1", api.UpdateCardRequest{SpendingLimit: new(100 * api.Dollar)}))
			a.Apply(state.OpFailed{Meta: a.Meta(), Op: a.Store.Ops.List()[0].ID, Err: &api.Error{Status: 422, ID: "invalid"}})
		}, want: "raise the monthly limit to $520.00", key: true, figure: true},
		"the card could not be read before": {limit: 500, ago: 2 * time.Minute, before: func(a *panetest.Account) {
			a.Begin(state.Update("card_1", api.UpdateCardRequest{SpendingLimit: new(510 * api.Dollar)}))
			a.Apply(state.OpFailed{Meta: a.Meta(), Op: a.Store.Ops.List()[0].ID, Err: &errtext.UnreadError{Err: &api.Error{Status: 500}}, NotSent: true})
		}, want: "raise the monthly limit to $520.00", key: true, figure: true},
	} {
		a := limited(t, c.limit*api.Dollar)
		if c.before != nil {
			c.before(a)
			a.Wait(time.Minute)
		}
		confidence := decline.Likely
		if c.stated {
			confidence = decline.Stated
		}
		got := pane.StillHelps(a.Store, "card_1", then(a, confidence, c.ago))
		_, in := pane.Fix(a.Store, "card_1", got)
		if text := got.Advice(nil); text != c.want || (in != nil) != c.key {
			t.Errorf("%s: %q with %v, want %q", name, text, in, c.want)
		}
		if change, _ := in.(state.Write); change.Kind == state.OpUpdate && (change.Change != nil) != c.figure {
			t.Errorf("%s: the form opens with %v", name, change.Change)
		}
	}
}

// TestAKeyThatWouldBeRefusedIsNotAdvised: the settings of a card are not changed while a change is under way.
func TestAKeyThatWouldBeRefusedIsNotAdvised(t *testing.T) {
	a := limited(t, 500*api.Dollar)
	raise := decline.Answer{Cause: decline.MonthlyLimit, Fix: decline.RaiseLimit, Needs: 520 * api.Dollar}
	if _, in := pane.Fix(a.Store, "card_1", raise); in == nil {
		t.Fatal("no key")
	}
	a.Begin(state.Update("card_1", api.UpdateCardRequest{SpendingLimit: new(600 * api.Dollar)}))
	if key, in := pane.Fix(a.Store, "card_1", raise); in != nil {
		t.Errorf("%q: %+v", key, in)
	}
}

// TestTheKeyAsksForWhatIsAdvised: the form opens with the limit that the payment takes, in whole cents.
func TestTheKeyAsksForWhatIsAdvised(t *testing.T) {
	a := limited(t, 500*api.Dollar)
	raise := pane.StillHelps(a.Store, "card_1", decline.Answer{Cause: decline.MonthlyLimit, Fix: decline.RaiseLimit, Needs: 520*api.Dollar + 1})
	_, in := pane.Fix(a.Store, "card_1", raise)
	if change, _ := in.(state.Write); change.Kind != state.OpUpdate || change.Change == nil || change.Change.SpendingLimit == nil || *change.Change.SpendingLimit != 520*api.Dollar+api.Cent {
		t.Errorf("%+v", in)
	}
}
