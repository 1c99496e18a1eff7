package cart_test

import (
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/cart"
	"github.com/cardtop/cardtop/state/txlink"
)

func TestWhatStandsInTheWayOfACart(t *testing.T) {
	t.Parallel()
	const d = api.Dollar
	for name, c := range map[string]struct {
		f      cart.Facts
		toFund api.USD
		want   string
	}{
		"covered":           {cart.Facts{Amount: 250 * d, Funds: cart.Funds{Balance: 250 * d}, Limit: 1000 * d, Month: 750 * d, Maximum: 250 * d}, 0, ""},
		"no amount":         {cart.Facts{Limit: 100 * d, Month: 200 * d}, 0, ""},
		"short":             {cart.Facts{Amount: 250 * d, Funds: cart.Funds{Balance: 23760 * api.Cent}}, 1240 * api.Cent, "$12.40 short of $250.00"},
		"short by little":   {cart.Facts{Amount: 250 * d, Funds: cart.Funds{Balance: 250*d - api.Cent}}, api.MinFunding, "$0.01 short of $250.00"},
		"held":              {cart.Facts{Amount: 5 * d, Funds: cart.Funds{Balance: 20 * d, Held: txlink.Held{USD: 16 * d}}}, api.MinFunding, "$1.00 short of $5.00, balance $20.00, of which ~$16.00 held"},
		"held, maybe more":  {cart.Facts{Amount: 50 * d, Funds: cart.Funds{Balance: 20 * d, Held: txlink.Held{USD: 30 * d, Partial: true}}}, 50 * d, "$50.00 short of $50.00, balance $20.00, of which ~$30.00 held"},
		"frozen":            {cart.Facts{Frozen: true}, 0, "FROZEN: declines until unfrozen"},
		"the limit":         {cart.Facts{Amount: 251 * d, Funds: cart.Funds{Balance: 500 * d}, Limit: 1000 * d, Month: 750 * d}, 0, "monthly limit: $250.00 left of $1,000.00"},
		"the limit is used": {cart.Facts{Amount: d, Funds: cart.Funds{Balance: 500 * d}, Limit: 1000 * d, Month: 1500 * d}, 0, "monthly limit: $0.00 left of $1,000.00"},
		"the BIN":           {cart.Facts{Amount: 251 * d, Funds: cart.Funds{Balance: 500 * d}, Maximum: 250 * d}, 0, "above the BIN maximum of $250.00"},
		"all": {
			cart.Facts{Amount: 300 * d, Funds: cart.Funds{Balance: 100 * d}, Frozen: true, Limit: 1000 * d, Month: 900 * d, Maximum: 200 * d},
			200 * d,
			"FROZEN: declines until unfrozen; $200.00 short of $300.00; monthly limit: $100.00 left of $1,000.00; above the BIN maximum of $200.00",
		},
	} {
		if got := strings.Join(c.f.Problems(nil), "; "); got != c.want || c.f.ToFund() != c.toFund {
			t.Errorf("%s: %q, to fund %s", name, got, c.f.ToFund())
		}
	}
}
