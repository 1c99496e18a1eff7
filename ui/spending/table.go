package spending

import (
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/ledger"
)

// leastRows is how many rows are put in order at first: of 100,000 cards a screen
// is looked at. The cursor asks for more.
const leastRows = 256

// table is what is known of the rows beside those in order.
type table struct {
	held   holdings
	listed listed
	names  names
	// left is how long rows last that were asked for, lasting how long all of them do; nil before it
	// was needed.
	left    map[uint32]left
	lasting *lasting
	// most is how many of the matching rows are put in order, of how many rows there
	// are.
	most, matching, of int
}

// rows are those that match the filter, in order, as many as are needed.
func (p *Pane) rows() []ledger.Row {
	t := &p.table
	t.most = max(t.most, leastRows)
	o := ledger.Order{Key: p.key(), Desc: p.sort.desc, Most: t.most}
	if words := p.Filter.Words(); !words.All() {
		o.Match = func(r *ledger.Row) bool { return words.Match(strings.ToLower(p.fullName(r))) }
	}
	var rows []ledger.Row
	rows, t.matching, t.of = p.Store.Insight.Ledger().Top(p.by, p.over, o)
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

// key returns the figure that rows are sorted by.
func (p *Pane) key() func(*ledger.Row) (key float64, known bool) {
	switch p.sort.column {
	case columnName:
		p.readNames()
		return func(r *ledger.Row) (float64, bool) { return float64(p.table.names.ranks[r.Place]), true }
	case columnChange:
		return func(r *ledger.Row) (float64, bool) { return p.change(r.Now.Spent(), r.Before.Spent) }
	case columnAttempts:
		return func(r *ledger.Row) (float64, bool) { return float64(r.Now.Attempts()), true }
	case columnDeclined:
		return func(r *ledger.Row) (float64, bool) { return rate(r.Now.Declined, r.Now.Attempts()) }
	case columnCards:
		return func(r *ledger.Row) (float64, bool) { return float64(p.sumOf(r).cards), true }
	case columnHeld:
		return func(r *ledger.Row) (float64, bool) { return float64(p.sumOf(r).balance), true }
	case columnLeft:
		p.readLasting()
		return p.lasted
	default:
		return func(r *ledger.Row) (float64, bool) { return float64(r.Now.Spent()), true }
	}
}

// readNames puts the names in order that are new.
func (p *Pane) readNames() {
	n := &p.table.names
	n.read(p.Store.Insight.Ledger().Places(p.by), p.sortName)
	n.rank()
}

// sortName is what a row is sorted by, in lower case.
func (p *Pane) sortName(place uint32) string {
	if p.by == ledger.ByCard {
		if i := p.table.listed.card(place).row; i >= 0 {
			return strings.ToLower(string(p.Store.Cards.All().Label(int(i))))
		}
	}
	name, _ := p.Store.Insight.Ledger().Name(p.by, place)
	return strings.ToLower(name)
}

// change is how much more was spent than before, in percent; false where the time
// before was not read, or nothing was spent in it.
func (p *Pane) change(now, before api.USD) (percent float64, known bool) {
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
