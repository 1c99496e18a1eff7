package state

import (
	"fmt"

	"github.com/cardtop/cardtop/api"
)

// What is asked for of more cards than the guardrail allows at once is done in
// parts: a plan runs the first of its rows, and the rest is planned and
// confirmed when they are over.

// atOnce is how many rows of a kind run in one part; 0 is all. Freezing is
// never held up: it only makes cards safer.
func (bu *BulkTable) atOnce(k BulkKind) int {
	if k == BulkFreeze {
		return 0
	}
	return bu.cfg.Guard.MaxBulk
}

// tooMany tells that a plan would run more rows than the guardrail allows by
// now.
func (bu *BulkTable) tooMany(p *Plan) string {
	rows, most := p.Totals().Cards, bu.atOnce(p.Kind)
	if most > 0 && rows > most {
		return fmt.Sprintf("guardrail: %d cards at once, and guardrails.max_bulk allows %d", rows, most)
	}
	return ""
}

// part leaves the rows beyond the guardrail for later parts.
func (bu *BulkTable) part(p *Plan) {
	most, n := bu.atOnce(p.Kind), 0
	for i := range p.Rows {
		r := &p.Rows[i]
		if r.Later = false; !r.able() {
			continue
		}
		n++
		r.Later = most > 0 && n > most
	}
	if most > 0 && (n > most || p.Part > 0) {
		p.Part = max(1, p.Part)
		p.Parts = p.Part + (max(n, 1)-1)/most
	}
}

// whole tells whether leaving rows away would make it another plan: they are
// the parts of a sum, or new cards.
func (p *Plan) whole() bool { return p.Kind == BulkIssue || p.Share == ShareSplit }

// needs is what the wallet has to hold for a plan to begin, USD.
func (p *Plan) needs() api.USD {
	t := p.Totals()
	switch {
	case !p.takes():
		return 0
	case p.whole():
		return t.Sum + t.LaterSum
	}
	return t.Sum
}

// Later counts the rows of a batch that are left for later parts.
func (b *Batch) Later() int {
	n := 0
	for _, r := range b.Rows {
		if r.later() {
			n++
		}
	}
	return n
}

// NextPart is how many cards the next part of a batch runs.
func (bu *BulkTable) NextPart(b *Batch) int {
	later := b.Later()
	if most := bu.atOnce(b.Plan.Kind); most > 0 {
		return min(later, most)
	}
	return later
}

// PlanNext makes the plan of the next part of a batch, by what is known now.
func (s *Store) PlanNext(id PlanID) *Plan {
	b, ok := s.Bulk.Get(id)
	if !ok {
		return goneBatch()
	}
	return s.planOf(b, RowResult.later, "nothing is left for later")
}
