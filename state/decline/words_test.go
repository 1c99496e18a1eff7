package decline_test

import (
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/decline"
)

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

// TestNoTextIsTakenForAWrongCause: forty of them by somebody who had not seen the table of words. What
// is not sure is quoted.
func TestNoTextIsTakenForAWrongCause(t *testing.T) {
	t.Parallel()
	named := 0
	for text, want := range map[api.Text]decline.Cause{
		"Transaction refused: card was suspended by its user, resume the card and try again": decline.Frozen,
		"Merchant balance is insufficient to process this operation":                         decline.Other,
		"cardPastGoodThruDate":                   decline.Expired,
		"spending_controls.monthly.exceeded":     decline.MonthlyLimit,
		"spendControls.merchantCategory.blocked": decline.Category,
		"EXPIRED_CARD_54":                        decline.Expired,
		"DAILY_LIMIT_EXCEEDED":                   decline.Other,
		"CALENDAR_MONTH_SPEND_CAP_HIT":           decline.MonthlyLimit,
		"This card has been destroyed and can not be use any more, balance was returned to wallet": decline.Terminated,
		"Validity period of the card has ended, please open new card":                              decline.Expired,
		"limitExceeded":           decline.Other,
		"NSF_51":                  decline.Balance,
		"merchant_account_closed": decline.Other,
		"Merchant type 7995 (betting) is forbid for this card product":                 decline.Category,
		"3DS was passed successfully, but issuing bank declined without giving reason": decline.Other,
		"PER_AUTH_CAP_EXCEEDED":   decline.BINMaximum,
		"3ds_challenge_timed_out": decline.Challenge,
		"Too many authorizations in short time, maximum 5 per hour for one card": decline.Other,
		"Do not honor (05)":         decline.Other,
		"payerAuthenticationFailed": decline.Challenge,
		"One payment can not be more than 500.00 USD on this card, please split the order": decline.BINMaximum,
		"Issuer can not be reached, session expired, please retry later":                   decline.Other,
		"cardCancelled":    decline.Terminated,
		"AVS_ZIP_MISMATCH": decline.Other,
		"This merchant is in our block list, other merchants of same category are allowed": decline.Other,
		"MCC_NOT_ON_ALLOWLIST":             decline.Category,
		"account.available_amount.too_low": decline.Balance,
		"Remaining of card is not enough for this pay, please do top up with USDT first": decline.Balance,
		"duplicateTransaction":        decline.Other,
		"txnAmountExceedsSingleLimit": decline.BINMaximum,
		"The expiry date entered by customer is different from the one of the card": decline.Other,
		"amount.below_minimum": decline.Other,
		"Holder did not finish the OTP verification on 3-D Secure page, order is closed": decline.Challenge,
		"CARD_PAUSED": decline.Frozen,
		"Card is not frozen and has enough balance, rejected by risk system for suspicion of fraud": decline.Other,
		"cardholder_lock_on": decline.Frozen,
		"Card is active and monthly limit is OK, but funds on it do not cover the amount with fee": decline.Balance,
		"incorrect_cvc":                       decline.Other,
		"card.status.permanently_deactivated": decline.Terminated,
		"You have used up all quota of this month for the card, it will be recover on 1st day": decline.MonthlyLimit,
	} {
		f := well()
		f.Reasons = []api.Text{text}
		a := decline.Explain(nil, f)
		switch a.Cause {
		case want:
			named++
		case decline.Other, decline.Unknown:
		default:
			t.Errorf("%q is told as %q", text, a.Cause)
		}
	}
	if named < 20 { // Fourteen of them mean no cause that there is.
		t.Errorf("%d are named", named)
	}
}
