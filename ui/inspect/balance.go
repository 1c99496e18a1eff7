package inspect

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/display"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/ui/widget"
)

// balances are what was on a card at the end of each day. Those of before the first
// known one are marked as partial.
type balances struct {
	values    []widget.BarValue
	low, high api.USD
	known     bool
}

// balancesOf reads what was on a card at the end of each of some days: what the entry
// of its timeline says that was the last by then.
func balancesOf(s *state.Store, card api.CardID, timeline []state.TimelineEntry, days []ledger.Bucket) balances {
	out := balances{values: make([]widget.BarValue, len(days))}
	c, ok := s.Cards.Get(card)
	at := 0 // in the timeline, which is newest first
	for i := len(days) - 1; i >= 0; i-- {
		balance, known := c.Balance, ok
		if i < len(days)-1 {
			balance, known = 0, false
			end := days[i+1].Start
			for ; at < len(timeline) && !known; at++ {
				if b := balanceAfter(&timeline[at]); b != nil && timeline[at].At.Before(end) {
					balance, known = *b, true
					break
				}
			}
		}
		out.values[i] = widget.BarValue{Value: float64(balance), Partial: !known}
		switch {
		case !known:
			continue
		case !out.known:
			out.low, out.high, out.known = balance, balance, true
		}
		out.low, out.high = min(out.low, balance), max(out.high, balance)
	}
	return out
}

// balanceAfter is what was on the card after an entry of its timeline; nil where it
// does not say.
func balanceAfter(e *state.TimelineEntry) *api.USD {
	switch {
	case e.Transaction != nil:
		return e.Transaction.BalanceAfter
	case e.Record != nil:
		return e.Record.CardAfter
	}
	return nil
}

// text is the lowest and the highest of them; empty where none is known.
func (b *balances) text(w *lang.Words, d display.Display) string {
	switch {
	case !b.known:
		return ""
	case b.low == b.high:
		return d.Dollars(b.low)
	}
	return w.Tf("%s to %s", d.Dollars(b.low), d.Dollars(b.high))
}
