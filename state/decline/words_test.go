package decline_test

import (
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/decline"
)

// TestTextsThatShareWordsWithACause and mean something else are quoted and called nothing more.
func TestTextsThatShareWordsWithACause(t *testing.T) {
	t.Parallel()
	for text, want := range map[api.Text]decline.Cause{
		"merchant_suspended": decline.Other, "insufficient_merchant_data": decline.Other, "Exceeds daily transaction limit": decline.Other,
		"CVV authentication failed": decline.Other, "AVS mismatch": decline.Other, "not terminated": decline.Other, "risk category: high": decline.Other,
		"3ds not required; insufficient funds": decline.Other, "suspended": decline.Other, "expired": decline.Other, "account closed": decline.Other,
		"daily spending limit exceeded": decline.Other, "card not expired": decline.Other, "insufficient wallet balance of the program": decline.Other,
		"authentication required": decline.Other, "category not allowed? ask your bank": decline.Other, "too many attempts": decline.Other,
		"Payment declined: insufficient funds": decline.Balance, "ERR_INSUFFICIENT_FUNDS": decline.Balance, "The card has expired.": decline.Expired,
		"Declined. The card is frozen": decline.Frozen, "Merchant category (MCC) not permitted": decline.Other, "MCC not permitted": decline.Category,
		"3-D Secure authentication failed": decline.Challenge, "card.terminated": decline.Other, "decline:card_terminated": decline.Terminated,
		"Declined by the issuer": decline.Unknown, "do_not_honor": decline.Unknown, "Transaction declined": decline.Unknown, "-": decline.Unknown,
	} {
		f := well()
		f.Reasons = []api.Text{text}
		if a := decline.Explain(nil, f); a.Cause != want {
			t.Errorf("%q is told as %q (%v)", text, a.Cause, a.Confidence)
		}
	}
}

// TestTheTextThatStatesACauseCounts among several of one detail.
func TestTheTextThatStatesACauseCounts(t *testing.T) {
	t.Parallel()
	f := well()
	f.Reasons = []api.Text{"14", "declined", "Card is frozen"}
	if a := decline.Explain(nil, f); a.Cause != decline.Frozen || a.Confidence != decline.Stated || a.Said != "Card is frozen" {
		t.Errorf("%+v", a)
	}
	f.Reasons = []api.Text{"merchant_suspended"}
	if a := decline.Explain(nil, f); a.Brief(nil) != `"merchant_suspended"` || a.Evidence != `the API says "merchant_suspended"` {
		t.Errorf("%q, %q", a.Brief(nil), a.Evidence)
	}
}

// TestAnExpiredCardIsCertain whatever else is not known.
func TestAnExpiredCardIsCertain(t *testing.T) {
	t.Parallel()
	f := &decline.Facts{At: noon(), Amount: api.Dollar, Expires: noon().AddDate(0, 0, -1), Before: api.CardActive, After: api.CardActive}
	if a := decline.Explain(nil, f); a.Cause != decline.Expired || a.Confidence != decline.Certain {
		t.Errorf("%+v", a)
	}
	f.Before, f.After = "", ""
	if a := decline.Explain(nil, f); a.Cause != decline.Expired || a.Confidence != decline.Likely {
		t.Errorf("the status is not known: %+v", a)
	}
}
