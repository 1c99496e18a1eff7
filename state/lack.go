package state

import "github.com/cardtop/cardtop/api"

// Lack is what a card lacks for a charge that a code waits for.
type Lack struct {
	Merchant api.Text
	// Charge is what the code authorizes, Amount what the card lacks for it,
	// but not less than can be funded. USD.
	Charge, Amount api.USD
}

// Lack finds what a card lacks for the newest code that waits on it. With an
// amount, it is the code that lacks just this much.
func (co *CodesTable) Lack(id api.CardID, amount api.USD) (Lack, bool) {
	for _, c := range co.codes.rows {
		if c.Card != id || c.Replaced {
			continue
		}
		if short := co.Short(c.ID); short > 0 && (amount == 0 || amount == short) {
			return Lack{Merchant: c.Merchant, Charge: c.Amount, Amount: short}, true
		}
	}
	return Lack{}, false
}

// Short is what the card of a code that waits lacks for its charge, in USD:
// at least the least that can be funded, 0 when it lacks nothing or was
// replaced.
func (co *CodesTable) Short(id api.ChallengeID) api.USD {
	c, ok := co.codes.find(id)
	if !ok || !c.AmountKnown || c.Replaced || c.Left(co.ServerNow()) == 0 {
		return 0
	}
	card, ok := co.cards.Get(c.Card)
	if !ok || card.Status == api.CardTerminated || card.Balance >= c.Amount {
		return 0
	}
	return max(c.Amount-card.Balance, api.MinFunding)
}
