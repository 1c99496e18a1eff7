package ledger

import (
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/decline"
)

// ref says where a record is; 0 is nowhere.
type ref uint32

// chunkSize is how many records are allocated together: a day grows without
// copying what it has.
const chunkSize = 512

// entry is of a transaction what is added up. Tables scan entries in order, so
// they are 16 bytes and apart from the rest.
type entry struct {
	amount   api.USD
	card     uint32
	merchant uint16
	flags    uint8
	hour     uint8 // of the day, UTC
}

// link is the rest of a transaction.
type link struct {
	id   uint64
	at   int64 // microseconds since 1970
	next ref   // of the same card
	pair ref   // of a settlement or a reversal its hold
	// merchant and kind are those of the entry: whoever follows a chain reads no more
	// than the links.
	merchant uint16
	country  uint16 // of the merchant
	kind     kind
	tie      uint8 // how it is paired
}

// kind is the type of a transaction.
type kind uint8

const (
	dead kind = iota // no record, or one of a type that moves nothing
	authorization
	settlement
	refund
	declined
	// Those in other currencies than USD are counted, and no amount of theirs is added up.
	foreignHold
	foreignSettlement
	foreignRefund
)

// kindOfRow is the kind of a transaction in its currency.
func kindOfRow(t *api.Transaction) kind {
	k := kindOf(t.Type)
	if t.InUSD() {
		return k
	}
	if isReversal(t.Type) {
		return dead // It is of a hold that is not added up.
	}
	switch k {
	case authorization:
		return foreignHold
	case settlement:
		return foreignSettlement
	case refund:
		return foreignRefund
	default:
		return k
	}
}

// Types of days that are kept on disk, beside those of the API.
const (
	typeForeignHold       api.TransactionType = "foreign authorization"
	typeForeignSettlement api.TransactionType = "foreign settlement"
	typeForeignRefund     api.TransactionType = "foreign refund"
)

func kindOf(t api.TransactionType) kind {
	switch t {
	case typeForeignHold:
		return foreignHold
	case typeForeignSettlement:
		return foreignSettlement
	case typeForeignRefund:
		return foreignRefund
	case api.TransactionAuthorization:
		return authorization
	case api.TransactionSettlement:
		return settlement
	case api.TransactionRefund:
		return refund
	case api.TransactionDecline:
		return declined
	default:
		if isReversal(t) {
			return authorization
		}
		return dead
	}
}

// typeReversal is what one of the types that take back a hold is called here. The contract
// has none.
const typeReversal = "reversal"

// isReversal reports whether a type takes back a hold.
func isReversal(t api.TransactionType) bool {
	switch strings.ToLower(string(t)) {
	case typeReversal, "reversed", "void", "voided", "authorization_reversal", "authorization_reversed", "authorization_void", "auth_reversal":
		return true
	default:
		return false
	}
}

// text is the type that the API calls it.
func (k *link) text() api.TransactionType {
	if k.tie&tieReversal != 0 {
		return typeReversal
	}
	return k.kind.text()
}

// text is the type that the API calls it.
func (k kind) text() api.TransactionType {
	switch k {
	case authorization:
		return api.TransactionAuthorization
	case settlement:
		return api.TransactionSettlement
	case refund:
		return api.TransactionRefund
	case declined:
		return api.TransactionDecline
	case foreignHold:
		return typeForeignHold
	case foreignSettlement:
		return typeForeignSettlement
	case foreignRefund:
		return typeForeignRefund
	default:
		return ""
	}
}

// The bits of the flags: three of the kind, one of an authorization that takes back
// another. Four more are the cause of a decline, of an authorization whether something of it may settle and whether
// something was taken of it, and of a settlement how many hours before it its hold was made, see lag.
const (
	kindBits   = 7
	backBit    = 8
	causeShift = 4
	waitsBit   = 1 << causeShift
	takenBit   = 2 << causeShift
	lagLinked  = 15
)

func flagsOf(k kind, cause decline.Cause) uint8 { return uint8(k) | uint8(cause)<<causeShift }

func (e *entry) kind() kind      { return kind(e.flags & kindBits) }
func (e *entry) takesBack() bool { return e.flags&backBit != 0 }
func (e *entry) waits() bool     { return e.kind() == authorization && e.flags&waitsBit != 0 }

func (e *entry) cause() decline.Cause {
	if e.kind() != declined {
		return 0
	}
	return decline.Cause(e.flags >> causeShift)
}

// setHold records of an authorization waitsBit, takenBit, both or none.
func (e *entry) setHold(bits uint8) { e.flags = e.flags&^(waitsBit|takenBit) | bits }

// lag is how many hours before a settlement its hold was made, lagLinked where only the links know. Most are known
// without following them, which takes longer.
func (e *entry) lag() hour { return hour(e.flags >> causeShift) }

func (e *entry) setLag(lag hour) { e.flags = e.flags&(1<<causeShift-1) | uint8(lag)<<causeShift }

// chunk holds records of one day.
type chunk struct {
	day     int32
	n       int
	entries [chunkSize]entry
	links   [chunkSize]link
}

// records holds all records, in chunks.
type records struct {
	chunks []*chunk
	free   []uint32
}

func (r *records) at(at ref) (*entry, *link) {
	c, i := r.chunks[(at-1)/chunkSize], (at-1)%chunkSize
	return &c.entries[i], &c.links[i]
}

func (r *records) link(at ref) *link {
	return &r.chunks[(at-1)/chunkSize].links[(at-1)%chunkSize]
}

func (r *records) dayOf(at ref) int32 { return r.chunks[(at-1)/chunkSize].day }

// add adds a record to a day.
func (r *records) add(d *day, e entry, k link) ref {
	if len(d.chunks) == 0 || r.chunks[d.chunks[len(d.chunks)-1]].n == chunkSize {
		d.chunks = append(d.chunks, r.grow(d.number))
	}
	number := d.chunks[len(d.chunks)-1]
	c := r.chunks[number]
	c.entries[c.n], c.links[c.n] = e, k
	c.n++
	return ref(number*chunkSize+uint32(c.n-1)) + 1
}

// grow returns the number of an empty chunk for a day.
func (r *records) grow(day int32) uint32 {
	number := uint32(len(r.chunks))
	if n := len(r.free); n > 0 {
		number, r.free = r.free[n-1], r.free[:n-1]
	} else {
		r.chunks = append(r.chunks, nil)
	}
	r.chunks[number] = &chunk{day: day}
	return number
}

// drop frees the chunks of a day.
func (r *records) drop(d *day) {
	for _, number := range d.chunks {
		r.chunks[number] = nil
		r.free = append(r.free, number)
	}
}

// each calls visit with the records of a day.
func (r *records) each(d *day, visit func(ref, *entry, *link)) {
	for _, number := range d.chunks {
		c := r.chunks[number]
		for i := range c.n {
			if c.entries[i].kind() != dead {
				visit(ref(number*chunkSize+uint32(i))+1, &c.entries[i], &c.links[i])
			}
		}
	}
}

// day is a UTC day: its records and the sums of the account by hour.
type day struct {
	number int32 // days since 1970
	chunks []uint32
	hours  [24]Totals
	// open is what is held of its holds, and delays how many of its settlements came how many hours after
	// their hold, of those where there was one hold of their amount.
	open   openSum
	delays [24 * PairDays]int32
	// version changes with every change of its transactions.
	version uint64
}

// count counts sums in a part of the range.
func (row *Row) count(in part, t *Totals) {
	switch in {
	case inRange:
		row.Now.add(t)
	case inBefore:
		row.Before.add(t)
	default:
	}
}

// correct counts a record in the part that it is in, and no longer in that of its segment.
func (row *Row) correct(base, in part, e *entry) {
	t := totalsOf(e)
	row.count(in, &t)
	t = t.negative()
	row.count(base, &t)
}

// scan calls visit with the records of the account that are in another part of a range than
// their segment.
func (l *Ledger) scan(r Range, visit func(base, in part, e *entry)) {
	w, today := l.window(r), l.hour.day()
	for n, d := range l.days {
		base, parts := r.base(segmentOf(n, today)), w.parts(n)
		if !slices.ContainsFunc(parts[:], func(in part) bool { return in != base }) {
			continue
		}
		for _, number := range d.chunks {
			c := l.records.chunks[number]
			for i := range c.entries[:c.n] {
				e := &c.entries[i]
				in := parts[e.hour]
				if in == cut {
					in = w.partAt(hourIn(n, e.hour), c.links[i].at)
				}
				if in != base && e.kind() != dead {
					visit(base, in, e)
				}
			}
		}
	}
}
