package cards

import (
	"slices"

	"github.com/cardtop/cardtop/ui/widget"
)

// shape is what the table needs to know of columns.
func shape(columns []column) []widget.Column {
	out := make([]widget.Column, 0, len(columns))
	for _, c := range columns {
		out = append(out, c.Column)
	}
	return out
}

// sortNext sorts by the column after the one in force.
func (p *Pane) sortNext() {
	next := p.columns[(p.shown(p.index.by.name)+1)%len(p.columns)]
	p.sortBy(next.name, next.desc)
}

// sortOn sorts by a column, the other way round when it already is.
func (p *Pane) sortOn(c column) {
	desc := c.desc
	if c.name == p.index.by.name {
		desc = !p.index.desc
	}
	p.sortBy(c.name, desc)
}

// sortBy sorts by a column, which need not be shown.
func (p *Pane) sortBy(name string, desc bool) {
	all := columns()
	at := slices.IndexFunc(all, func(c column) bool { return c.name == name })
	if at < 0 {
		return
	}
	p.index.sortBy(all[at], desc)
	p.table.SetSort(p.shown(name), desc)
	if p.store != nil {
		p.listed()
	}
}

// shown gives the place of a column in the table; -1 when it is not there.
func (p *Pane) shown(name string) int {
	return slices.IndexFunc(p.columns, func(c column) bool { return c.name == name })
}
