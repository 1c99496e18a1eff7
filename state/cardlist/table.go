package cardlist

import (
	"hash/maphash"
	"iter"

	"github.com/cardtop/cardtop/api"
)

// Table is a List that finds cards by their ids and records which rows changed.
// The zero value is not ready; see New.
type Table struct {
	list   List
	places places
	log    changeLog
	dated  expiries
}

// New returns an empty table.
func New() *Table { return &Table{places: newPlaces(), log: changeLog{from: 1}} }

// List returns the cards. The list is the table's own: it is read only, and
// changes with the table.
func (t *Table) List() *List { return &t.list }

// Share returns the cards as they are now; see List.Share.
func (t *Table) Share() List { return t.list.Share() }

// Len is how many cards there are.
func (t *Table) Len() int { return t.list.n }

// Place returns the place of a card; false for none.
func (t *Table) Place(id api.CardID) (int, bool) { return t.places.find(&t.list, id) }

// Get returns the row of a card for reading; nil for none.
func (t *Table) Get(id api.CardID) *Row {
	if i, ok := t.Place(id); ok {
		return t.list.row(i)
	}
	return nil
}

// Find returns the row of a card for writing, and records a change; nil for none.
func (t *Table) Find(id api.CardID) *Row {
	if i, ok := t.Place(id); ok {
		return t.Change(i)
	}
	return nil
}

// Row returns the row in a place for reading.
func (t *Table) Row(i int) *Row { return t.list.row(i) }

// Own returns the row in a place for writing what no list shows: it records no
// change.
func (t *Table) Own(i int) *Row { return t.list.own(i) }

// Change returns the row in a place for writing, and records a change.
func (t *Table) Change(i int) *Row {
	t.log.record(i)
	return t.list.own(i)
}

// Rows returns all rows with their places, for reading.
func (t *Table) Rows() iter.Seq2[int, *Row] {
	return func(yield func(int, *Row) bool) {
		for i := range t.list.n {
			if !yield(i, t.list.row(i)) {
				return
			}
		}
	}
}

// Add adds a card whose id is new and returns its row for writing.
func (t *Table) Add(c Card) *Row {
	t.list.Add(c)
	t.places.add(&t.list)
	return t.Change(t.Len() - 1)
}

// Filter removes the cards that do not stay and reports whether there were any.
// Places and versions from before are void then.
func (t *Table) Filter(stays func(*Row) bool) bool {
	had := t.Len()
	t.list.filter(stays)
	if t.Len() == had {
		return false
	}
	t.log.reset()
	t.places.reset(&t.list)
	return true
}

// Changes returns the places that may have changed since a version, 0 for all
// versions, and the version now. A place is listed once or more; those added in
// between are listed too. False says that this is not known: every place may
// hold another card.
func (t *Table) Changes(since uint64) (places []int32, version uint64, ok bool) {
	places, ok = t.log.since(since)
	return places, t.log.version(), ok
}

// Reset makes all versions from before void.
func (t *Table) Reset() { t.log.reset() }

// places finds the cards of a list by their ids. It stores places and no ids, in
// a tenth of the memory of a map of ids.
type places struct {
	seed maphash.Seed
	// slots are places counted from 1, each in the first free slot from the one
	// that its id hashes to; their number is a power of two.
	slots []int32
	n     int
}

func newPlaces() places { return places{seed: maphash.MakeSeed(), slots: make([]int32, 64)} }

// find returns the place of a card.
func (p *places) find(l *List, id api.CardID) (int, bool) {
	slot := p.slot(l, id)
	return int(p.slots[slot]) - 1, p.slots[slot] != 0
}

// slot is where a card's place is stored, or is to be stored.
func (p *places) slot(l *List, id api.CardID) int {
	last := len(p.slots) - 1
	slot := int(maphash.String(p.seed, string(id))) & last
	for p.slots[slot] != 0 && l.row(int(p.slots[slot])-1).ID != id {
		slot = (slot + 1) & last
	}
	return slot
}

// add adds the last card of a list.
func (p *places) add(l *List) {
	if p.n++; p.n > len(p.slots)*4/5 {
		p.slots = make([]int32, 2*len(p.slots))
		p.fill(l)
		return
	}
	p.slots[p.slot(l, l.row(l.n-1).ID)] = int32(l.n)
}

// reset stores the cards of a list anew.
func (p *places) reset(l *List) {
	clear(p.slots)
	p.n = l.n
	p.fill(l)
}

func (p *places) fill(l *List) {
	for i := range l.n {
		p.slots[p.slot(l, l.row(i).ID)] = int32(i) + 1
	}
}

// maxChanges bounds how many changes are recorded: many sweeps' pages.
const maxChanges = 8192

// changeLog records which rows changed, for readers that sort them in an order
// of their own.
type changeLog struct {
	from uint64 // the version before the first of rows
	rows []int32
}

func (l *changeLog) version() uint64 { return l.from + uint64(len(l.rows)) }

// record adds a row that is about to change.
func (l *changeLog) record(row int) {
	if len(l.rows) >= maxChanges {
		const half = maxChanges / 2
		l.rows = append(l.rows[:0], l.rows[half:]...)
		l.from += half
	}
	l.rows = append(l.rows, int32(row))
}

// reset records that rows have other places.
func (l *changeLog) reset() { l.from, l.rows = l.version()+1, l.rows[:0] }

// since returns the rows recorded since a version; false when it is too long ago.
func (l *changeLog) since(version uint64) (rows []int32, ok bool) {
	if version < l.from || version > l.version() {
		return nil, false
	}
	return l.rows[version-l.from:], true
}

// Changed yields the rows, for reading, that are not as in an earlier share of the list, a
// block at a time with its place: every row that is another, and those beside it.
func (l *List) Changed(since *List) iter.Seq2[int, []Row] {
	return func(yield func(int, []Row) bool) {
		for i, b := range l.blocks {
			if i < len(since.blocks) && since.blocks[i] == b {
				continue // A block that is shared is copied before it changes.
			}
			if !yield(i, b[:min(blockRows, l.n-i*blockRows)]) {
				return
			}
		}
	}
}

// Sum adds up a number of each row. It keeps what the blocks of the list came to, and asks
// only for the rows of those that changed since. The zero value has added up nothing.
type Sum struct {
	of   List
	sums []uint64 // by block
}

// Of is what the rows come to, in any order. Row has to be the same function each time.
func (s *Sum) Of(l *List, row func(*Row) uint64) (total uint64) {
	kept := min(len(s.sums), len(l.blocks))
	s.sums = append(s.sums[:kept:kept], make([]uint64, len(l.blocks)-kept)...)
	for i, rows := range l.Changed(&s.of) {
		s.sums[i] = 0
		for j := range rows {
			s.sums[i] += row(&rows[j])
		}
	}
	s.of = l.Share()
	for _, n := range s.sums {
		total += n
	}
	return total
}
