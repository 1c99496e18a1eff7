package budget

import (
	"cmp"
	"iter"
	"slices"
	"time"
)

// Entry is what one lane spent on one kind in ten seconds: what is kept over a restart,
// so that a program started again does not overrun the hour.
type Entry struct {
	Start time.Time `json:"start"` // of the ten seconds, UTC
	Lane  string    `json:"lane"`
	Kind  Kind      `json:"kind"`
	User  bool      `json:"user,omitempty"` // A user caused it.
	Count int       `json:"count"`
}

// Export gives the last hour, oldest first.
func (b *Budget) Export(now time.Time) []Entry {
	at := b.since(now)
	var entries []Entry
	for p, w := range b.spent {
		w.advance(at)
		for number := w.newest - int64(len(w.ring)) + 1; number <= w.newest; number++ {
			if n := w.ring[w.slot(number)]; n > 0 {
				begins := time.Duration(number)*w.width - at
				entries = append(entries, Entry{now.Add(begins).Round(0).UTC(), p.lane, p.kind, p.user, n})
			}
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int {
		if c := a.Start.Compare(b.Start); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(a.Lane, b.Lane), cmp.Compare(a.Kind, b.Kind))
	})
	return entries
}

// Elsewhere replaces what other programs spent on the same key, earlier runs
// of this one among them, and how many of them are running. Entries count from
// the end of their ten seconds; what is older than the hour, lies more than a
// minute ahead or counts nothing is ignored. Together the programs stay within
// the limits as far as each tells the others in time.
func (b *Budget) Elsewhere(now time.Time, entries []Entry, programs int) {
	at := b.since(now)
	b.programs = programs
	b.lanes = make(map[string]int)
	b.elsewhere = newLimits()
	for e, age := range valid(now, entries) {
		b.elsewhere.past(at, age, e)
		b.lanes[e.Lane] += e.Count
	}
}

// valid gives the entries that count, each with its age.
func valid(now time.Time, entries []Entry) iter.Seq2[Entry, time.Duration] {
	return func(yield func(Entry, time.Duration) bool) {
		for _, e := range entries {
			age := now.Sub(e.Start) - coarse
			if e.Count <= 0 || e.Count > PerHour || age < -time.Minute || age > time.Hour {
				continue
			}
			if e.Kind != Create && e.Kind != Details {
				e.Kind = Other
			}
			if !yield(e, max(age, 0)) {
				return
			}
		}
	}
}

// past counts an entry in every window it belongs to.
func (l *limits) past(at, age time.Duration, e Entry) {
	past(&l.minute, at, age, e.Count)
	past(&l.hour, at, age, e.Count)
	if e.User {
		past(&l.user, at, age, e.Count)
	}
	switch e.Kind {
	case Create:
		past(&l.creates, at, age, e.Count)
	case Details:
		past(&l.details, at, age, e.Count)
	default:
	}
}

// past adds to a window what is some time old.
func past(w *window, at, age time.Duration, n int) {
	w.advance(at)
	w.addPast(w.number(at-age), n)
}
