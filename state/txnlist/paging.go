package txnlist

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
)

// Paging is how far a list was read back into the past, a page at a time. The
// pages of one reading are bounded by the time it began at, so that transactions
// made meanwhile shift none of them.
type Paging struct {
	// Back is the time on the server's clock after which all was read; zero when
	// that is not known.
	Back time.Time
	// To bounds the reading, Page is the last page read of it; 0 before the first.
	To   time.Time
	Page int
	// Asked is the request in flight, 0 for none; At is when the last one ended.
	Asked poll.Seq
	At    time.Time
	// End reports whether nothing is older. Err is why the last page failed.
	End bool
	Err error
}

// Pin returns up to when the pages after the first are asked for, which was read at a
// time on the server's clock: what is made from then on shifts none of them. It is no
// earlier than any row of the first page and ends with a second, because a server may compare
// seconds: a row that left the list would shift others past the reader. to is the bound that
// was asked for, zero for none.
func Pin(to time.Time, first []api.Transaction, serverNow time.Time) time.Time {
	pin := serverNow
	for i := range first {
		if at := first[i].CreatedAt; at.After(pin) {
			pin = at
		}
	}
	if second := pin.Truncate(time.Second); !second.Equal(pin) {
		pin = second.Add(time.Second)
	}
	if !to.IsZero() && to.Before(pin) {
		return to
	}
	return pin
}

// Ready reports whether another page can be read.
func (p *Paging) Ready(now time.Time, pause time.Duration) bool {
	return p.Asked == 0 && !p.End && !p.Back.IsZero() && poll.Elapsed(p.At, now) >= pause
}

// Next starts a request for another page, and returns the page and its bound.
func (p *Paging) Next(seq poll.Seq) (to time.Time, page int) {
	if p.Page == 0 {
		p.To = p.Back
	}
	p.Asked, p.Err = seq, nil
	return p.To, p.Page + 1
}

// ContinueFrom starts where another reading of the same rows ended, if that is
// further back.
func (p *Paging) ContinueFrom(from Paging) {
	if !from.Back.IsZero() && from.Back.Before(p.Back) {
		*p = Paging{Back: from.Back, At: p.At}
	}
}

// Reach sets that a page was read which follows what was read before. The next
// page may hold more rows of the time of the oldest.
func (p *Paging) Reach(items []api.Transaction) {
	for _, t := range items {
		p.ReachTime(t.CreatedAt)
	}
}

// ReachTime sets that all was read that was made after a time. The zero time
// changes nothing.
func (p *Paging) ReachTime(at time.Time) {
	if !at.IsZero() && (p.Back.IsZero() || at.Before(p.Back)) {
		p.Back = at
	}
}

// ReadSince reports whether all was read that was made from a time on.
func (p *Paging) ReadSince(from time.Time) bool {
	return p.End || !p.Back.IsZero() && p.Back.Before(from)
}
