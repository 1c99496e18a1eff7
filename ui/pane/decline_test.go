package pane_test

import (
	"testing"

	"github.com/cardtop/cardtop/api"
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
