package budget

import (
	"cmp"
	"slices"
	"time"
)

// Entry is what one lane spent on one kind in ten seconds: what is kept over a restart,
// so that a program started again does not overrun the hour.
type Entry struct {
	Start time.Time `json:"start"` // of the ten seconds, UTC
	Lane  string    `json:"lane"`
	Kind  Kind      `json:"kind"`
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
				entries = append(entries, Entry{now.Add(begins).Round(0).UTC(), p.lane, p.kind, n})
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

// Import adds entries of an earlier run. They count from the end of their ten
// seconds; what is older than the hour, lies more than a minute ahead or
// counts nothing is ignored.
func (b *Budget) Import(now time.Time, entries []Entry) {
	at := b.since(now)
	for _, e := range entries {
		age := now.Sub(e.Start) - coarse
		if e.Count <= 0 || e.Count > PerHour || age < -time.Minute || age > time.Hour {
			continue
		}
		age = max(age, 0)
		past(&b.minute, at, age, e.Count)
		past(&b.hour, at, age, e.Count)
		switch e.Kind {
		case Create:
			past(&b.creates, at, age, e.Count)
		case Details:
			past(&b.details, at, age, e.Count)
		default:
			e.Kind = Other
		}
		past(b.purpose(purpose{e.Lane, e.Kind}), at, age, e.Count)
	}
}

// past adds to a window what is some time old.
func past(w *window, at, age time.Duration, n int) {
	w.advance(at)
	w.addPast(w.number(at-age), n)
}
