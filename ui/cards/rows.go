package cards

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/state"
)

// sorting is the column the list is sorted by.
type sorting struct {
	column int
	desc   bool
}

// The columns, as the table has them.
const (
	colStatus = iota
	colLabel
	colCard
	colBalance
	colSpent
	colLast
	colCount
)

// firstDesc tells which columns are first sorted with the largest on top:
// those asked "where does the money go".
func firstDesc(column int) bool { return column >= colBalance }

// next goes through the columns a person sorts by.
func (s sorting) next() sorting {
	ring := [...]int{colLabel, colBalance, colSpent, colLast, colStatus}
	i := slices.Index(ring[:], s.current())
	return sorting{}.by(ring[(i+1)%len(ring)])
}

// by sorts by a column, the other way round when it already is.
func (s sorting) by(column int) sorting {
	if s.current() == column && s != (sorting{}) {
		return sorting{column: column, desc: !s.desc}
	}
	return sorting{column: column, desc: firstDesc(column)}
}

// current is the column in force; the list starts by label.
func (s sorting) current() int {
	if s == (sorting{}) {
		return colLabel
	}
	return s.column
}

// rebuild filters and sorts the rows and keeps the cursor on its card.
func (p *Pane) rebuild() {
	p.dirty = true
	if p.store == nil {
		return
	}
	p.forget()
	all := p.store.Cards()
	words := p.filter.Words()
	p.order = p.order[:0]
	for i := range all {
		if matches(&all[i], words) {
			p.order = append(p.order, i)
		}
	}
	slices.SortFunc(p.order, func(a, b int) int { return p.sort.compare(&all[a], &all[b]) })
	p.table.SetRows(len(p.order))
	p.table.SetSort(p.sort.current(), p.sort.desc)
	at := slices.IndexFunc(p.order, func(i int) bool { return all[i].ID == p.cursor })
	if at >= 0 {
		p.table.SetCursor(at)
		return
	}
	p.follow()
}

// matches tells whether a card holds every word of the filter.
func matches(c *state.Card, words []string) bool {
	for _, w := range words {
		if !strings.Contains(strings.ToLower(string(c.Label)), w) && !strings.Contains(string(c.Last4), w) &&
			!strings.Contains(string(c.Status), w) && !strings.Contains(strings.ToLower(string(c.Network)), w) {
			return false
		}
	}
	return true
}

func (s sorting) compare(a, b *state.Card) int {
	c := 0
	switch s.current() {
	case colStatus:
		c = cmp.Compare(a.Status, b.Status)
	case colCard:
		c = cmp.Compare(a.Last4, b.Last4)
	case colBalance:
		c = cmp.Compare(a.Balance, b.Balance)
	case colSpent:
		c = cmp.Compare(a.Spent24h, b.Spent24h)
	case colLast:
		c = a.LastUsed.Compare(b.LastUsed)
	}
	if s.desc {
		c = -c
	}
	// Equal cards keep one order, whatever the store's.
	return cmp.Or(c, labelOrder(s, a, b), cmp.Compare(a.ID, b.ID))
}

func labelOrder(s sorting, a, b *state.Card) int {
	c := cmp.Compare(strings.ToLower(string(a.Label)), strings.ToLower(string(b.Label)))
	if s.desc && s.current() == colLabel {
		return -c
	}
	return c
}
