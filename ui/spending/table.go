package spending

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/burn"
	"github.com/cardtop/cardtop/state/ledger"
)

// leastRows is how many rows are put in order at first: of 100,000 cards a screen
// is looked at. The cursor asks for more.
const leastRows = 256

// table is what is known of the rows beside those in order.
type table struct {
	held holdings
	// left is what rows last that were asked for, burns what all of them spend an hour;
	// nil before it was needed.
	left  map[uint32]left
	burns map[uint32]burn.Burn
	// most is how many of the matching rows are put in order, of how many rows there
	// are.
	most, matching, of int
	all                []ledger.Row // as last filtered, kept for its memory
}

// rows are those that match the filter, in order, as many as are needed.
func (p *Pane) rows() []ledger.Row {
	t, l := &p.table, p.Store.Spend.Ledger()
	t.most = max(t.most, leastRows)
	words := p.Filter.Words()
	if words.All() {
		rows, of, _ := l.Top(p.by, p.over, t.most, p.compare)
		t.matching, t.of = of, of
		return p.refined(rows)
	}
	t.all, _ = l.Table(p.by, p.over, t.all[:0])
	t.of = len(t.all)
	rows := t.all[:0]
	for i := range t.all {
		if words.Match(strings.ToLower(p.fullName(&t.all[i]))) {
			rows = append(rows, t.all[i])
		}
	}
	slices.SortFunc(rows, func(a, b ledger.Row) int { return p.compare(&a, &b) })
	t.matching = len(rows)
	return p.refined(rows)
}

// refined are rows in an order that costs too much for all of them.
func (p *Pane) refined(rows []ledger.Row) []ledger.Row {
	if p.sort.column == columnLeft {
		p.byLeft(rows)
	}
	return rows
}

// reach puts more rows in order when the cursor comes near the last of them.
func (p *Pane) reach() {
	at, _ := p.Table.Cursor()
	n := len(p.Rows())
	if n == p.table.matching || at < n/2 {
		return
	}
	if p.table.most *= 2; at == n-1 {
		p.table.most = p.table.matching // The user asked for the end.
	}
	end := at == n-1
	p.Relist()
	if end {
		p.Table.End()
		p.Bind()
	}
}

// compare orders two rows. What is not known comes last either way.
func (p *Pane) compare(a, b *ledger.Row) int {
	c := 0
	if p.sort.column == columnName {
		c = strings.Compare(p.sortName(a), p.sortName(b))
	} else {
		x, xok := p.value(a)
		y, yok := p.value(b)
		if xok != yok {
			if xok {
				return -1
			}
			return 1
		}
		c = cmp.Compare(x, y)
	}
	if p.sort.desc {
		c = -c
	}
	return cmp.Or(c, cmp.Compare(a.Place, b.Place))
}

// sortName is what rows are sorted by.
func (p *Pane) sortName(r *ledger.Row) string {
	if p.by == ledger.ByCard {
		if i, ok := p.table.held.row(p.Store, r.Place); ok {
			return strings.ToLower(string(p.Store.Cards.All().Row(i).Label))
		}
	}
	name, _ := p.Store.Spend.Ledger().Name(p.by, r.Place)
	return strings.ToLower(name)
}

// value is the figure that a row is sorted by.
func (p *Pane) value(r *ledger.Row) (float64, bool) {
	switch p.sort.column {
	case columnChange:
		return p.change(r.Now.Spent(), r.Before.Spent)
	case columnAttempts:
		return float64(r.Now.Attempts()), true
	case columnDeclined:
		return rate(r.Now.Declined, r.Now.Attempts())
	case columnCards:
		return float64(p.sumOf(r).cards), true
	case columnHeld:
		return float64(p.held(r)), true
	case columnLeft:
		left, known := p.estimate(r)
		return float64(left), known
	default:
		return float64(r.Now.Spent()), true
	}
}

// change is how much more was spent than before, in percent; false where the time
// before was not read, or nothing was spent in it.
func (p *Pane) change(now, before state.USD) (percent float64, known bool) {
	if !p.compared() || before <= 0 {
		return 0, false
	}
	return 100 * float64(now-before) / float64(before), true
}

// compared reports whether all of the range and of the time before was read.
func (p *Pane) compared() bool {
	return p.sum.Compared && p.sum.BeforeRead.Complete && p.sum.Coverage.Complete
}

// rate is a part of attempts in percent; false of none.
func rate(declined int32, attempts int) (percent float64, known bool) {
	if attempts == 0 {
		return 0, false
	}
	return 100 * float64(declined) / float64(attempts), true
}

// share is the part of everything that a row spent; 0 where nothing was.
func (p *Pane) share(r *ledger.Row) float64 {
	if total := p.sum.Spent(); total > 0 {
		return max(0, float64(r.Now.Spent())/float64(total))
	}
	return 0
}
