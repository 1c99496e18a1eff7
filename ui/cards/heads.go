package cards

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// chooseGrouping asks by what to put the cards together.
func (p *Pane) chooseGrouping() []kernel.Intent {
	in := pane.ChooseGroup{List: settings.CardList}
	for _, g := range groupings() {
		in.All = append(in.All, pane.GroupChoice{Name: g.name, About: p.theme.Words.T(g.about)})
	}
	return one(in)
}

// groupBy puts the cards together; a way that there is not is none.
func (p *Pane) groupBy(name string) {
	if p.index.group.name == name {
		return
	}
	all := groupings()
	p.index.group = all[max(0, slices.IndexFunc(all, func(g grouping) bool { return g.name == name }))]
	p.index.folded, p.head = nil, ""
	if p.index.store == nil {
		return
	}
	p.index.regroup()
	if name != "" { // New groups are shown from the top.
		p.cursor = ""
		p.table.Home()
	}
	p.relist()
}

// underHead returns the group whose head the cursor is on.
func (p *Pane) underHead() (*group, bool) {
	line, ok := p.table.Cursor()
	if !ok {
		return nil, false
	}
	return p.index.head(line)
}

// Folds says what enter does on the head of a group; empty elsewhere.
func (p *Pane) Folds() string {
	g, ok := p.underHead()
	switch {
	case !ok:
		return ""
	case p.index.folded[g.name]:
		return p.theme.Words.T("unfold")
	}
	return p.theme.Words.T("fold")
}

// chooseGroup selects the cards of a group, or forgets them when all are
// selected, and says so: those of a folded group are not seen to be.
func (p *Pane) chooseGroup(g *group) []kernel.Intent {
	all := p.store.Cards.All()
	whole := true
	for _, row := range p.index.members(g) {
		whole = whole && p.selected.ids[all.ID(int(row))]
	}
	for _, row := range p.index.members(g) {
		if id := all.ID(int(row)); p.selected.ids[id] == whole {
			p.selected.toggle(id)
		}
	}
	w := p.theme.Words
	said := w.Tf("selected %s in group %s", p.countCards(g), p.nameOf(g))
	if whole {
		said = w.Tf("deselected %s in group %s", p.countCards(g), p.nameOf(g))
	}
	return one(kernel.Say{Level: kernel.Info, Text: said})
}

// onHead does what a key asks for with the cards of a group. What is for good
// takes a selection first.
func (p *Pane) onHead(a keymap.Action, g *group) []kernel.Intent {
	switch {
	case a == keymap.Terminate:
		return p.groupHint(g)
	case a == keymap.AlertLines && p.index.group.name == campaignColumn && g.name != "":
		return one(pane.EditAlerts{Campaign: g.name})
	}
	members := p.index.members(g)
	ids := make([]api.CardID, 0, len(members))
	for _, row := range members {
		ids = append(ids, p.store.Cards.All().ID(int(row)))
	}
	if in, ok := p.onChosen(a, ids); ok {
		return in
	}
	return p.groupHint(g)
}

// chosenOf counts the selected cards of a group.
func (p *Pane) chosenOf(g *group) int {
	if len(p.selected.ids) == 0 {
		return 0
	}
	n := 0
	for _, row := range p.index.members(g) {
		if p.selected.ids[p.store.Cards.All().ID(int(row))] {
			n++
		}
	}
	return n
}

// groupHint says what to do where a key acts on a card.
func (p *Pane) groupHint(g *group) []kernel.Intent {
	w := p.theme.Words
	hint := w.Tf("Group %s: space selects %s, enter folds", p.nameOf(g), p.countCards(g))
	if p.index.folded[g.name] {
		hint = w.Tf("Group %s: space selects %s, enter unfolds", p.nameOf(g), p.countCards(g))
	}
	return one(kernel.Say{Level: kernel.Warn, Text: hint})
}

func (p *Pane) countCards(g *group) string {
	return p.theme.Words.Tn(g.cards, "%d card", "%d cards")
}

// nameOf is a group's name as it may be seen.
func (p *Pane) nameOf(g *group) string {
	switch {
	case g.name == "":
		return p.theme.Words.T("(none)")
	case p.index.group.name == "status":
		return pane.StatusWord(p.theme.Words, api.CardStatus(g.name))
	}
	return p.store.Privacy.Display().Text(g.name)
}

// headRow draws the head of a group, with what its cards have in all under the
// columns of it.
func (p *Pane) headRow(g *group, w *widget.RowWriter) {
	t, d := p.theme, p.store.Privacy.Display()
	sign := "-"
	if p.index.folded[g.name] {
		sign = "+"
	}
	text := fmt.Sprintf("%s  %d", p.nameOf(g), g.cards)
	switch n := p.chosenOf(g); {
	case n == g.cards:
		w.Mark()
	case n > 0:
		text += t.Words.Tf(" · %d selected", n)
	}
	if p.shown("status") < 0 {
		text = sign + " " + text
	}
	named := p.shown(labelColumn)
	for i, c := range p.columns {
		switch {
		case i == max(named, 0):
			w.Cell(t.Strong, text)
		case c.Name == "status":
			w.Cell(t.Accent, sign)
		case c.Name == balanceColumn:
			w.Cell(t.Strong, d.Amount(g.balance))
		case c.Name == "spent":
			w.Cell(t.Strong, p.spent(g.spent))
		case c.figure != nil:
			w.Cell(t.Strong, cmp.Or(c.write(p, &g.figure), "–"))
		case c.Name == p.index.by.Name && c.number != nil && !c.sums:
			p.firstCell(g, &c, w)
		default:
			w.Skip()
		}
	}
}

// firstCell writes what a group is sorted by, where that is not the sum of its cards but
// of the first of them.
func (p *Pane) firstCell(g *group, c *column, w *widget.RowWriter) {
	card := p.store.Cards.All().At(int(g.first))
	if c.aged != nil {
		w.Cell(p.theme.Strong, c.aged(p, &card))
		return
	}
	c.cell(p, &card, w)
}
