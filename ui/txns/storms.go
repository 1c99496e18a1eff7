package txns

import (
	"slices"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/decline"
)

// sameStorm reports whether two declines are of one storm.
func (p *Pane) sameStorm(a, b api.TransactionID) bool {
	storm := p.store.Insight.Storm(a)
	return storm != nil && storm == p.store.Insight.Storm(b)
}

// fold lists a storm of retries as one row, where its first row in the list is, unless
// it was opened. What the filter leaves of it counts.
func (p *Pane) fold(matched []int) []int {
	p.folded = nil
	counts := make(map[*decline.Storm]int)
	for _, i := range matched {
		if storm := p.stormAt(i); storm != nil {
			counts[storm]++
		}
	}
	if len(counts) == 0 {
		return matched
	}
	p.folded = make(map[api.TransactionID]int)
	seen := make(map[*decline.Storm]bool)
	order := make([]int, 0, len(matched))
	for _, i := range matched {
		if storm := p.stormAt(i); storm != nil && counts[storm] >= decline.StormCount {
			if seen[storm] {
				continue
			}
			seen[storm] = true
			p.folded[p.at(i).ID] = counts[storm]
		}
		order = append(order, i)
	}
	return order
}

// stormAt is the storm of a row that is not opened; nil for none.
func (p *Pane) stormAt(i int) *decline.Storm {
	t := p.at(i)
	if t.Type != api.TransactionDecline {
		return nil
	}
	storm := p.store.Insight.Storm(t.ID)
	if storm == nil || slices.ContainsFunc(storm.Tries, func(try decline.Try) bool { return p.opened[try.ID] }) {
		return nil
	}
	return storm
}

// Folds says what enter does to the row of the cursor; empty where it opens the transaction.
func (p *Pane) Folds() string {
	if p.folded[p.picked().ID] > 0 {
		return p.theme.Words.T("unfold")
	}
	return ""
}

// openStorm opens the storm of the row of the cursor, and reports whether there is one.
func (p *Pane) openStorm(id api.TransactionID) bool {
	if p.folded[id] == 0 {
		return false
	}
	if p.opened == nil {
		p.opened = make(map[api.TransactionID]bool)
	}
	for _, t := range p.store.Insight.Storm(id).Tries {
		p.opened[t.ID] = true
	}
	p.cursor = id
	p.rebuild()
	return true
}

// closeStorms closes those that were opened, and reports whether there were any.
func (p *Pane) closeStorms() bool {
	if len(p.opened) == 0 {
		return false
	}
	p.opened = nil
	p.rebuild()
	return true
}
