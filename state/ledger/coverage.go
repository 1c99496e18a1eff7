package ledger

import (
	"slices"
	"time"
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
