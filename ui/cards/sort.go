package cards

import (
	"slices"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/views"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// applyView applies how the user wants to see the list.
func (p *Pane) applyView(v settings.View) {
	if v.Group == label2 {
		v.Group = campaignColumn
	}
	p.view = v
	p.redraw()
	if p.tabs.Set(v.Tabs, p.display()) {
		p.index.watchAll(p.language.ParseAll(p.tabs.Filters()))
		p.fit()
	}
	p.groupBy(v.Group)
	p.setColumns()
	if v.Sort == "" || !p.order(v.Sort, v.Desc) {
		p.order(labelColumn, v.Desc)
	}
}

// narrow is the width in cells below which balances take no more of a list
// than they need: what they leave is the labels'.
const narrow = 60

// setColumns shows the columns that were chosen, or those that have room.
func (p *Pane) setColumns() {
	all, cells := p.choices(), p.table.ColumnCells()
	if cells < narrow {
		for i := range all {
			if all[i].Name == balanceColumn {
				all[i].Min = p.balanceCells()
			}
		}
	}
	shown, table := pane.Arrange(all, p.view.Columns, cells)
	p.columns = shown
	if figured := slices.ContainsFunc(shown, func(c column) bool { return c.figure != nil }); figured != p.index.figured {
		p.index.figured = figured
		if p.index.store != nil {
			p.index.regroup() // The heads have figures, too.
		}
	}
	p.table.SetColumns(table)
	p.table.SetSort(p.shown(p.index.by.Name), p.index.desc)
}

// balanceCells is what the title and the widest balance take, also of a card
// that the filter hides: the columns stand still while somebody types.
func (p *Pane) balanceCells() int {
	least, most := api.USD(0), api.USD(0)
	see := func(u api.USD) { least, most = min(least, u), max(most, u) }
	if p.store != nil {
		for i := range p.store.Cards.All().Len() {
			see(p.store.Cards.All().Balance(i))
		}
	}
	for _, g := range p.index.groups {
		see(g.balance)
	}
	d := p.display()
	return max(widget.Width(p.theme.Words.Title(balanceColumn))+1, widget.Width(d.Amount(least)), widget.Width(d.Amount(most)))
}

// order sorts by a column, which need not be shown; false when there is none
// of that name.
func (p *Pane) order(name string, desc bool) bool {
	all := p.choices()
	at := slices.IndexFunc(all, func(c column) bool { return c.Name == name })
	if at < 0 {
		return false
	}
	p.index.sortBy(all[at], desc)
	p.table.SetSort(p.shown(name), desc)
	if p.store != nil {
		p.relist()
	}
	return true
}

// sortNext asks to sort by the column after the current one.
func (p *Pane) sortNext() []kernel.Intent {
	next := p.columns[(p.shown(p.index.by.Name)+1)%len(p.columns)]
	return p.sortBy(next.Name, next.desc)
}

// sortOn asks to sort by a column, the other way round when it already is.
func (p *Pane) sortOn(c column) []kernel.Intent {
	if c.Name == p.index.by.Name {
		return p.sortBy(c.Name, !p.index.desc)
	}
	return p.sortBy(c.Name, c.desc)
}

func (p *Pane) sortBy(name string, desc bool) []kernel.Intent {
	v := p.view
	v.Sort, v.Desc = name, desc
	return one(views.Set{List: settings.CardList, View: v})
}

// shown returns the place of a column in the table; -1 when it is not there.
func (p *Pane) shown(name string) int {
	return slices.IndexFunc(p.columns, func(c column) bool { return c.Name == name })
}
