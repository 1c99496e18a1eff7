package cards

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/cardlist"
)

// grouping puts cards together by something they have in common.
type grouping struct {
	// name is what the kept view calls it, about what the list of ways does.
	name, about string
	of          func(x *index, row int32, c *cardlist.Card) string
}

// groupings are the ways to put cards together; the first is none.
func groupings() []grouping {
	return []grouping{
		{about: lang.N("nothing")},
		{campaignColumn, lang.N("campaign"), func(x *index, row int32, _ *cardlist.Card) string { return x.campaign(row) }},
		{"label", lang.N("1st label part"), func(x *index, row int32, _ *cardlist.Card) string { return firstPart(x.name(row)) }},
		{"bin", "BIN", func(_ *index, _ int32, c *cardlist.Card) string { return string(c.BIN) }},
		{"status", lang.N("status"), func(_ *index, _ int32, c *cardlist.Card) string { return string(c.Shown()) }},
	}
}

// firstPart is a label up to its first slash, or all of one that has none.
func firstPart(label string) string {
	part, _, _ := strings.Cut(label, "/")
	return part
}

// label2 is what kept views call the grouping by two parts of the label, which
// campaigns took the place of.
const label2 = "label2"

// group is cards put together, and what they have in all.
type group struct {
	name           string
	cards          int
	balance, spent api.USD
	rank           int64 // what it is sorted by, where that is a number
	first          int32 // the card that has it, where numbers do not add up
	figure         figure
	at             int // its first card among those of all groups, in order
}

// add counts a card in, by its place.
func (g *group) add(row int32, c *cardlist.Card, by *column) {
	if by.number != nil {
		switch n := by.number(c); {
		case by.sums:
			g.rank += n
		case g.cards == 0 || n > g.rank:
			g.rank, g.first = n, row
		}
	}
	g.cards++
	g.balance += c.Balance
	g.spent += c.Spent24h
}

// compareGroups orders groups as their cards are: by what the numbers of the
// column come to, else by their names.
func (x *index) compareGroups(a, b int) int {
	c := cmp.Compare(x.groups[a].rank, x.groups[b].rank)
	if !x.ranks.numeric() {
		c = strings.Compare(x.groups[a].name, x.groups[b].name)
	}
	if x.desc {
		c = -c
	}
	return cmp.Or(c, strings.Compare(x.groups[a].name, x.groups[b].name))
}

// regroup makes the lines of the list: the cards that match, under the heads
// of their groups, of which those that are folded hide theirs.
func (x *index) regroup() {
	if x.group.of == nil {
		x.lines, x.groups = x.order, nil
		return
	}
	x.needFigures()
	all := x.store.Cards.All()
	places := make(map[string]int)
	of := make([]int, len(x.order))
	x.groups = x.groups[:0]
	for i, row := range x.order {
		c := all.At(int(row))
		name := x.group.of(x, row, &c)
		at, ok := places[name]
		if !ok {
			at = len(x.groups)
			places[name] = at
			x.groups = append(x.groups, group{name: name})
		}
		of[i] = at
		x.groups[at].add(row, &c, &x.by)
		if x.figures.has.counts {
			x.groups[at].figure.add(x.figure(row))
		}
	}
	if x.by.figure != nil {
		for i := range x.groups {
			x.groups[i].rank = x.by.figure(&x.groups[i].figure)
		}
	}
	x.inOrder = x.inOrder[:0]
	for i := range x.groups {
		x.inOrder = append(x.inOrder, i)
	}
	slices.SortFunc(x.inOrder, x.compareGroups)
	x.lay(of)
}

// lay puts the cards under the heads, in their order. A head's line is the
// complement of its group's place.
func (x *index) lay(of []int) {
	at := 0
	for _, i := range x.inOrder {
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
	for _, i := range x.inOrder {
		lines = append(lines, ^int32(i))
		if g := &x.groups[i]; !x.folded[g.name] {
			lines = append(lines, inOrder[g.at:g.at+g.cards]...)
		}
	}
	x.lines, x.inGroups = lines, inOrder
}

// grouped are the places of all cards, group by group.
func (x *index) grouped() []int32 {
	rows := make([]int32, 0, len(x.order))
	for _, i := range x.inOrder {
		rows = append(rows, x.members(&x.groups[i])...)
	}
	return rows
}

// members are the places of a group's cards.
func (x *index) members(g *group) []int32 { return x.inGroups[g.at : g.at+g.cards] }

// head returns the group whose head a line is.
func (x *index) head(line int) (*group, bool) {
	if line < 0 || line >= len(x.lines) || x.lines[line] >= 0 {
		return nil, false
	}
	return &x.groups[^x.lines[line]], true
}

// line finds a card's line: that of its group's head when it is folded.
func (x *index) line(id api.CardID) (int, bool) {
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
	c := x.store.Cards.All().At(int(row))
	return x.lineOf(x.group.of(x, row, &c))
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

// unfold shows the cards of a card's group, if it has one that hides them.
func (x *index) unfold(id api.CardID) {
	line, ok := x.line(id)
	if g, head := x.head(line); ok && head {
		x.fold(g.name)
	}
}

// allFolded reports whether no card is in sight.
func (x *index) allFolded() bool {
	return !slices.ContainsFunc(x.groups, func(g group) bool { return !x.folded[g.name] })
}

// foldAll hides the cards of all groups, or shows them when all are hidden.
func (x *index) foldAll() {
	open := !x.allFolded()
	x.folded = make(map[string]bool)
	for i := range x.groups {
		x.folded[x.groups[i].name] = open
	}
	x.regroup()
}
