package rule

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/burn"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/ledger"
)

// Spending is what was spent, added up.
type Spending interface {
	Ledger() *ledger.Ledger
	// Burn is how fast it is spent, CardRunway how long the balance of a card lasts.
	Burn(scope ledger.Scope) (burn.Burn, bool)
	CardRunway(id api.CardID) (burn.Runway, bool)
	// Campaign is the campaign of a card with a label; empty for none.
	Campaign(id api.CardID, label api.Text) string
}

// FiguresOf returns the figures of what was spent. They hold until it changes.
func FiguresOf(s Spending) Figures { return figures{s, s.Ledger().Coverage(ledger.Last30d)} }

// figures reads of the sums what rules ask for.
type figures struct {
	sums    Spending
	covered ledger.Coverage
}

func (f figures) Left(c *cardlist.Card) Figure {
	r, ok := f.sums.CardRunway(c.ID)
	least, most := r.Bounds()
	return Figure{Least: least, Most: most, Known: ok}
}

func (f figures) Burn(c *cardlist.Card) Figure {
	b, ok := f.sums.Burn(ledger.OfCard(c.ID))
	least, most := b.Bounds()
	return Figure{Least: least, Most: most, Known: ok}
}

func (f figures) Declines(c *cardlist.Card) Figure {
	l := f.sums.Ledger()
	if !l.Coverage(ledger.Last7d).Complete {
		return Figure{}
	}
	sum := l.Total(ledger.OfCard(c.ID), ledger.Last7d)
	return PercentOf(int64(sum.Declined), int64(sum.Attempts()))
}

// Idle is how long an active card with a balance was not used.
func (f figures) Idle(c *cardlist.Card) Figure {
	if c.Status != api.CardActive || c.Balance <= 0 {
		return Figure{}
	}
	return Unused(c.LastUsed, c.CreatedAt, f.covered.Since, f.covered.Until)
}

func (f figures) Campaign(c *cardlist.Card) string { return f.sums.Campaign(c.ID, c.Label) }
