package budget

import (
	"iter"
	"time"
)

// Entry is what one lane spent on one kind within ten seconds. Entries are saved over a
// restart and shared between programs on one key, so that together they stay within the
// hour.
type Entry struct {
	Start time.Time `json:"start"` // of the ten seconds, UTC
	Lane  string    `json:"lane"`
	Kind  Kind      `json:"kind"`
	User  bool      `json:"user,omitempty"` // A user caused it.
	Count int       `json:"count"`
}

// exact is the age from which an entry stands for a minute: every program writes and reads all entries every few seconds.
const exact = 2 * time.Minute

// Export returns the entries of the last hour, in no order. Those of an older minute are one, of its last ten seconds:
// none leaves the hour too early.
func (b *Budget) Export(now time.Time) []Entry {
	at := b.since(now)
	var entries []Entry
	for p, w := range b.spent {
		w.advance(at)
		minute := int64(-1) // That the last entry stands for.
		for number := w.newest - int64(len(w.ring)) + 1; number <= w.newest; number++ {
			n := w.ring[w.slot(number)]
			if n == 0 {
				continue
			}
			begins := time.Duration(number) * w.width
			e := Entry{now.Add(begins - at).Round(0).UTC(), p.lane, p.kind, p.user, n}
			if last := len(entries) - 1; minute == int64(begins/time.Minute) && at-begins > exact {
				e.Count += entries[last].Count
				entries[last] = e
				continue
			}
			minute = int64(begins / time.Minute)
			entries = append(entries, e)
		}
	}
	return entries
}

// Elsewhere sets what other programs spent on the same key, including earlier runs of
// this one, and how many of them run. Entries count from the end of their ten seconds;
// an entry older than an hour, more than a minute ahead or without a count is ignored.
func (b *Budget) Elsewhere(now time.Time, entries []Entry, programs int) {
	at := b.since(now)
	b.programs = programs
	b.lanes = make(map[string]int)
	b.elsewhere = newLimits()
	for e, age := range validEntries(now, entries) {
		b.elsewhere.addPast(at, age, e)
		b.lanes[e.Lane] += e.Count
	}
}

// validEntries returns the entries that count, each with its age.
func validEntries(now time.Time, entries []Entry) iter.Seq2[Entry, time.Duration] {
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

// addPast counts an entry in every window it belongs to.
func (l *limits) addPast(at, age time.Duration, e Entry) {
	addPastTo(&l.minute, at, age, e.Count)
	addPastTo(&l.hour, at, age, e.Count)
	if e.User {
		addPastTo(&l.user, at, age, e.Count)
	}
	switch e.Kind {
	case Create:
		addPastTo(&l.creates, at, age, e.Count)
	case Details:
		addPastTo(&l.details, at, age, e.Count)
	default:
	}
}

// addPastTo adds requests of some age to a window.
func addPastTo(w *window, at, age time.Duration, n int) {
	w.advance(at)
	w.addAt(w.number(at-age), n)
}
