package ledger

// groups are the campaigns or the BINs of cards by place, and their sums.
type groups struct {
	names names
	// of is the group of each card, by the card's place.
	of     []uint32
	totals sums
	cards  []int32 // how many a group has
}

func newGroups() groups {
	g := groups{names: newNames()}
	g.grow()
	return g
}

// grow makes room for the sums of groups that are new.
func (g *groups) grow() {
	for g.totals.n < len(g.names.texts) {
		g.totals.grow()
		g.cards = append(g.cards, 0)
	}
}

// add puts a new card into the group without a name.
func (g *groups) add() {
	g.of = append(g.of, 0)
	g.cards[0]++
}

// move puts a card and its sums into a group, and reports whether it was in another.
func (g *groups) move(card uint32, name string, t *[segments]Totals, open *openSum) bool {
	from, to := g.of[card], g.names.place(name)
	if from == to {
		return false
	}
	g.grow()
	g.of[card] = to
	g.cards[from]--
	g.cards[to]++
	for i := range t {
		back := t[i].negative()
		g.totals.at(from)[i].add(&back)
		g.totals.at(to)[i].add(&t[i])
	}
	g.totals.open(from).add(*open, -1)
	g.totals.open(to).add(*open, 1)
	return true
}

// sumOf returns the sums of the group of a card.
func (g *groups) sumOf(card uint32) *[segments]Totals { return g.totals.at(g.of[card]) }
