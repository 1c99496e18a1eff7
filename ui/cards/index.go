package cards

import (
	"cmp"
	"hash/crc32"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/ledger"
)

// index keeps the cards in the order of the list. What the order and the
// filter ask of a card is made ready when the card changes, so that sorting
// lowers no letter, a key typed into the filter reads only what it has to, and
// a card that changes is put in its place without sorting the others.
type index struct {
	store   *state.Store
	version uint64
	by      column
	desc    bool
	query   query.Query[*subject]
	asked   subject // what the filter is asked of, one card after the other

	entries []entry // by the cards' places in the store
	names   names
	traits  traits
	// campaigns are those of the cards.
	campaigns campaigns
	figures   figures
	// figured says that figures are shown.
	figured bool
	ranks   ranks
	moved   []bool // while cards are put in their places
	matches []bool
	// tested is how many cards, by their places, a slow filter was asked of; all of
	// them for one that is not. narrows says that only those that matched before
	// are asked.
	tested  int
	narrows bool
	sorted  []int32 // all places, in order
	order   []int32 // those that match
	lines   []int32 // these, or with the heads of their groups
	group   grouping
	groups  []group
	folded  map[string]bool
	// inOrder are the groups' places in their order, inGroups the places of order,
	// group by group.
	inOrder  []int
	inGroups []int32
	counts   [statuses]int
	watches  []watch
	counted  time.Time // when those that change with the time were
}

// entry is what is ready of a card.
type entry struct {
	traits   int32
	campaign int32
	label    uint32 // a checksum, so that another is noticed
	status   uint8
}

// The states that are counted; 0 is any other.
const (
	active uint8 = iota + 1
	frozen
	terminated
	expired
	statuses
)

// make makes ready a card.
func (x *index) make(c *cardlist.Card) entry {
	e := entry{
		traits: x.traits.of(c), campaign: x.campaigns.place(x.campaignOf(c)), label: crc32.ChecksumIEEE([]byte(c.Label)),
	}
	switch c.Shown() {
	case api.CardActive:
		e.status = active
	case api.CardFrozen:
		e.status = frozen
	case api.CardTerminated:
		e.status = terminated
	case api.CardExpired:
		e.status = expired
	default:
	}
	return e
}

// sync takes what changed of the cards.
func (x *index) sync(s *state.Store) {
	x.store = s
	changed, version, ok := s.Cards.Changes(x.version)
	x.version = version
	all := s.Cards.All()
	if x.campaigns.follow(s) || !ok || len(changed) > all.Len()/4+100 {
		x.reset(all)
		return
	}
	if x.merge(all, changed) {
		x.list()
	} else if x.group.of != nil && len(changed) > 0 {
		x.regroup() // What the groups have in all.
	}
}

// reset reads every card anew.
func (x *index) reset(all *cardlist.List) {
	n := all.Len()
	x.entries, x.names = slices.Grow(x.entries[:0], n)[:n], nil
	x.matches = slices.Grow(x.matches[:0], n)[:n]
	x.sorted = slices.Grow(x.sorted[:0], n)[:n]
	clear(x.matches)
	x.counts, x.traits = [statuses]int{}, traits{}
	x.campaigns = campaigns{rule: x.campaigns.rule}
	for i, c := range all.All() {
		x.entries[i] = x.make(&c)
		x.names.set(i, c.Label, n)
		x.sorted[i] = int32(i)
		x.counts[x.entries[i].status]++
	}
	x.figures.forget(x.store)
	x.rank()
	slices.SortFunc(x.sorted, x.compare)
	x.recount(false)
	x.test()
}

// merge reads the cards that may have changed and moves those that did. It
// reports whether the list is another.
func (x *index) merge(all *cardlist.List, changed []int32) bool {
	known, n := len(x.entries), all.Len()
	if x.tested == known { // What is new is asked at once.
		x.tested = n
	}
	x.entries = slices.Grow(x.entries, n-known)[:n]
	x.matches = slices.Grow(x.matches, n-known)[:n]
	clear(x.entries[known:])
	clear(x.matches[known:])
	x.ranks.grow(n)
	var fresh []int32
	x.asking()
	moved, other := x.nothingMoved(n), false
	for _, row := range changed {
		if moved[row] {
			continue
		}
		c := all.At(int(row))
		x.names.set(int(row), c.Label, n)
		x.figures.changed(x.store, row)
		e, old := x.make(&c), &x.entries[row]
		if isNew := int(row) >= known; x.ranks.set(row, &c) || isNew || *old != e {
			if !isNew {
				x.counts[old.status]--
			}
			x.counts[e.status]++
			*old, moved[row] = e, true
			fresh = append(fresh, row)
		}
		if match := x.match(row); match != x.matches[row] {
			x.matches[row], other = match, true
		}
	}
	x.watchChanged(changed)
	if len(fresh) == 0 {
		return other
	}
	slices.SortFunc(fresh, x.compare)
	x.place(slices.DeleteFunc(x.sorted, func(row int32) bool { return moved[row] }), fresh)
	return true
}

// nothingMoved returns a flag for each of n cards, in memory that is used again: pages
// of cards come in by the hundred.
func (x *index) nothingMoved(n int) []bool {
	x.moved = slices.Grow(x.moved[:0], n)[:n]
	clear(x.moved)
	return x.moved
}

// place puts cards in order among others that are. From the last back, each of
// the others moves once.
func (x *index) place(others, fresh []int32) {
	end := len(others)
	x.sorted = slices.Grow(others, len(fresh))[:end+len(fresh)]
	for i := len(fresh) - 1; i >= 0; i-- {
		at := end
		if end > 0 && x.compare(x.sorted[end-1], fresh[i]) > 0 { // What is recalled comes in order.
			at, _ = slices.BinarySearchFunc(x.sorted[:end], fresh[i], x.compare)
		}
		copy(x.sorted[at+i+1:], x.sorted[at:end])
		x.sorted[at+i] = fresh[i]
		end = at
	}
}

// sortBy sorts by a column.
func (x *index) sortBy(by column, desc bool) {
	same := x.by.Name == by.Name
	if same && x.desc == desc {
		return
	}
	x.by, x.desc = by, desc
	if x.store == nil {
		return
	}
	x.rank()
	slices.SortFunc(x.sorted, x.compare)
	x.list()
}

// compare orders two places. Equal cards keep one order, by label and id,
// whatever the store's.
func (x *index) compare(a, b int32) int {
	c := x.ranks.compare(a, b)
	if x.desc {
		c = -c
	}
	if c != 0 {
		return c
	}
	if c = strings.Compare(x.name(a), x.name(b)); c != 0 {
		if x.desc && x.by.Name == labelColumn {
			return -c
		}
		return c
	}
	all := x.store.Cards.All()
	return cmp.Compare(all.ID(int(a)), all.ID(int(b)))
}

// ask filters. Where the new filter only narrows or only widens the old one,
// half of the answers are known. One with an expression is asked by work.
func (x *index) ask(q query.Query[*subject]) {
	old, known := x.query, !x.testing() && !q.Timed() && !x.query.Timed()
	x.query = q
	switch {
	case x.store == nil:
	case q.Slow():
		x.tested, x.narrows = 0, known && q.Narrows(&old)
		if !x.narrows {
			clear(x.matches)
		}
		x.list()
	case known && q.Narrows(&old):
		x.asking()
		for row, maybe := range x.matches {
			x.matches[row] = maybe && x.match(int32(row))
		}
		x.list()
	case known && old.Narrows(&q):
		x.asking()
		for row, known := range x.matches {
			x.matches[row] = known || x.match(int32(row))
		}
		x.list()
	default:
		x.test()
	}
}

// test asks the filter of all cards. One with an expression is asked by work;
// what is known of it stays until then.
func (x *index) test() {
	if x.query.Slow() {
		x.tested, x.narrows = 0, false
		x.list()
		return
	}
	x.tested = len(x.matches)
	x.asking()
	for row := range x.matches {
		x.matches[row] = x.match(int32(row))
	}
	x.list()
}

// workAtOnce is how many cards an expression is asked of before the time is
// looked at.
const workAtOnce = 256

// testing reports whether there are cards that an expression was not asked of.
func (x *index) testing() bool { return x.tested < len(x.matches) }

// work asks a filter with an expression of more cards.
func (x *index) work(enough func() bool) {
	x.asking()
	for x.testing() {
		end := min(x.tested+workAtOnce, len(x.matches))
		for ; x.tested < end; x.tested++ {
			x.matches[x.tested] = (!x.narrows || x.matches[x.tested]) && x.match(int32(x.tested))
		}
		if enough() {
			break
		}
	}
	x.list()
}

// asking begins questions about the cards as they are now.
func (x *index) asking() {
	x.needFigures()
	x.asked = subject{index: x, now: x.store.ServerNow(), read7d: x.store.Insight.Ledger().Coverage(ledger.Last7d).Complete}
	x.asked.covered = x.store.Insight.Ledger().Coverage(ledger.Last30d)
}

func (x *index) match(row int32) bool {
	return x.query.All() || x.query.Match(x.asked.about(row))
}

// list takes the cards that match, in order.
func (x *index) list() {
	x.order = slices.Grow(x.order[:0], len(x.sorted))
	for _, row := range x.sorted {
		if x.matches[row] {
			x.order = append(x.order, row)
		}
	}
	x.regroup()
}

// find returns the row of the list that a card is in; false when it is in none.
func (x *index) find(id api.CardID) (int, bool) {
	row, ok := x.row(id)
	if !ok {
		return 0, false
	}
	return slices.BinarySearchFunc(x.order, row, x.compare)
}

// row returns a card's place.
func (x *index) row(id api.CardID) (int32, bool) {
	if x.store == nil {
		return 0, false
	}
	row, ok := x.store.Cards.Row(id)
	return int32(row), ok && row < len(x.entries)
}

// shownFirst orders places as compare does, those that the filter hides last.
func (x *index) shownFirst(a, b int32) int {
	if x.matches[a] != x.matches[b] {
		if x.matches[a] {
			return -1
		}
		return 1
	}
	return x.compare(a, b)
}
