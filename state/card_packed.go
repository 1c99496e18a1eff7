package state

import (
	"hash/maphash"
	"iter"
	"slices"
	"time"
	"unique"

	"github.com/cardtop/cardtop/api"
)

// PackedCards keeps many cards in little room, in the order they were added. It
// is read from one goroutine, and so is a share of it from another.
type PackedCards struct {
	blocks []*cardBlock
	lent   []bool // the blocks that a share may hold as well
	n      int
}

// cardBlock is as much as is copied when a card is changed that a share holds.
type cardBlock [blockRows]cardRow

const blockRows = 256

// cardRow is a Card in half its room, and what the store keeps beside it.
type cardRow struct {
	id             api.CardID
	label          api.Text
	bin            word[api.BINID]
	network, last4 word[api.Text]
	status         word[api.CardStatus]
	balance, spent api.USD
	month, limit   api.USD
	created, used  stamp

	// fence is the newest request whose answer is too old to change this card:
	// an operation, or the answer to a later request, has told better since.
	fence Seq
	// turned is when another status was read than the one that was shown, this
	// machine's clock.
	turned stamp
	// read is when what the card holds was told, this machine's clock.
	read stamp
	// sweep is the sweep during which the card was last listed.
	sweep int32
	// number tells cards apart where their names are hidden; 0 before they ever
	// were. It is never given twice in a run.
	number int32
	// after is the newest operation that was begun here when the card was first
	// heard of.
	after OpID
	// cached is as in Card; weighed says that its balance was compared with the
	// limits of the alerts.
	cached, weighed bool
}

// PackCards makes a table.
func PackCards(cards ...Card) PackedCards {
	var t PackedCards
	for _, c := range cards {
		t.Add(c)
	}
	return t
}

// Len is how many cards there are.
func (t *PackedCards) Len() int { return t.n }

// At gives the card in a place, counted from 0.
func (t *PackedCards) At(i int) Card { return t.row(i).card() }

// ID gives the id of the card in a place, and Last4, Status and Balance what
// they say, sooner than the whole card.
func (t *PackedCards) ID(i int) api.CardID { return t.row(i).id }

// Last4 is explained with ID.
func (t *PackedCards) Last4(i int) api.Text { return t.row(i).last4.text() }

// Status is explained with ID.
func (t *PackedCards) Status(i int) api.CardStatus { return t.row(i).status.text() }

// Balance is explained with ID; USD cents.
func (t *PackedCards) Balance(i int) api.USD { return t.row(i).balance }

// All gives the cards with their places.
func (t *PackedCards) All() iter.Seq2[int, Card] {
	return func(yield func(int, Card) bool) {
		for i := range t.n {
			if !yield(i, t.At(i)) {
				return
			}
		}
	}
}

// Add adds a card at the end.
func (t *PackedCards) Add(c Card) {
	if t.n%blockRows == 0 {
		t.blocks, t.lent = append(t.blocks, new(cardBlock)), append(t.lent, false)
	}
	t.n++
	*t.own(t.n - 1) = cardRow{
		id: c.ID, label: c.Label, bin: wordOf(c.BIN), network: wordOf(c.Network), last4: wordOf(c.Last4), status: wordOf(c.Status),
		balance: c.Balance, spent: c.Spent24h, month: c.Month, limit: c.Limit, created: stampOf(c.CreatedAt), used: stampOf(c.LastUsed), cached: c.Cached,
	}
}

func (r *cardRow) card() Card {
	return Card{
		ID: r.id, BIN: r.bin.text(), Network: r.network.text(), Last4: r.last4.text(), Label: r.label, Status: r.status.text(),
		Balance: r.balance, CreatedAt: r.created.time(), Spent24h: r.spent, Month: r.month, Limit: r.limit, LastUsed: r.used.time(), Cached: r.cached, number: r.number,
	}
}

// row gives a row to be read.
func (t *PackedCards) row(i int) *cardRow { return &t.blocks[i/blockRows][i%blockRows] }

// own gives a row to be changed: what a share holds is copied first.
func (t *PackedCards) own(i int) *cardRow {
	block := i / blockRows
	if t.lent[block] {
		t.blocks[block], t.lent[block] = new(*t.blocks[block]), false
	}
	return t.row(i)
}

// rows gives all rows, to be read.
func (t *PackedCards) rows() iter.Seq2[int, *cardRow] {
	return func(yield func(int, *cardRow) bool) {
		for i := range t.n {
			if !yield(i, t.row(i)) {
				return
			}
		}
	}
}

// share gives the cards as they are now. It takes no room but for blocks that
// are changed while it is held: each is copied at its first change, once more
// than needed when the share is gone by then.
func (t *PackedCards) share() PackedCards {
	for i := range t.lent {
		t.lent[i] = true
	}
	return PackedCards{blocks: slices.Clone(t.blocks), lent: slices.Clone(t.lent), n: t.n}
}

// keep lets go of the rows that are not to stay; the others move up.
func (t *PackedCards) keep(stays func(*cardRow) bool) {
	n := 0
	for i := range t.n {
		r := t.row(i)
		if !stays(r) {
			continue
		}
		if i != n {
			*t.own(n) = *r
		}
		n++
	}
	for i := n; i < min(t.n, (n+blockRows-1)/blockRows*blockRows); i++ {
		*t.own(i) = cardRow{}
	}
	blocks := (n + blockRows - 1) / blockRows
	clear(t.blocks[blocks:])
	t.blocks, t.lent, t.n = t.blocks[:blocks], t.lent[:blocks], n
}

// word is a text that many cards have: it is held once.
type word[T ~string] struct{ handle unique.Handle[string] }

func wordOf[T ~string](s T) word[T] {
	if s == "" {
		return word[T]{}
	}
	return word[T]{unique.Make(string(s))}
}

func (w word[T]) text() T {
	if w == (word[T]{}) {
		return ""
	}
	return T(w.handle.Value())
}

// stamp is a time in microseconds since 1970, UTC; 0 for one that never was.
type stamp int64

func stampOf(t time.Time) stamp {
	if t.IsZero() {
		return 0
	}
	return stamp(t.UnixMicro())
}

func (m stamp) time() time.Time {
	if m == 0 {
		return time.Time{}
	}
	return time.UnixMicro(int64(m)).UTC()
}

// cardPlaces finds the cards of a table by their ids. It holds their places
// and no id, in a tenth of the room of a map of ids.
type cardPlaces struct {
	seed maphash.Seed
	// slots are places counted from 1, each in the first free slot from the one
	// that its id says; their number is a power of two.
	slots []int32
	n     int
}

// find gives the place of a card.
func (p *cardPlaces) find(t *PackedCards, id api.CardID) (int, bool) {
	slot := p.slot(t, id)
	return int(p.slots[slot]) - 1, p.slots[slot] != 0
}

// slot is where a card's place stands, or is to stand.
func (p *cardPlaces) slot(t *PackedCards, id api.CardID) int {
	last := len(p.slots) - 1
	slot := int(maphash.String(p.seed, string(id))) & last
	for p.slots[slot] != 0 && t.row(int(p.slots[slot])-1).id != id {
		slot = (slot + 1) & last
	}
	return slot
}

// add takes in the last card of a table.
func (p *cardPlaces) add(t *PackedCards) {
	if p.n++; p.n > len(p.slots)*4/5 {
		p.slots = make([]int32, 2*len(p.slots))
		p.fill(t)
		return
	}
	p.slots[p.slot(t, t.row(t.Len()-1).id)] = int32(t.Len())
}

// reset takes in the cards of a table anew.
func (p *cardPlaces) reset(t *PackedCards) {
	clear(p.slots)
	p.n = t.Len()
	p.fill(t)
}

func (p *cardPlaces) fill(t *PackedCards) {
	for i, r := range t.rows() {
		p.slots[p.slot(t, r.id)] = int32(i) + 1
	}
}

func newCardPlaces() cardPlaces {
	return cardPlaces{seed: maphash.MakeSeed(), slots: make([]int32, 64)}
}

// logKept bounds how many changes are remembered: many sweeps' pages.
const logKept = 8192

// changeLog notes which rows of a book changed, so that whoever keeps them in
// an order of its own looks only at those.
type changeLog struct {
	from uint64 // the version before the first of rows
	rows []int32
}

func (l *changeLog) version() uint64 { return l.from + uint64(len(l.rows)) }

// note says that a row is about to change.
func (l *changeLog) note(row int) {
	if len(l.rows) >= logKept {
		const half = logKept / 2
		l.rows = append(l.rows[:0], l.rows[half:]...)
		l.from += half
	}
	l.rows = append(l.rows, int32(row))
}

// reset says that rows have other places.
func (l *changeLog) reset() { l.from, l.rows = l.version()+1, l.rows[:0] }

// since gives the rows noted since a version; false when it is too long ago.
func (l *changeLog) since(version uint64) (rows []int32, ok bool) {
	if version < l.from || version > l.version() {
		return nil, false
	}
	return l.rows[version-l.from:], true
}
