package cards

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/widget"
)

// grouping puts cards together by something they have in common.
type grouping struct {
	// name is what the kept view calls it, words what the screen does.
	name, words string
	of          func(*entry, *state.Card) string
}

// groupings are the ways to put cards together; the first is none.
func groupings() []grouping {
	return []grouping{
		{},
		{"label", "by 1st label part", func(e *entry, _ *state.Card) string { return part(e.name, 1) }},
		{"label2", "by 2 label parts", func(e *entry, _ *state.Card) string { return part(e.name, 2) }},
		{"bin", "by BIN", func(_ *entry, c *state.Card) string { return string(c.BIN) }},
		{"status", "by status", func(_ *entry, c *state.Card) string { return string(c.Status) }},
	}
}

// part is a label up to its n-th slash, or to the last before that.
func part(label string, n int) string {
	end := 0
	for ; n > 0; n-- {
		next := strings.IndexByte(label[min(end+1, len(label)):], '/')
		if next < 0 {
			break
		}
		end += 1 + next
	}
	return label[:end]
}

// group is cards put together, and what they have in all.
type group struct {
	name           string
	cards          int
	balance, spent state.USD
	at             int // its first card among those of all groups, in order
}

// regroup makes the lines of the list: the cards that match, under the heads
// of their groups, of which those that are folded hide theirs.
func (x *index) regroup() {
	if x.group.of == nil {
		x.lines, x.groups = x.order, nil
		return
	}
	all := x.store.Cards()
	places := make(map[string]int)
	of := make([]int, len(x.order))
	x.groups = x.groups[:0]
	for i, row := range x.order {
		c := all.At(int(row))
		name := x.group.of(&x.entries[row], &c)
		at, ok := places[name]
		if !ok {
			at = len(x.groups)
			places[name] = at
			x.groups = append(x.groups, group{name: name})
		}
		of[i] = at
		g := &x.groups[at]
		g.cards++
		g.balance += c.Balance
		g.spent += c.Spent24h
	}
	byName := make([]int, len(x.groups))
	for i := range byName {
		byName[i] = i
	}
	slices.SortFunc(byName, func(a, b int) int { return strings.Compare(x.groups[a].name, x.groups[b].name) })
	x.lay(of, byName)
}

// lay puts the cards under the heads, in their order. A head's line is the
// complement of its group's place.
func (x *index) lay(of, byName []int) {
	at := 0
	for _, i := range byName {
		x.groups[i].at = at
		at += x.groups[i].cards
	}
	inOrder := make([]int32, len(x.order))
	next := make([]int, len(x.groups))
	for i, row := range x.order {
		g := of[i]
		inOrder[x.groups[g].at+next[g]] = row
		next[g]++
	}
	lines := make([]int32, 0, len(x.order)+len(x.groups))
	for _, i := range byName {
		lines = append(lines, ^int32(i))
		if g := &x.groups[i]; !x.folded[g.name] {
			lines = append(lines, inOrder[g.at:g.at+g.cards]...)
		}
	}
	x.lines, x.inGroups = lines, inOrder
}

// members are the places of a group's cards.
func (x *index) members(g *group) []int32 { return x.inGroups[g.at : g.at+g.cards] }

// head gives the group whose head a line is.
func (x *index) head(line int) (*group, bool) {
	if line < 0 || line >= len(x.lines) || x.lines[line] >= 0 {
		return nil, false
	}
	return &x.groups[^x.lines[line]], true
}

// line finds a card's line: that of its group's head when it is folded.
func (x *index) line(id state.CardID) (int, bool) {
	if x.group.of == nil {
		return x.find(id)
	}
	row, ok := x.row(id)
	if !ok || !x.matches[row] {
		return 0, false
	}
	if at := slices.Index(x.lines, row); at >= 0 {
		return at, true
	}
	c := x.store.Cards().At(int(row))
	return x.lineOf(x.group.of(&x.entries[row], &c))
}

// lineOf finds the head of a group.
func (x *index) lineOf(name string) (int, bool) {
	at := slices.IndexFunc(x.lines, func(line int32) bool { return line < 0 && x.groups[^line].name == name })
	return at, at >= 0
}

// fold hides the cards of a group, or shows them again.
func (x *index) fold(name string) {
	if x.folded == nil {
		x.folded = make(map[string]bool)
	}
	x.folded[name] = !x.folded[name]
	x.regroup()
}

// foldAll hides the cards of all groups, or shows them when all are hidden.
func (x *index) foldAll() {
	open := slices.ContainsFunc(x.groups, func(g group) bool { return !x.folded[g.name] })
	x.folded = make(map[string]bool)
	for i := range x.groups {
		x.folded[x.groups[i].name] = open
	}
	x.regroup()
}

// groupNext asks to put the cards together in the next way.
func (p *Pane) groupNext() []state.Intent {
	all := groupings()
	at := slices.IndexFunc(all, func(g grouping) bool { return g.name == p.index.group.name })
	v := p.view
	v.Group = all[(at+1)%len(all)].name
	return one(state.SetView{List: state.CardList, View: v})
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
	if name != "" { // Who asks for groups looks at them from the top.
		p.cursor = ""
		p.table.Home()
	}
	p.listed()
}

// underHead gives the group whose head the cursor is on.
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
		return "unfold"
	}
	return "fold"
}

// chooseGroup selects the cards of a group, or lets go of them when all are
// selected, and says so: those of a folded group are not seen.
func (p *Pane) chooseGroup(g *group) []state.Intent {
	all := p.store.Cards()
	whole := true
	for _, row := range p.index.members(g) {
		whole = whole && p.chosen.ids[all.ID(int(row))]
	}
	for _, row := range p.index.members(g) {
		if id := all.ID(int(row)); p.chosen.ids[id] == whole {
			p.chosen.toggle(id)
		}
	}
	said := "selected"
	if whole {
		said = "let go of"
	}
	return one(state.Say{Level: state.Info, Text: fmt.Sprintf("%s %s of the group %s", said, countCards(g.cards), p.called(g))})
}

// onHead does what a key asks for with the cards of a group. What is for good
// takes a selection first.
func (p *Pane) onHead(a keymap.Action, g *group) []state.Intent {
	if a == keymap.Terminate {
		return p.aboutHead(g)
	}
	members := p.index.members(g)
	ids := make([]state.CardID, 0, len(members))
	for _, row := range members {
		ids = append(ids, p.store.Cards().ID(int(row)))
	}
	if in, ok := p.onChosen(a, ids); ok {
		return in
	}
	return p.aboutHead(g)
}

// chosenOf counts the selected cards of a group.
func (p *Pane) chosenOf(g *group) int {
	if len(p.chosen.ids) == 0 {
		return 0
	}
	n := 0
	for _, row := range p.index.members(g) {
		if p.chosen.ids[p.store.Cards().ID(int(row))] {
			n++
		}
	}
	return n
}

// aboutHead says what to do where a key acts on a card.
func (p *Pane) aboutHead(g *group) []state.Intent {
	what := "its card"
	if g.cards != 1 {
		what = "its " + countCards(g.cards)
	}
	return one(state.Say{Level: state.Warn, Text: "the head of the group " + p.called(g) + ": space selects " + what + ", enter " + p.Folds() + "s it"})
}

func countCards(n int) string {
	if n == 1 {
		return "1 card"
	}
	return fmt.Sprintf("%d cards", n)
}

// called is a group's name as it may be seen.
func (p *Pane) called(g *group) string {
	switch {
	case g.name == "":
		return "(none)"
	case p.index.group.name == "status":
		return g.name
	}
	return p.store.Display().Text(g.name)
}

// headRow draws the head of a group, with what its cards have in all under the
// columns of it.
func (p *Pane) headRow(g *group, w *widget.RowWriter) {
	t, d := p.theme, p.store.Display()
	sign := "-"
	if p.index.folded[g.name] {
		sign = "+"
	}
	text := fmt.Sprintf("%s  %d", p.called(g), g.cards)
	switch n := p.chosenOf(g); {
	case n == g.cards:
		w.Mark()
	case n > 0:
		text += fmt.Sprintf(" · %d selected", n)
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
		default:
			w.Skip()
		}
	}
}
