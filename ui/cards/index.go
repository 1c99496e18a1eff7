package cards

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/query"
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
	cards   []state.Card

	entries []entry // by the cards' places in the store
	matches []bool
	sorted  []int32 // all places, in order
	order   []int32 // those that match
	lines   []int32 // these, or with the heads of their groups
	group   grouping
	groups  []group
	folded  map[string]bool
	// inGroups are the places of order, group by group.
	inGroups []int32
	counts   [statuses]int
	watches  []watch
	counted  time.Time // when those that change with the time were
}

// The text of many cards stands in buffers of so many bytes, begun anew where
// less room than this is left.
const (
	textBuffer = 64 << 10
	textRoom   = 1 << 10
)

// entry is what is ready of a card.
type entry struct {
	// text is label, digits, status, network and BIN in lower case, a line each.
	text   string
	label  int32 // the label's length in text
	status uint8
	number int64
	key    string
}

// The states that are counted; 0 is any other.
const (
	active uint8 = iota + 1
	frozen
	terminated
	statuses
)

func (e *entry) name() string { return e.text[:e.label] }

// subject is a card as the filter asks of it.
type subject struct {
	card *state.Card
	text string
	now  time.Time
}

// make makes ready a card, whose text stands at the end of a buffer for all
// that are made ready at once: those of neighbours are read together.
func (x *index) make(c *state.Card, text *strings.Builder) entry {
	var e entry
	from := text.Len()
	label := folded(c.Label)
	for i, part := range [...]string{label, string(c.Last4), string(c.Status), folded(c.Network), folded(c.BIN)} {
		if i > 0 {
			text.WriteByte('\n')
		}
		text.WriteString(part)
	}
	e.text, e.label = text.String()[from:], int32(len(label))
	switch c.Status {
	case state.CardActive:
		e.status = active
	case state.CardFrozen:
		e.status = frozen
	case state.CardTerminated:
		e.status = terminated
	default:
	}
	x.rank(&e, c)
	return e
}

// rank sets what a card is sorted by.
func (x *index) rank(e *entry, c *state.Card) {
	e.number, e.key = 0, ""
	switch {
	case x.by.number != nil:
		e.number = x.by.number(c)
	case x.by.text != nil:
		e.key = x.by.text(c)
	}
}

// sync takes what changed of the cards.
func (x *index) sync(s *state.Store) {
	x.store = s
	changed, version, ok := s.CardChanges(x.version)
	x.version = version
	all := s.Cards()
	if !ok || len(changed) > len(all)/4+100 {
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
func (x *index) reset(all []state.Card) {
	x.entries = slices.Grow(x.entries[:0], len(all))[:len(all)]
	x.matches = slices.Grow(x.matches[:0], len(all))[:len(all)]
	x.sorted = slices.Grow(x.sorted[:0], len(all))[:len(all)]
	x.counts = [statuses]int{}
	var text strings.Builder
	for i := range all {
		if text.Cap()-text.Len() < textRoom {
			// What was made ready keeps the buffer it stands in.
			text = strings.Builder{}
			text.Grow(textBuffer)
		}
		x.entries[i] = x.make(&all[i], &text)
		x.sorted[i] = int32(i)
		x.counts[x.entries[i].status]++
	}
	slices.SortFunc(x.sorted, x.compare)
	x.recount(false)
	x.test()
}

// merge reads the cards that may have changed and moves those that did. It
// tells whether the list is another.
func (x *index) merge(all []state.Card, changed []int32) bool {
	known := len(x.entries)
	x.entries = slices.Grow(x.entries, len(all)-known)[:len(all)]
	x.matches = slices.Grow(x.matches, len(all)-known)[:len(all)]
	clear(x.entries[known:])
	clear(x.matches[known:])
	var fresh []int32
	x.asking()
	moved, other := make([]bool, len(all)), false
	for _, row := range changed {
		if moved[row] {
			continue
		}
		e, old := x.make(&all[row], new(strings.Builder)), &x.entries[row]
		if isNew := int(row) >= known; isNew || *old != e {
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

// place puts cards in order among others that are. From the last back, each of
// the others moves once.
func (x *index) place(others, fresh []int32) {
	end := len(others)
	x.sorted = slices.Grow(others, len(fresh))[:end+len(fresh)]
	for i := len(fresh) - 1; i >= 0; i-- {
		at, _ := slices.BinarySearchFunc(x.sorted[:end], fresh[i], x.compare)
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
	all := x.store.Cards()
	for i := range x.entries {
		x.rank(&x.entries[i], &all[i])
	}
	slices.SortFunc(x.sorted, x.compare)
	x.list()
}

// compare orders two places. Equal cards keep one order, by label and id,
// whatever the store's.
func (x *index) compare(a, b int32) int {
	ea, eb := &x.entries[a], &x.entries[b]
	c := cmp.Compare(ea.number, eb.number)
	if c == 0 && ea.key != eb.key {
		c = strings.Compare(ea.key, eb.key)
	}
	if x.desc {
		c = -c
	}
	if c != 0 {
		return c
	}
	if c = strings.Compare(ea.name(), eb.name()); c != 0 {
		if x.desc && x.by.Name == labelColumn {
			return -c
		}
		return c
	}
	all := x.store.Cards()
	return cmp.Compare(all[a].ID, all[b].ID)
}

// ask filters. Where the new filter only narrows or only widens the old one,
// half of the answers are known.
func (x *index) ask(q query.Query[*subject]) {
	old := x.query
	x.query = q
	switch timed := q.Timed() || old.Timed(); {
	case x.store == nil:
	case !timed && q.Narrows(&old):
		x.asking()
		for row, maybe := range x.matches {
			x.matches[row] = maybe && x.match(int32(row))
		}
		x.list()
	case !timed && old.Narrows(&q):
		x.asking()
		for row, known := range x.matches {
			x.matches[row] = known || x.match(int32(row))
		}
		x.list()
	default:
		x.test()
	}
}

// test asks the filter of all cards.
func (x *index) test() {
	x.asking()
	for row := range x.matches {
		x.matches[row] = x.match(int32(row))
	}
	x.list()
}

// asking begins questions about the cards as they are now.
func (x *index) asking() { x.cards, x.asked.now = x.store.Cards(), x.store.ServerNow() }

func (x *index) match(row int32) bool {
	if x.query.All() {
		return true
	}
	x.asked.card, x.asked.text = &x.cards[row], x.entries[row].text
	return x.query.Match(&x.asked)
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

// find gives the row of the list that a card is in; false when it is in none.
func (x *index) find(id state.CardID) (int, bool) {
	row, ok := x.row(id)
	if !ok {
		return 0, false
	}
	return slices.BinarySearchFunc(x.order, row, x.compare)
}

// row gives a card's place.
func (x *index) row(id state.CardID) (int32, bool) {
	if x.store == nil {
		return 0, false
	}
	row, ok := x.store.CardRow(id)
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
