package state

import (
	"fmt"

	"github.com/cardtop/cardtop/api"
)

// guardedSum tells why the guardrails refuse what the rows of a plan take
// together: the caps of the hour and the day, not those of a single operation,
// which each row meets by itself.
func (bu *BulkTable) guardedSum(p *Plan) string {
	g := bu.cfg.Guard
	if !g.Sums() {
		return ""
	}
	moved := bu.ops.moved()
	for _, c := range g.caps() {
		var sum api.USD
		for i := range p.Rows {
			if r := &p.Rows[i]; (r.Runs() || r.Later && p.whole()) && c.holds(bu.cards.labelOf(r.Intent)) {
				sum += r.Amount
			}
		}
		if sum == 0 {
			continue
		}
		if why := c.refuseSum(sum, moved, bu.now); why != "" {
			return why
		}
	}
	return ""
}

// rowsOf gives the rows that an intent begins, and their sum, USD; many is
// false for an intent that begins none.
func (bu *BulkTable) rowsOf(in Intent) (rows []Intent, sum api.USD, many bool) {
	var p *Plan
	waits := func(int) bool { return true }
	switch in := in.(type) {
	case RunPlan:
		p = in.Plan
	case ResumeBatch:
		if b, ok := bu.Get(in.ID); ok {
			p = b.Plan
			waits = func(i int) bool { return b.Rows[i].State == RowWaiting }
		}
	default:
	}
	if p == nil {
		return nil, 0, false
	}
	for i := range p.Rows {
		if r := &p.Rows[i]; r.Runs() && waits(i) {
			rows = append(rows, r.Intent)
			sum += r.Amount
		}
	}
	return rows, sum, true
}

// againMany tells why rows are confirmed a second time, and whether their sum
// is typed a second time.
func (ca *CardsTable) againMany(rows []Intent, sum api.USD) (why string, typeTwice bool) {
	n := 0
	for _, in := range rows {
		if ca.confirmsLabel(ca.labelOf(in)) {
			n++
		}
	}
	if n > 0 {
		why = fmt.Sprintf("the guardrails confirm the labels of %s twice", plural(n, "card", "cards"))
	}
	g := ca.cfg.Guard
	if g.Live && sum >= g.TypeTwice && len(rows) > 0 {
		if _, moves := AmountOf(rows[0]); moves {
			typeTwice = true
			why = sentence(why, "LIVE: amounts from $"+g.TypeTwice.Grouped()+" on are typed twice")
		}
	}
	return why, typeTwice
}

// confirmsLabel tells whether cards of a label are confirmed twice.
func (c *core) confirmsLabel(label string) bool {
	for _, pattern := range c.cfg.Guard.ConfirmLabels {
		if matchLabel(pattern, label) {
			return true
		}
	}
	return false
}
