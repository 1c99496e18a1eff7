package hub

import (
	"testing"

	"github.com/cardtop/cardtop/api"
)

func TestARequestInOneLine(t *testing.T) {
	t.Parallel()
	usd := func(u api.USD) *api.USD { return &u }
	a := api.HubApproval{By: "ann", Operation: "fund", Label: "fb/a", Amount: 1250 * api.Dollar}
	if got, want := summary(a), "fund $1,250.00, fb/a, for ann"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	a.CardBefore, a.CardAfter, a.WalletBefore = usd(50*api.Dollar), usd(1300*api.Dollar), usd(9*api.Dollar)
	if got, want := summary(a), "fund $1,250.00, fb/a, for ann, card $50.00 -> $1,300.00"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestWhatWasReadOfAnOperationInOneLine(t *testing.T) {
	t.Parallel()
	usd := func(u api.USD) *api.USD { return &u }
	o := api.HubOperation{By: "ann", Operation: "fund", Label: "fb/a", Amount: 5 * api.Dollar, State: "unsettled"}
	if got, want := evidence(o), "fund $5.00, fb/a, by ann: unsettled"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	o.Balance, o.Before, o.After, o.Suggests = usd(55*api.Dollar), usd(50*api.Dollar), usd(55*api.Dollar), "done"
	want := "fund $5.00, fb/a, by ann: unsettled; the card holds $55.00, $50.00 before it and $55.00 after it; it seems to be done"
	if got := evidence(o); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
