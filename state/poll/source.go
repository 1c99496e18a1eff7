// Package poll decides when each polled resource is asked for next: intervals,
// backoff after failures, throttling when requests run short, and the offset
// of the server's clock. It is pure: it sends nothing, reads no clock and
// starts no goroutine.
package poll

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
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

// Lane is one polled resource.
type Lane uint8

// The lanes, most urgent first: the order in which they resume after an
// outage.
const (
	Codes Lane = iota
	Wallet
	Feed
	Hot
	Sweep
	History
	Deposits
	// Lanes is how many there are.
	Lanes
)

// Attention is how closely the user watches the dashboard.
type Attention uint8

// The grades of attention.
const (
	Focused Attention = iota
	Unfocused
	Awaiting   // a code is waited for
	Background // the account is not the one on the screen
	attentions
)

// plan is one row of the schedule. An interval of zero polls once.
type plan struct {
	name     string
	interval [attentions]time.Duration
	maxWait  time.Duration
}

// schedule holds the intervals. The hour's 10,000 requests are the limit,
// codes come first, and only the sweep may cost more with more cards.
var schedule = [Lanes]plan{
	Codes:    {lang.N("codes"), [attentions]time.Duration{time.Second, 3 * time.Second, armedEvery, backgroundCodes}, codesWait},
	Wallet:   {lang.N("wallet"), every(10 * time.Second), 30 * time.Second},
	Feed:     {lang.N("transactions"), every(3 * time.Second), 30 * time.Second},
	Hot:      {lang.N("cards"), every(10 * time.Second), 30 * time.Second},
	Sweep:    {lang.N("all cards"), every(5 * time.Minute), 30 * time.Second},
	History:  {lang.N("history"), every(0), 30 * time.Second},
	Deposits: {lang.N("deposits"), every(time.Minute), 30 * time.Second},
}

// every is the interval of a lane that rests four times longer while the
// terminal has no focus, and a minute at least in the background.
func every(d time.Duration) [attentions]time.Duration {
	if d == 0 {
		return [attentions]time.Duration{}
	}
	return [attentions]time.Duration{d, 4 * d, d, max(4*d, backgroundLeast)}
}

const (
	// armedEvery is how often codes are read while a checkout is armed.
	armedEvery = 500 * time.Millisecond
	// backgroundCodes is how often codes are read of an account that is not the
	// one on the screen, backgroundLeast the shortest pause of its other lanes.
	backgroundCodes = 5 * time.Second
	backgroundLeast = time.Minute
	// codesWait is the longest pause before codes are asked for again: they are
	// read within five seconds of the network's return.
	codesWait = 4 * time.Second
	// sweepCost is how long a sweep takes for each page it reads: 180 pages an
	// hour, so that all lanes together stay under 60 % of the hour, with what a
	// usual day's codes and late transactions cost besides.
	sweepCost = 20 * time.Second
)

// String is the name of the lane in the request budget.
func (l Lane) String() string { return schedule[l].name }
