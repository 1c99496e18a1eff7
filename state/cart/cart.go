// Package cart says what stands in the way of paying a cart with a card.
package cart

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
)

// Facts are a cart and what is known of the card that is to pay it. Amounts are USD.
type Facts struct {
	// Amount is 0 while it is not known.
	Amount, Balance api.USD
	Frozen, Expired bool
	// Limit is the monthly limit and Month what settled of it; Limit is 0 where one of
	// them is not known.
	Limit, Month api.USD
	// Maximum is the most that one payment with a card of the BIN may be; 0 where that
	// is not known.
	Maximum api.USD
}

// Short returns what the balance lacks for the cart.
func (f *Facts) Short() api.USD { return max(0, f.Amount-f.Balance) }

// ToFund returns what to fund the card with: what it lacks, but not less than can be
// funded; 0 when it lacks nothing.
func (f *Facts) ToFund() api.USD {
	if f.Short() == 0 {
		return 0
	}
	return max(f.Short(), api.MinFunding)
}

// Problems returns why the payment would be declined, each in a few words.
func (f *Facts) Problems(w *lang.Words) []string {
	var out []string
	if f.Frozen {
		out = append(out, w.T("FROZEN: declines until unfrozen"))
	}
	if f.Expired {
		out = append(out, w.T("EXPIRED: declines for good"))
	}
	if short := f.Short(); short > 0 {
		out = append(out, w.Tf("%s short of %s", w.Dollars(short), w.Dollars(f.Amount)))
	}
	if left := max(0, f.Limit-f.Month); f.Limit > 0 && f.Amount > left {
		out = append(out, w.Tf("monthly limit: %s left of %s", w.Dollars(left), w.Dollars(f.Limit)))
	}
	if f.Maximum > 0 && f.Amount > f.Maximum {
		out = append(out, w.Tf("above the BIN maximum of %s", w.Dollars(f.Maximum)))
	}
	return out
}
