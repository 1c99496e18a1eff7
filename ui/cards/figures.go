package cards

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/burn"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/ledger"
)

// figure is what the ledger says of a card, or of the cards of a group in all.
type figure struct {
	// burn is what is spent an hour, USD, if burns says that it is known. left is how
	// long the balance lasts; unknown where that is not.
	// foreign says that the card pays in other currencies, too: it is at least burn, and at most left.
	burn    api.USD
	burns   bool
	foreign bool
	left    time.Duration
	// free is what an active card has that is not held, USD.
	free api.USD
	// attempts and declined count payments of 7 days.
	attempts, declined int32

	// What the figures were read of, so that they are kept while it stays: seconds
	// since 1970, and what was charged in the last day.
	asOf    int32
	charged api.USD
}

// unknown is how long a balance lasts of which that is not known.
const unknown = time.Duration(-1)

// add adds a card to a group.
func (f *figure) add(o *figure) {
	f.burn += o.burn
	f.burns, f.foreign = f.burns || o.burns, f.foreign || o.foreign
	f.free += o.free
	f.attempts += o.attempts
	f.declined += o.declined
	if f.left = unknown; f.burn > 0 {
		f.left = time.Duration(min(float64(f.free)/float64(f.burn)*float64(time.Hour), float64(burn.Horizon)))
	}
}

// figures are those of the cards by their places: of all cards where they are sorted,
// filtered or added up by them, and of those that are drawn. They are read anew when
// the ledger has changed, and at most once a second.
type figures struct {
	version uint64
	at      time.Time
	// all has what has says; nil where nothing is wanted of all. before is the memory
	// of the reading before it.
	all, before []figure
	has         wanted
	drawn       map[int32]figure
	table       []ledger.Row // to be used again
}

// wanted is what is wanted of all cards: how fast they spend, and what was counted of
// them.
type wanted struct{ spend, counts bool }

// figuresFor is how long figures hold while the ledger does not change: less is
// spent with the time.
const figuresFor = time.Minute

// stale reports whether the figures are to be read anew.
func (f *figures) stale(s *state.Store) bool {
	age := s.ServerNow().Sub(f.at).Abs()
	return age >= figuresFor || age >= time.Second && f.version != s.Insight.Ledger().Version()
}

// anew begins another reading.
func (f *figures) anew(s *state.Store) {
	f.version, f.at, f.has = s.Insight.Ledger().Version(), s.ServerNow(), wanted{}
	clear(f.drawn)
}

// forget forgets all figures: the cards have other places.
func (f *figures) forget(s *state.Store) {
	f.anew(s)
	f.all, f.before = nil, nil
}

// whole returns all figures of a card that is drawn.
func (f *figures) whole(s *state.Store, row int32) figure {
	out, ok := f.drawn[row]
	if !ok {
		out = read(s, row)
		if f.drawn == nil {
			f.drawn = make(map[int32]figure)
		}
		f.drawn[row] = out
	}
	return out
}

// changed reads the figures of a card that changed, or is new.
func (f *figures) changed(s *state.Store, row int32) {
	delete(f.drawn, row)
	if f.has == (wanted{}) {
		return
	}
	for len(f.all) <= int(row) {
		f.all = append(f.all, figure{left: unknown})
	}
	f.all[row] = read(s, row)
}

// read reads the figures of a card.
func read(s *state.Store, row int32) figure {
	c, l := s.Cards.All().Row(int(row)), s.Insight.Ledger()
	out := figure{left: unknown, free: freeOf(c)}
	if l.Holds(c.ID) {
		sum := l.Total(ledger.OfCard(c.ID), ledger.Last7d)
		out.count(&sum.Totals, sum.Open)
		out.spend(s, c.ID)
	}
	return out
}

// freeOf is what is on an active card, USD.
func freeOf(c *cardlist.Row) api.USD {
	if c.Shown() != api.CardActive {
		return 0
	}
	return max(0, c.Balance)
}

// count takes over what was counted of a card in 7 days.
func (f *figure) count(t *ledger.Totals, open ledger.Open) {
	f.attempts, f.declined = int32(t.Attempts()), t.Declined
	f.free = max(0, f.free-open.USD)
}

// spend takes over how fast a card spends.
func (f *figure) spend(s *state.Store, id api.CardID) {
	if b, ok := s.Insight.Burn(ledger.OfCard(id)); ok {
		f.burn, f.burns, f.foreign = b.PerHour, true, b.AtLeast
	}
	if r, ok := s.Insight.CardRunway(id); ok {
		f.left = r.Left
	}
	f.asOf = int32(s.ServerNow().Unix())
}

// readAll reads figures of all cards from the tables of the ledger. One by one are
// read those alone whose transactions are others than before.
func (f *figures) readAll(s *state.Store, want wanted) {
	cards, l := s.Cards.All(), s.Insight.Ledger()
	f.all, f.before = slices.Grow(f.before[:0], cards.Len())[:cards.Len()], f.all
	f.has = want
	for i := range f.all {
		f.all[i] = figure{left: unknown, free: freeOf(cards.Row(i))}
	}
	if want.counts {
		f.table, _ = l.Table(ledger.ByCard, ledger.Last7d, f.table[:0])
		for i := range f.table {
			if row, _, ok := f.rowOf(s, f.table[i].Place); ok {
				f.all[row].count(&f.table[i].Now, f.table[i].Open)
			}
		}
	}
	if want.spend {
		now := int32(s.ServerNow().Unix())
		l.Traces(ledger.ByCard, func(place uint32, t *burn.Trace) { f.spendRow(s, now, place, t) })
	}
}

// rowOf returns the place in the list of a card of the ledger; false where the list
// does not have it.
func (f *figures) rowOf(s *state.Store, place uint32) (row int, id api.CardID, ok bool) {
	name, _ := s.Insight.Ledger().Name(ledger.ByCard, place)
	id = api.CardID(name)
	row, ok = s.Cards.Row(id)
	return row, id, ok && row < len(f.all)
}

// old is the figure of a card in the reading before; empty for none.
func (f *figures) old(row int) figure {
	if row < len(f.before) {
		return f.before[row]
	}
	return figure{}
}

// spendRow takes over how fast a card spends. Where it was charged nothing since, the
// last reading holds for a while; not all end at once.
func (f *figures) spendRow(s *state.Store, now int32, place uint32, t *burn.Trace) {
	charges, charged := int32(0), api.USD(0)
	for i := range t.Hours {
		charges += t.Hours[i].Charges
		charged += t.Hours[i].Spent
	}
	if charges < burn.MinCharges {
		return
	}
	row, id, ok := f.rowOf(s, place)
	if !ok {
		return
	}
	one, old := &f.all[row], f.old(row)
	if one.charged = charged; old.charged == charged && now-old.asOf < int32(figuresFor/time.Second)+int32(row%64) {
		one.burn, one.burns, one.foreign, one.left, one.asOf = old.burn, old.burns, old.foreign, old.left, old.asOf
		return
	}
	one.spend(s, id)
}

// needFigures reads the figures of all cards that are sorted, filtered or added up by,
// unless they were.
func (x *index) needFigures() {
	want := x.wantsFigures()
	has := x.figures.has
	if want.spend && !has.spend || want.counts && !has.counts {
		x.figures.readAll(x.store, want)
	}
}

// wantsFigures says what of all cards is sorted, filtered or added up by.
func (x *index) wantsFigures() wanted {
	want := wanted{spend: x.by.figure != nil && x.by.Name != declinesColumn, counts: x.by.Name == declinesColumn}
	asks := func(q *query.Query[*subject]) {
		want.spend = want.spend || q.Asked(query.LeftField, query.BurnField)
		want.counts = want.counts || q.Asked(query.DeclinesField)
	}
	asks(&x.query)
	for i := range x.watches {
		asks(&x.watches[i].query)
	}
	if x.group.of != nil && (x.figured || x.by.figure != nil) {
		want.spend, want.counts = true, true
	}
	return want
}

// figure returns what is wanted of all cards of one of them.
func (x *index) figure(row int32) *figure {
	if int(row) >= len(x.figures.all) {
		return &figure{left: unknown}
	}
	return &x.figures.all[row]
}

// rank ranks all cards by the column.
func (x *index) rank() {
	x.needFigures()
	x.ranks.reset(x.by, x.store.Cards.All(), x.figure)
}

// refigure reads the figures anew, if the ledger has others, and moves the cards that
// are sorted by them. It reports whether it did.
func (x *index) refigure() bool {
	if x.store == nil || !x.figures.stale(x.store) {
		return false
	}
	x.figures.anew(x.store)
	if x.wantsFigures() == (wanted{}) {
		x.figures.all, x.figures.before = nil, nil
		return false
	}
	x.needFigures()
	if x.by.figure != nil {
		x.rerank()
	}
	if x.query.Timed() {
		x.test()
	} else {
		x.list()
	}
	return true
}

// rerank puts the cards whose ranks changed into their places.
func (x *index) rerank() {
	before := x.ranks.numbers
	x.rank()
	var fresh []int32
	moved := make([]bool, len(before))
	for row, n := range before {
		if x.ranks.numbers[row] != n {
			moved[row], fresh = true, append(fresh, int32(row))
		}
	}
	if len(fresh) == 0 {
		return
	}
	slices.SortFunc(fresh, x.compare)
	x.place(slices.DeleteFunc(x.sorted, func(row int32) bool { return moved[row] }), fresh)
}

// ranks are what the cards are sorted by, by their places in the store: numbers
// or texts, or neither where the labels decide.
type ranks struct {
	by column
	// figures are asked where the column is one.
	figures func(row int32) *figure
	numbers []int64
	texts   []string
}

// reset ranks all cards by a column.
func (r *ranks) reset(by column, all *cardlist.List, figures func(row int32) *figure) {
	*r = ranks{by: by, figures: figures}
	r.grow(all.Len())
	if by.figure != nil {
		for row := range r.numbers {
			r.numbers[row] = r.figure(int32(row))
		}
		return
	}
	if by.number == nil && by.text == nil {
		return
	}
	for i, c := range all.All() {
		r.set(int32(i), &c)
	}
}

// grow makes room for more cards.
func (r *ranks) grow(n int) {
	switch {
	case r.numeric():
		had := len(r.numbers)
		r.numbers = slices.Grow(r.numbers, n-had)[:n]
		clear(r.numbers[had:])
	case r.by.text != nil:
		had := len(r.texts)
		r.texts = slices.Grow(r.texts, n-had)[:n]
		clear(r.texts[had:])
	}
}

func (r *ranks) numeric() bool { return r.by.number != nil || r.by.figure != nil }

func (r *ranks) figure(row int32) int64 {
	return r.by.figure(r.figures(row))
}

// set ranks a card, and reports whether it had another rank.
func (r *ranks) set(row int32, c *cardlist.Card) (changed bool) {
	switch {
	case r.by.figure != nil:
		n := r.figure(row)
		changed, r.numbers[row] = n != r.numbers[row], n
	case r.by.number != nil:
		n := r.by.number(c)
		changed, r.numbers[row] = n != r.numbers[row], n
	case r.by.text != nil:
		t := r.by.text(c)
		changed, r.texts[row] = t != r.texts[row], t
	}
	return changed
}

func (r *ranks) compare(a, b int32) int {
	switch {
	case r.numeric():
		return cmp.Compare(r.numbers[a], r.numbers[b])
	case r.by.text != nil:
		return strings.Compare(r.texts[a], r.texts[b])
	}
	return 0
}
