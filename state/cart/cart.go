// Package cart says what stands in the way of paying a cart with a card.
package cart

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/txlink"
)

// Funds are what a card can pay with. A hold stays on the balance until it settles
// (ASSUMED 16): what is held is there and cannot be spent.
type Funds struct {
	Balance api.USD
	Held    txlink.Held
}

// Free returns what the card can pay, USD.
func (f *Funds) Free() api.USD { return max(0, f.Balance-f.Held.USD) }

// Short returns what the card lacks for an amount, USD.
func (f *Funds) Short(amount api.USD) api.USD { return max(0, amount-f.Free()) }

// Words says what is on the card, and what of it is held.
func (f *Funds) Words(w *lang.Words) string {
	if f.Held.USD == 0 {
		return w.Tf("balance %s", w.Dollars(f.Balance))
	}
	return w.Tf("balance %s, of which %s held", w.Dollars(f.Balance), f.Held.Mark()+w.Dollars(f.Held.USD))
}

// Facts are a cart and what is known of the card that is to pay it. Amounts are USD.
type Facts struct {
	// Amount is 0 while it is not known.
	Amount api.USD
	Funds
	Frozen, Expired bool
	// Limit is the monthly limit and Month what settled of it; Limit is 0 where one of
	// them is not known.
	Limit, Month api.USD
	// Maximum is the most that one payment with a card of the BIN may be; 0 where that
	// is not known.
	Maximum api.USD
}

// ToFund returns what to fund the card with: what it lacks, but not less than can be
// funded; 0 when it lacks nothing.
func (f *Facts) ToFund() api.USD {
	short := f.Short(f.Amount)
	if short == 0 {
		return 0
	}
	return max(short, api.MinFunding)
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
	if short := f.Short(f.Amount); short > 0 {
		text := w.Tf("%s short of %s", w.Dollars(short), w.Dollars(f.Amount))
		if f.Held.USD > 0 {
			text += ", " + f.Words(w)
		}
		out = append(out, text)
	}
	if left := max(0, f.Limit-f.Month); f.Limit > 0 && f.Amount > left {
		out = append(out, w.Tf("monthly limit: %s left of %s", w.Dollars(left), w.Dollars(f.Limit)))
	}
	if f.Maximum > 0 && f.Amount > f.Maximum {
		out = append(out, w.Tf("above the BIN maximum of %s", w.Dollars(f.Maximum)))
	}
	return out
}
