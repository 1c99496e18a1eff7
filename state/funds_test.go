package state_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	sums "github.com/cardtop/cardtop/state/ledger"
)

// TestOneAnswerToWhatACardCanPay has 100 USD on a card of which 60 are held: a decline, a cart, a code and how long the
// balance lasts all count the same. What is held ends with the card.
func TestOneAnswerToWhatACardCanPay(t *testing.T) {
	s := settled(t)
	for _, f := range all[codes.Fetch](tick(s, 3*time.Second)) {
		apply(s, codes.Loaded{Fetch: f, Meta: meta(3 * time.Second), Items: []api.Challenge{{
			ID: "3ds_1", CardID: first, Merchant: "Acme", Amount: new(50 * dollar), OTP: api.NewOTP("123456"), Status: api.ChallengePending,
			CreatedAt: at(0), ExpiresAt: at(5 * time.Minute),
		}}})
	}
	hold := txn(1, time.Hour, api.TransactionAuthorization, 60*dollar)
	refused := txn(2, time.Minute, api.TransactionDecline, 50*dollar)
	hold.CardID, refused.CardID, refused.BalanceAfter, refused.Merchant.Name = first, first, new(100*dollar), "Other"
	feedPage(s, pollFeed(t, s, 5*time.Second), 5*time.Second, false, refused, hold)
	const words = "balance $100.00, of which ~$60.00 held"
	funds, cart := s.Insight.Funds(first), s.Codes.Cart(first, 50*dollar)
	if funds.Free() != 40*dollar || funds.Words(nil) != words {
		t.Errorf("the card can pay %s: %s", funds.Free(), funds.Words(nil))
	}
	if got := strings.Join(cart.Problems(nil), "; "); got != "$10.00 short of $50.00, "+words || cart.ToFund() != 10*dollar {
		t.Errorf("the cart: %s, fund %s", got, cart.ToFund())
	}
	if got := s.Codes.Shortfall("3ds_1"); got != 10*dollar {
		t.Errorf("the code lacks %s", got)
	}
	if a, _ := s.Insight.Decline(refused.ID); a.Shortfall != 10*dollar || !strings.Contains(a.Evidence, words) {
		t.Errorf("the decline lacks %s: %s", a.Shortfall, a.Evidence)
	}
	hot := one[state.FetchCards](t, tick(s, 31*time.Second))
	apply(s, state.CardsLoaded{FetchCards: hot, Meta: meta(31 * time.Second), Items: []api.CardItem{item(first, api.CardTerminated, 0), item(second, api.CardFrozen, 50*dollar)}})
	for _, scope := range []sums.Scope{sums.Account(), sums.OfCard(first), {By: sums.ByCampaign, Name: "fb"}} {
		if open := s.Insight.Ledger().Open(scope); open.USD != 0 {
			t.Errorf("%v holds %s when its card is terminated", scope, open.USD)
		}
	}
}
