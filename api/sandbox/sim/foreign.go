package sim

import "github.com/cardtop/cardtop/api/sandbox/unit"

// Foreign is an amount in another currency than USD, in hundredths of its unit. The zero
// Foreign is none.
type Foreign struct {
	Code   string
	Amount unit.Cents
}

// rate is the fixed price of one unit of a currency.
type rate struct {
	code  string
	price int64 // ten-thousandths of a USD
	whole bool  // it has no decimals
}

func rates() []rate {
	return []rate{{"EUR", 10_800, false}, {"GBP", 12_700, false}, {"JPY", 67, true}, {"MXN", 550, false}}
}

func rateOf(code string) rate {
	for _, r := range rates() {
		if r.code == code {
			return r
		}
	}
	return rate{}
}

// ForeignCodes returns the currencies that a merchant may charge in, but for USD.
func ForeignCodes() []string {
	var codes []string
	for _, r := range rates() {
		codes = append(codes, r.code)
	}
	return codes
}

// Exact reports whether the currency has the decimals of the amount.
func (f Foreign) Exact() bool { return !rateOf(f.Code).whole || f.Amount%100 == 0 }

// Fixed returns the amount with its currency, for messages.
func (f Foreign) Fixed() string { return f.Amount.Fixed() + " " + f.Code }

// USD returns what a positive amount costs, rounded to cents: at least one, and at most
// what is an amount.
func (f Foreign) USD() unit.Cents {
	const scale = 10_000
	price := unit.Cents(rateOf(f.Code).price)
	cost := f.Amount/scale*price + (f.Amount%scale*price+scale/2)/scale
	if f.Amount > 0 {
		cost = max(1, cost)
	}
	return min(cost, unit.MostCents)
}

// Negative returns the amount with the other sign.
func (f Foreign) Negative() Foreign { return Foreign{f.Code, -f.Amount} }
