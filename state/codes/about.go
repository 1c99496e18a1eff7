package codes

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/decline"
)

// About returns the challenges of a card that may have led to a decline, and
// whether all about that time are known with what became of them.
func (co *Table) About(t *api.Transaction) (out []decline.Challenge3DS) {
	amount := func(u api.USD, known bool) *api.USD {
		if !known {
			return nil
		}
		return &u
	}
	rows := co.All()
	for i := range rows {
		if c := &rows[i]; c.Card == t.CardID && decline.Near(t.CreatedAt, c.CreatedAt, c.ExpiresAt) {
			out = append(out, decline.Challenge3DS{
				Merchant: c.Merchant, Amount: amount(c.Amount, c.AmountKnown), Status: c.Status, CreatedAt: c.CreatedAt, ExpiresAt: c.ExpiresAt,
			})
		}
	}
	ended := co.Ended()
	for i := range ended {
		e := &ended[i]
		// One that is still called pending may have been answered.
		if e.Card == t.CardID && decline.Near(t.CreatedAt, e.CreatedAt, e.EndedAt) && e.Status != api.ChallengePending {
			out = append(out, decline.Challenge3DS{
				Merchant: e.Merchant, Amount: amount(e.Amount, e.AmountKnown), Status: e.Status, CreatedAt: e.CreatedAt, ExpiresAt: e.EndedAt,
			})
		}
	}
	return out
}
