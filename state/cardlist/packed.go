package cardlist

import (
	"cmp"
	"time"
	"unicode/utf8"
	"unique"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
)

// Row is a Card in half its memory, and what the store records beside it: 136
// bytes, so that a block of them fills what the runtime allocates for it.
type Row struct {
	ID             api.CardID
	Label          api.Text
	Kind           Kind
	Last4          Last4
	NoLabel        bool // no answer said the label
	Balance, Spent api.USD
	Month, Limit   api.USD
	Created, Used  Stamp
	Expires        Stamp

	// Fence is the newest request whose answer is too old to change this card:
	// an operation, or the answer to a later request, is newer.
	Fence poll.Seq
	// Read is when the values of the card were read, this machine's clock.
	Read Stamp
	// Sweep is the sweep during which the card was last listed.
	Sweep int32
	// Number stands for the name where names are hidden; 0 before they ever were.
	// No two cards of a run have the same.
	Number int32
	// After is the newest operation that had begun when the card was first read.
	After uint32
	// Cached is as in Card; Compared reports whether the balance was compared with
	// the limits of the alerts, Judged whether its spending was.
	Cached, Compared, Judged bool
	// Expired is as in Card.
	Expired bool
}

// Card returns the card of the row.
func (r *Row) Card() Card {
	return Card{
		ID: r.ID, BIN: r.BIN(), Network: r.Network(), Last4: r.Last4.Text(), Label: r.Label, Status: r.Status(),
		Balance: r.Balance, CreatedAt: r.Created.Time(), Spent24h: r.Spent, Month: r.Month, Limit: r.Limit, LastUsed: r.Used.Time(), Cached: r.Cached, number: r.Number,
		ExpiresAt: r.Expires.Time(), Expired: r.Expired,
	}
}

func rowOf(c Card) Row {
	return Row{
		ID: c.ID, Label: c.Label, Kind: KindOf(c.BIN, c.Network, c.Status), Last4: Last4Of(c.Last4),
		Balance: c.Balance, Spent: c.Spent24h, Month: c.Month, Limit: c.Limit, Created: StampOf(c.CreatedAt), Used: StampOf(c.LastUsed), Cached: c.Cached,
		Expires: StampOf(c.ExpiresAt), Expired: c.Expired,
	}
}

// BIN returns the id of the card's BIN.
func (r *Row) BIN() api.BINID { return r.Kind.texts().bin }

// Network returns the name of the card's network.
func (r *Row) Network() api.Text { return r.Kind.texts().network }

// Status returns the card's status.
func (r *Row) Status() api.CardStatus { return r.Kind.texts().status }

// Shown returns the status to show of the card.
func (r *Row) Shown() api.CardStatus { return Shown(r.Status(), r.Expired) }

// SetStatus changes the status.
func (r *Row) SetStatus(s api.CardStatus) {
	if k := r.Kind.texts(); k.status != s {
		r.Kind = KindOf(k.bin, k.network, s)
	}
}

// Kind is what many cards have alike: BIN, network and status. Each combination is
// in memory once. The zero value has none of the three.
type Kind struct{ handle unique.Handle[kindTexts] }

type kindTexts struct {
	bin     api.BINID
	network api.Text
	status  api.CardStatus
}

// KindOf returns the kind of a BIN, a network and a status.
func KindOf(bin api.BINID, network api.Text, status api.CardStatus) Kind {
	k := kindTexts{bin, network, status}
	if k == (kindTexts{}) {
		return Kind{}
	}
	return Kind{unique.Make(k)}
}

func (k Kind) texts() kindTexts {
	if k == (Kind{}) {
		return kindTexts{}
	}
	return k.handle.Value()
}

// Last4 is the last digits of a card, without memory of their own. They are four in the
// contract; of more than six bytes it has the first and "…".
type Last4 struct {
	text [6]byte
	n    uint8
}

const cut = "…"

// Last4Of returns digits as they are stored in a row.
func Last4Of(s api.Text) (l Last4) {
	if len(s) > len(l.text) {
		n := len(l.text) - len(cut)
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n] + cut
	}
	l.n = uint8(copy(l.text[:], s))
	return l
}

// Bytes returns the digits to be read only: they are the row's own.
func (l *Last4) Bytes() []byte { return l.text[:l.n] }

// Text returns the digits.
func (l *Last4) Text() api.Text { return api.Text(l.text[:l.n]) }

// Stamp is a time in microseconds since 1970, UTC; 0 is the zero time.
type Stamp int64

// StampOf returns a time as it is stored in a row.
func StampOf(t time.Time) Stamp {
	if t.IsZero() {
		return 0
	}
	return Stamp(t.UnixMicro())
}

// Time returns the time.
func (s Stamp) Time() time.Time {
	if s == 0 {
		return time.Time{}
	}
	return time.UnixMicro(int64(s)).UTC()
}

// expiries is on which part of the server's clock Row.Expired is right for all cards:
// from the latest expiry that passed to the next one. Zero is no bound.
type expiries struct{ from, until time.Time }

// add narrows the part of the clock by an expiry.
func (e *expiries) add(at time.Time, passed bool) {
	switch {
	case passed && at.After(e.from):
		e.from = at
	case !passed && (e.until.IsZero() || at.Before(e.until)):
		e.until = at
	}
}

// Passed reports whether an expiry has passed; one that is not known has not.
func Passed(expiry, now time.Time) bool { return !expiry.IsZero() && !now.Before(expiry) }

// SetExpiry records when a card expires, on the server's clock, and reports whether that
// was not known.
func (t *Table) SetExpiry(id api.CardID, at, now time.Time) bool {
	r := t.Get(id)
	if r == nil || at.IsZero() || r.Expires == StampOf(at) {
		return false
	}
	r = t.Find(id)
	r.Expires, r.Expired = StampOf(at), Passed(at, now)
	t.dated.add(at, r.Expired)
	return true
}

// Expire marks the cards that have expired, and unmarks those that have not after all: the
// server's clock was not known before. It reports whether there were any.
func (t *Table) Expire(now time.Time) (changed bool) {
	if !now.Before(t.dated.from) && (t.dated.until.IsZero() || now.Before(t.dated.until)) {
		return false
	}
	t.dated = expiries{}
	for i, r := range t.Rows() {
		at := r.Expires.Time()
		passed := Passed(at, now)
		if passed != r.Expired {
			t.Change(i).Expired = passed
			changed = true
		}
		if !at.IsZero() {
			t.dated.add(at, passed)
		}
	}
	return changed
}

// Undated returns the card whose expiry is to be read by itself: active ones with a
// balance first, then other active ones, then frozen ones, the oldest of each first. Skip
// are cards of which it cannot be read.
func (t *Table) Undated(skip map[api.CardID]bool) (api.CardID, bool) {
	var best *Row
	for _, r := range t.Rows() {
		if r.Expires != 0 || r.Status() == api.CardTerminated || skip[r.ID] {
			continue
		}
		if best == nil || datedFirst(r, best) < 0 {
			best = r
		}
	}
	if best == nil {
		return "", false
	}
	return best.ID, true
}

func datedFirst(a, b *Row) int {
	rank := func(r *Row) int {
		switch {
		case r.Status() != api.CardActive:
			return 2
		case r.Balance < api.Cent:
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Created, b.Created))
}
