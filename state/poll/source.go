// Package poll decides when each polled resource is asked for next: intervals,
// backoff after failures, throttling when requests run short, and the offset
// of the server's clock. It is pure: it sends nothing, reads no clock and
// starts no goroutine.
package poll

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
)

// Source says where a lane's data came from and how old it is.
type Source struct {
	Every time.Duration // polling interval
	OKAt  time.Time     // last good answer, this machine's clock; zero for none
	Err   error         // why the last try failed; nil when it did not
	Since time.Time     // first failure in a row
	// Slowed says that requests are short and the lane rests longer, ShortTill
	// until when none is left for it at all; zero when that is not so.
	Slowed bool
	// Windows is how many programs share the key's hour, this one included.
	Windows   int
	ShortTill time.Time
	// Pushed says that the lane rests longer because deliveries tell of what is new.
	Pushed bool
	// Cached says that the data is from an earlier run, as is OKAt: this one
	// has had no good answer yet.
	Cached bool
	// Unread are the items of its list that could not be read.
	Unread []api.Unread
}

// Source reports on a lane.
func (t *Table) Source(id Lane) Source {
	l := t.lanes[id]
	src := Source{Every: t.Interval(id), OKAt: l.okAt, Err: l.err, Since: l.failedAt, Slowed: t.throttle[id] > 1, Windows: 1 + t.budget.Programs, Cached: l.cached}
	if t.rest != nil && (id != Codes || !t.armed) {
		every := schedule[id].interval[t.attention]
		src.Pushed = every > 0 && t.rest(id, every) > every
	}
	if !Reached(t.now, l.shortTill) {
		src.ShortTill = l.shortTill
	}
	src.Unread = t.unread[id].all
	switch id { // Two lanes read the same list.
	case Hot:
		src.Unread = union(src.Unread, t.unread[Sweep].all)
	case Feed:
		src.Unread = union(src.Unread, t.unread[History].all)
	default:
	}
	return src
}

func union(a, b []api.Unread) []api.Unread {
	out := slices.Clip(a)
	for _, u := range b {
		if !slices.Contains(a, u) {
			out = append(out, u)
		}
	}
	return out
}

// unread is what of a list could not be read: all of it, and of the pages that were read
// since.
type unread struct{ all, reading []api.Unread }

// SetUnread records what of a page of a lane's list could not be read; page is 0 for a list
// without pages.
func (t *Table) SetUnread(id Lane, page int, items []api.Unread) {
	u := &t.unread[id]
	if page <= 1 {
		u.reading = nil
	}
	u.reading = append(slices.Clip(u.reading), items...)
}

// Age is how old a lane's data is, by the clock that ran further; negative
// when there is none.
func (src Source) Age(now time.Time) time.Duration {
	if src.OKAt.IsZero() {
		return -1
	}
	return max(0, Elapsed(src.OKAt, now))
}

// Stale reports whether three intervals passed without a good answer.
func (src Source) Stale(now time.Time) bool {
	return src.Err != nil && src.Age(now) > 3*src.Every || src.Age(now) > 3*src.Every+5*time.Second
}

// Reading returns what could not be read of the pages so far of a list that is being read.
func (t *Table) Reading(id Lane) []api.Unread { return t.unread[id].reading }
