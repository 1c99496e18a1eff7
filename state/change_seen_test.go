package state_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
)

// TestAChangeIsOfWhatWasSeen: a form was opened, and others change what it is about before it is sent.
func TestAChangeIsOfWhatWasSeen(t *testing.T) {
	usd := func(n api.USD) *api.USD { return new(n * dollar) }
	relabel := "new"
	for name, c := range map[string]struct {
		was, is *api.USD
		change  api.UpdateCardRequest
		why     string
	}{
		"as it was":            {usd(1000), usd(1000), api.UpdateCardRequest{SpendingLimit: usd(1025)}, ""},
		"raised by others":     {usd(1000), usd(4000), api.UpdateCardRequest{SpendingLimit: usd(1025)}, "the monthly limit was changed meanwhile, to $4,000.00: look again"},
		"taken away by others": {usd(1000), nil, api.UpdateCardRequest{SpendingLimit: usd(1025)}, "the card has no monthly limit of its own any more: look again"},
		"not known before":     {nil, usd(4000), api.UpdateCardRequest{SpendingLimit: usd(1025)}, "the monthly limit is $4,000.00, which was not known: look again"},
		"another field":        {usd(1000), usd(4000), api.UpdateCardRequest{Label: &relabel}, ""},
	} {
		s := settled(t)
		read := func(d time.Duration, limit *api.USD) {
			apply(s, state.SummaryLoaded{FetchSummary: s.Info.Read("card_0001"), Meta: meta(d), Summary: api.CardSummary{
				ID: "card_0001", Status: api.CardActive, Balance: 100 * dollar, Label: "fb", SpendingLimit: limit,
			}})
		}
		read(2*time.Second, c.was)
		seen := s.Info.Settings("card_0001")
		in := state.Write{Kind: state.OpUpdate, Card: "card_0001", Change: &c.change, Seen: &seen}
		read(3*time.Second, c.is)
		if _, _, err := s.Dispatch(in); (err == nil) != (c.why == "") || err != nil && !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
