package ledger

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
)

// Page is a page of a list of transactions, newest first, counted from 1: of what
// was made from From to To, both included.
type Page struct {
	Span
	Number int
}

// Backfill plans the reading of what a ledger lacks: page by page, the newest day
// first. A list never reaches over the end of a UTC day: what is made meanwhile is
// not on it, so that its pages stay where they are.
type Backfill struct {
	hole Span // that is being read; zero for none
	// to is up to when it is listed now, page the last page that was read of that,
	// and oldest its oldest transaction.
	to, oldest time.Time
	page       int
	// refused are the holes that the API refuses to list.
	refused []Span
}

// Next returns the page to read next of the last days of a ledger, today among them, up
// to a time; false when nothing is left to read.
func (b *Backfill) Next(l *Ledger, until time.Time, days int) (Page, bool) {
	if b.hole.From.IsZero() || !slices.Contains(l.Holes(b.hole), b.hole) {
		hole, ok := b.newest(l, until, int32(min(days, Days)))
		if !ok {
			return Page{}, false
		}
		b.begin(hole)
	}
	return Page{Span{b.hole.From, b.to}, b.page + 1}, true
}

func (b *Backfill) begin(hole Span) { *b = Backfill{hole: hole, to: hole.To, refused: b.refused} }

// newest returns the last hole of the newest day that has one.
func (b *Backfill) newest(l *Ledger, until time.Time, days int32) (Span, bool) {
	for n := l.hour.day(); n > l.hour.day()-days; n-- {
		day := Span{dayTime(n), earliest(dayTime(n+1), until)}
		for _, hole := range slices.Backward(l.Holes(day)) {
			if !slices.ContainsFunc(b.refused, func(s Span) bool { return s.From.Before(hole.To) && hole.From.Before(s.To) }) {
				return hole, true
			}
		}
	}
	return Span{}, false
}

// Loaded merges a page that was read; more reports whether it was full. It returns
// the hole when all of that was read.
func (b *Backfill) Loaded(p Page, items []api.Transaction, more bool) (whole Span, ok bool) {
	if p.From != b.hole.From || p.To != b.to || p.Number != b.page+1 {
		return Span{}, false // Something else has read it meanwhile.
	}
	b.page = p.Number
	for i := range items {
		if at := items[i].CreatedAt; b.oldest.IsZero() || at.Before(b.oldest) {
			b.oldest = at
		}
	}
	if more {
		return Span{}, false
	}
	whole = b.hole
	b.hole = Span{}
	return whole, true
}

// Refused records that the API refuses a page. A later page is asked for as the
// first one of a shorter list; what has no first page is left out from then on.
func (b *Backfill) Refused(p Page) {
	switch {
	case p.From != b.hole.From || p.To != b.to || p.Number != b.page+1:
	case b.page > 0 && b.oldest.Before(b.to):
		b.to, b.page = b.oldest, 0
	default:
		b.refused = append(b.refused, b.hole)
		b.hole = Span{}
	}
}
