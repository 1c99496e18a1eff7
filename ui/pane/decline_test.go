package pane_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/pane/panetest"
)

// TestATerminatedCardIsHelpedByAnotherOne whatever it was declined for; others are funded.
func TestATerminatedCardIsHelpedByAnotherOne(t *testing.T) {
	for status, want := range map[api.CardStatus]decline.Fix{api.CardActive: decline.Fund, api.CardFrozen: decline.Fund, api.CardTerminated: decline.IssueCard} {
		a := panetest.New(t)
		a.Cards = []api.CardItem{{ID: "card_1", Label: "fb", Status: status, Last4: "0001"}}
		a.Wait(0)
		if got := pane.StillHelps(a.Store, "card_1", time.Time{}, decline.Answer{Fix: decline.Fund}).Fix; got != want {
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
		got := pane.StillHelps(a.Store, "card_1", time.Time{}, then)
		if key, in := pane.Fix(a.Store, "card_1", got); got.Fix != want || (in == nil) != (want == decline.TryAgain) {
			t.Errorf("%s: %v, %q", balance, got.Fix, key)
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
			got := pane.StillHelps(a.Store, "card_1", time.Time{}, then)
			key, _ := pane.Fix(a.Store, "card_1", got)
			if text := got.Advice(nil); text != want[i] || status == api.CardFrozen && key != keymap.Freeze {
				t.Errorf("%s: %q with %q, want %q", status, text, key, want[i])
			}
		}
	}
}

// TestACardThatWasChangedSinceIsTriedAgain: its limit is not raised once more for the same payment.
func TestACardThatWasChangedSinceIsTriedAgain(t *testing.T) {
	a := panetest.New(t)
	a.Cards = []api.CardItem{{ID: "card_1", Label: "fb", Status: api.CardActive, Last4: "0001"}}
	a.Past = []state.Record{{At: panetest.At(0), Action: state.OpUpdate.Verb(), Card: "card_1", Outcome: state.OpStatusDone}}
	a.Wait(time.Second)
	a.Do(state.LoadHistory{})
	then := decline.Answer{Cause: decline.MonthlyLimit, Fix: decline.RaiseLimit}
	for declined, want := range map[time.Duration]string{-time.Minute: "try again: the card was changed since", time.Minute: "raise the monthly limit"} {
		if got := pane.StillHelps(a.Store, "card_1", panetest.At(declined), then).Advice(nil); got != want {
			t.Errorf("declined at %v: %q", declined, got)
		}
	}
}
