package ledger

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
)

// Span is a stretch of time, From included and To not.
type Span struct{ From, To time.Time }

// Coverage says how much of a figure's time was read.
type Coverage struct {
	// Since is from when on everything up to Until was read; both are zero when
	// nothing was.
	Since, Until time.Time
	// Complete reports whether everything that the figure is about was read, as
	// far as Until. Where it is not, the figure is a lower bound.
	Complete bool
}

// Cover records that all transactions of a span were read. A zero from is the
// begin of all time.
func (l *Ledger) Cover(from, to time.Time) {
	if !from.Before(to) {
		return
	}
	from, to = from.UTC(), to.UTC()
	first, _ := slices.BinarySearchFunc(l.known, from, func(s Span, t time.Time) int { return s.To.Compare(t) })
	last := first
	for last < len(l.known) && !l.known[last].From.After(to) {
		from, to = earliest(from, l.known[last].From), latest(to, l.known[last].To)
		last++
	}
	l.known = slices.Replace(l.known, first, last, Span{from, to})
	l.version++
	l.relearns = true
	l.relearn()
}

// Known returns the spans of which all was read, oldest first.
func (l *Ledger) Known() []Span { return slices.Clone(l.known) }

// Holes returns what was not read of a span, oldest first.
func (l *Ledger) Holes(within Span) []Span {
	var out []Span
	from := within.From
	for _, s := range l.known {
		if s.From.After(from) && from.Before(within.To) {
			out = append(out, Span{from, earliest(s.From, within.To)})
		}
		from = latest(from, s.To)
	}
	if from.Before(within.To) {
		out = append(out, Span{from, within.To})
	}
	return out
}

// Coverage says how much was read of a range.
func (l *Ledger) Coverage(r Range) Coverage { return l.coverage(l.Begin(r), time.Time{}) }

// Begin returns when a range begins.
func (l *Ledger) Begin(r Range) time.Time { return l.window(r).from.time() }

// ReadBack returns from when on everything was read, as far as it is held.
func (l *Ledger) ReadBack() time.Time {
	return latest(l.Coverage(Last30d).Since, l.Begin(Last30d))
}

// coverage says how much was read of what was made from a time to another, zero
// for now.
func (l *Ledger) coverage(from, to time.Time) Coverage {
	if len(l.known) == 0 {
		return Coverage{}
	}
	last := l.known[len(l.known)-1]
	c := Coverage{Since: last.From, Until: last.To}
	if to.IsZero() || to.After(last.To) {
		to = last.To
	}
	c.Complete = from.Before(to) && slices.ContainsFunc(l.known, func(s Span) bool { return !s.From.After(from) && !s.To.Before(to) })
	return c
}

func earliest(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

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

// Advance moves the clock on, the server's. With each hour some holds are not counted any more; with
// each day some records come into another segment, and what is too old is dropped. A
// clock that goes back by less than an hour changes nothing.
func (l *Ledger) Advance(now time.Time) {
	if l.now.Sub(now) >= time.Hour {
		l.goBack(now)
		return
	}
	if now.After(l.now) {
		l.now = now
	}
	to := hourOf(now.UnixMicro())
	if to <= l.hour {
		return
	}
	from := l.hour
	l.hour = to
	l.version++
	l.endRecent(from)
	if from.day() != to.day() {
		l.beginDay(from)
	}
	l.relearn()
}

// goBack counts everything again at an earlier time: this machine's clock was ahead until the server's was known.
func (l *Ledger) goBack(now time.Time) {
	all := func(sign int) {
		for _, d := range l.days {
			l.records.each(d, func(at ref, _ *entry, _ *link) { l.apply(at, sign) })
		}
	}
	all(-1)
	l.now, l.hour = now, hourOf(now.UnixMicro())
	all(1)
	for _, d := range l.days {
		l.records.each(d, func(_ ref, e *entry, k *link) {
			if pairs(k.kind) {
				l.touched = append(l.touched, e.card)
			}
		})
	}
	l.pairTouched()
	l.relearns = true
	l.relearn()
}

// beginDay has the records come to what they do on another day than that of an hour.
func (l *Ledger) beginDay(from hour) {
	to := l.hour
	for n, d := range l.days {
		l.recount(d, from)
		if n > from.day()-PairDays {
			l.touchDay(d, from)
		}
	}
	l.pairTouched()
	for n, d := range l.days {
		if n <= to.day()-Days {
			l.dropDay(d)
		}
	}
	l.relearns = true
}

// touchDay has those cards paired again of whose pairs another day can make others: those with a transaction
// that is paired no more, with one that tells now how long settlements take, and with a settlement that may be of a
// hold before those that are paired. All others would be paired as they are.
func (l *Ledger) touchDay(d *day, from hour) {
	begin, today := l.pairFrom(), l.hour.day()
	over, early, learned := d.number < begin, d.number < begin+beginDays, d.number >= from.day() && d.number < today
	if !over && !learned && !early {
		return
	}
	l.records.each(d, func(_ ref, e *entry, k *link) {
		switch {
		case !pairs(k.kind):
		case over, learned, early && k.kind == settlement && l.context(e.card).IsOfEarlier(k.at):
			l.touched = append(l.touched, e.card)
		}
	})
}

// recount counts the records of a day again that come to something else than at an
// earlier hour.
func (l *Ledger) recount(d *day, from hour) {
	to := l.hour
	before, now := segmentOf(d.number, from.day()), segmentOf(d.number, to.day())
	if before == now {
		return
	}
	move := func(s *[segments]Totals, t, back *Totals) {
		s[before].add(back)
		s[now].add(t)
	}
	l.records.each(d, func(_ ref, e *entry, _ *link) {
		t := totalsOf(e)
		back := t.negative()
		move(l.cards.totals.at(e.card), &t, &back)
		move(l.cards.bins.sumOf(e.card), &t, &back)
		move(l.cards.campaigns.sumOf(e.card), &t, &back)
		move(l.merchants.totals.at(uint32(e.merchant)), &t, &back)
	})
}

// dropDay removes a day and its transactions.
func (l *Ledger) dropDay(d *day) {
	var of []uint32
	l.records.each(d, func(at ref, e *entry, k *link) {
		l.apply(at, -1)
		delete(l.ids, k.id)
		of = append(of, e.card)
	})
	slices.Sort(of)
	first, last := hourIn(d.number, 0).time().UnixMicro(), hourIn(d.number+1, 0).time().UnixMicro()
	for cards := range slices.Chunk(slices.Compact(of), fetchMost) {
		l.fetch(cards)
		for _, card := range cards {
			l.unlink(card, func(_ ref, k *link) bool { return k.at >= first && k.at < last })
		}
	}
	l.records.drop(d)
	delete(l.days, d.number)
}
