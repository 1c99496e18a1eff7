package ledger

import (
	"cmp"
	"math"
	"slices"

	"github.com/cardtop/cardtop/api"
)

// Row is a line of a table. Place names it, see Name; Cards is how many cards a
// campaign or a BIN has. Before is of the span before the range, where that is kept. Open is what is
// held now, whatever the range is.
type Row struct {
	Place  uint32
	Cards  int32
	Now    Totals
	Before Past
	Open   Open
}

// empty reports whether there is nothing to say.
func (row *Row) empty() bool { return row.Now.Empty() && row.Before == (Past{}) && row.Open.USD == 0 }

// add adds what the segments of a card, a group or a merchant come to over a range. What they
// cannot tell is left to correct.
func (row *Row) add(s *[segments]Totals, r Range) {
	for i := range s {
		row.count(r.base(i), &s[i])
	}
}

// Table returns a row for each card, campaign, BIN or merchant over a range, in no
// order, and their sum. Campaigns and BINs are there when they have a card, cards
// and merchants when they have a transaction. Rows are appended to dst.
func (l *Ledger) Table(by By, r Range, dst []Row) ([]Row, Sum) {
	l.eachRow(by, r, func(row *Row) { dst = append(dst, *row) })
	return dst, l.Total(Account(), r)
}

// eachRow calls visit with each row of a table. The row is valid during the call.
func (l *Ledger) eachRow(by By, r Range, visit func(*Row)) {
	switch by {
	case ByCard:
		l.eachPlace(&l.cards.totals, r, func(e *entry) uint32 { return e.card }, visit)
	case ByMerchant:
		l.eachPlace(&l.merchants.totals, r, func(e *entry) uint32 { return uint32(e.merchant) }, visit)
	case ByCampaign, ByBIN:
		l.eachGroup(by, r, func(row *Row) {
			if row.Cards > 0 {
				visit(row)
			}
		})
	default:
		sum := l.Total(Account(), r)
		visit(&Row{Cards: int32(len(l.cards.ids)), Now: sum.Totals, Before: sum.Before, Open: sum.Open})
	}
}

// eachPlace makes the rows of cards or merchants. They are made in the order of their places: what
// is looked up of each of 100,000 is side by side then.
func (l *Ledger) eachPlace(all *sums, r Range, of func(*entry) uint32, visit func(*Row)) {
	l.index = cleared(l.index, all.n) // of each place its row among the corrected ones, from 1 on
	l.scan(r, func(_, _ part, e *entry) { l.index[of(e)] = 1 })
	n := int32(0)
	for place, used := range l.index {
		n += used
		l.index[place] = n * used
	}
	corrected := cleared(l.some, int(n))
	l.some = corrected
	l.scan(r, func(base, in part, e *entry) { corrected[l.index[of(e)]-1].correct(base, in, e) })
	var row Row
	partial := !l.openRead()
	for place := range all.n {
		if row = (Row{}); l.index[place] > 0 {
			row = corrected[l.index[place]-1]
		}
		row.Place, row.Cards = uint32(place), 1
		row.Open = Open{USD: l.openUSD(all.open(uint32(place))), Partial: partial}
		if row.add(all.at(uint32(place)), r); !row.empty() {
			visit(&row)
		}
	}
}

// cleared returns a slice of n zeros, the one that was there where it is long enough.
func cleared[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	s = s[:n]
	clear(s)
	return s
}

// eachGroup makes the rows of campaigns or BINs, also of those that have no card any more.
func (l *Ledger) eachGroup(by By, r Range, visit func(*Row)) {
	g := &l.cards.campaigns
	if by == ByBIN {
		g = &l.cards.bins
	}
	rows := cleared(l.some, len(g.cards))
	l.some = rows
	partial := !l.openRead()
	for place := range rows {
		rows[place].add(g.totals.at(uint32(place)), r)
		rows[place].Open = Open{USD: l.openUSD(g.totals.open(uint32(place))), Partial: partial}
	}
	l.scan(r, func(base, in part, e *entry) { rows[g.of[e.card]].correct(base, in, e) })
	for place := range rows {
		row := &rows[place]
		row.Place, row.Cards = uint32(place), g.cards[place]
		visit(row)
	}
}

// Merchants returns where a card was used over a range, in no order. What is held is left
// out.
func (l *Ledger) Merchants(card api.CardID, r Range) []Row {
	var out []Row
	places := make(map[uint16]int)
	w := l.window(r)
	l.each(OfCard(card), w.beforeFrom.day(), 0, func(day int32, at ref, e *entry) {
		in := w.partAt(hourIn(day, e.hour), l.records.link(at).at)
		if in == outside {
			return
		}
		i, ok := places[e.merchant]
		if !ok {
			i = len(out)
			places[e.merchant] = i
			out = append(out, Row{Place: uint32(e.merchant), Cards: 1})
		}
		t := totalsOf(e)
		out[i].count(in, &t)
	})
	return out
}

// Order says which rows of a table are wanted, and in which order.
type Order struct {
	// Key is what a row is sorted by; false where that is not known, which comes last
	// either way. Rows with the same key are in the order of their places.
	Key  func(*Row) (key float64, known bool)
	Desc bool
	// Match reports whether a row is wanted; nil for all.
	Match func(*Row) bool
	// Most is how many rows are wanted at most.
	Most int
}

// Top returns the first rows of a table in an order, how many rows match, and how many
// there are. It is faster than Table where they are many.
func (l *Ledger) Top(by By, r Range, o Order) (rows []Row, matching, of int) {
	t := &top{Order: o, rows: make([]ranked, 0, min(max(o.Most, 0), l.places(by)))}
	l.eachRow(by, r, func(row *Row) {
		of++
		if o.Match == nil || o.Match(row) {
			matching++
			t.add(row)
		}
	})
	return t.sorted(), matching, of
}

// ranked is a row with its key, ascending.
type ranked struct {
	key float64
	Row
}

func (a *ranked) compare(b *ranked) int {
	return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.Place, b.Place))
}

// top keeps the first rows of an order: a heap, the last of them in front.
type top struct {
	Order
	rows []ranked
}

func (t *top) add(row *Row) {
	if t.Most <= 0 {
		return
	}
	key, known := t.Key(row)
	switch {
	case !known:
		key = math.Inf(1)
	case t.Desc:
		key = -key
	}
	switch {
	case len(t.rows) < t.Most:
		t.rows = append(t.rows, ranked{key, *row})
		if len(t.rows) == t.Most {
			for i := t.Most/2 - 1; i >= 0; i-- {
				t.sift(i)
			}
		}
	case key < t.rows[0].key || key == t.rows[0].key && row.Place < t.rows[0].Place:
		t.rows[0] = ranked{key, *row}
		t.sift(0)
	}
}

func (t *top) sift(i int) {
	for {
		last := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(t.rows); child++ {
			if t.rows[child].compare(&t.rows[last]) > 0 {
				last = child
			}
		}
		if last == i {
			return
		}
		t.rows[i], t.rows[last] = t.rows[last], t.rows[i]
		i = last
	}
}

func (t *top) sorted() []Row {
	slices.SortFunc(t.rows, func(a, b ranked) int { return a.compare(&b) })
	out := make([]Row, len(t.rows))
	for i := range t.rows {
		out[i] = t.rows[i].Row
	}
	return out
}

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

// Totals are sums over some transactions. Amounts are USD.
type Totals struct {
	// Settled is what settlements took and Refunded what refunds gave back, each
	// by its own time.
	Settled, Refunded api.USD
	// Held is what authorizations held.
	Held api.USD
	// Authorized, Declined, Settlements and Refunds count transactions, Foreign those of them
	// in other currencies, whose amounts are in none of the sums.
	Authorized, Declined, Settlements, Refunds, Foreign int32
}

// Spent returns what was settled less what was refunded, USD.
func (t Totals) Spent() api.USD { return t.Settled - t.Refunded }

// Attempts returns how many payments were tried: authorizations and declines.
func (t Totals) Attempts() int { return int(t.Authorized) + int(t.Declined) }

// Empty reports whether nothing happened.
func (t Totals) Empty() bool { return t.Authorized|t.Declined|t.Settlements|t.Refunds == 0 }

func (t *Totals) add(o *Totals) {
	t.Settled += o.Settled
	t.Refunded += o.Refunded
	t.Held += o.Held
	t.Authorized += o.Authorized
	t.Declined += o.Declined
	t.Settlements += o.Settlements
	t.Refunds += o.Refunds
	t.Foreign += o.Foreign
}

func (t *Totals) negative() Totals {
	return Totals{
		-t.Settled, -t.Refunded, -t.Held,
		-t.Authorized, -t.Declined, -t.Settlements, -t.Refunds, -t.Foreign,
	}
}

// Past is what figures are compared with.
type Past struct {
	// Spent is what was settled less what was refunded, USD.
	Spent              api.USD
	Attempts, Declined int32
}

func (p *Past) add(t *Totals) {
	p.Spent += t.Spent()
	p.Attempts += t.Authorized + t.Declined
	p.Declined += t.Declined
}

// sumPage is how many sums are allocated together, so that more of them are added
// without copying.
const sumPage = 256

// sums are the sums of cards or merchants by place.
type sums struct {
	pages []*sumsPage
	n     int
}

// sumsPage is what cards or merchants come to by segment, and what they hold.
type sumsPage struct {
	by   [sumPage][segments]Totals
	open [sumPage]openSum
}

func (s *sums) at(i uint32) *[segments]Totals { return &s.pages[i/sumPage].by[i%sumPage] }

func (s *sums) open(i uint32) *openSum { return &s.pages[i/sumPage].open[i%sumPage] }

func (s *sums) grow() {
	if s.n%sumPage == 0 {
		s.pages = append(s.pages, new(sumsPage))
	}
	s.n++
}
