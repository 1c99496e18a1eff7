// Package budget counts requests against the rate limits of the service, so that
// the program refuses a request before the service has to: 1,000 a minute and
// 10,000 an hour, among them 50 card creations and 30 requests for card details a
// minute (contract, Limits). The windows roll (ASSUMED 23).
//
// The package is pure: every function has the time as a parameter, nothing runs in
// the background, and a Budget is for one goroutine.
package budget

import (
	"maps"
	"time"
)

// Rate limits of the service (contract, Limits).
const (
	PerMinute        = 1_000
	PerHour          = 10_000
	CreatesPerMinute = 50
	DetailsPerMinute = 30
)

// BulkCreatesPerMinute leaves room for cards that are issued one by one.
const BulkCreatesPerMinute = CreatesPerMinute - 2

// Reserve is the part of the hour that is reserved for actions of the user: 20 %.
// Their requests use it first, and up to three quarters of it slow nothing else down.
const Reserve = PerHour / 5

// Kind is what a request counts against besides the minute and the hour.
type Kind int

// The kinds of requests.
const (
	Other   Kind = iota
	Create       // POST /cards
	Details      // GET /cards/{card_id}/details
)

// Priority is how much of the windows a request may use: the lower it is, the sooner
// it is refused.
type Priority int

// The priorities, lowest first. The user waits for User only.
const (
	Low Priority = iota
	Middle
	High
	// Bulk is work that the user started and that goes on for a while: a change of
	// many cards, the codes of an armed checkout. It may use the reserve except for
	// a rest, and not the codes' part of the minute, so that other actions work
	// meanwhile.
	Bulk
	User
)

// ceiling returns how many requests the minute and the hour may have before one of this
// priority is refused.
func (p Priority) ceiling() (minute, hour int) {
	switch p {
	case User:
		return PerMinute, PerHour
	case Bulk:
		return PerMinute * 65 / 100, PerHour - PerHour/20
	case High:
		return PerMinute * 8 / 10, PerHour - Reserve
	case Middle:
		return PerMinute * 65 / 100, PerHour - Reserve - PerHour/50
	default:
		return PerMinute / 2, PerHour - Reserve - PerHour/25
	}
}

// Widths of the buckets of a window. A window spans one bucket more than its time,
// because its oldest one is not over yet, and another one, because requests do not
// take equally long to arrive.
const (
	fine   = time.Second
	coarse = 10 * time.Second
	slack  = 2
)

// purpose is what a request was for.
type purpose struct {
	lane string
	kind Kind
	user bool
}

// Budget counts the requests of the last minute and the last hour.
type Budget struct {
	start time.Time // the first time seen
	own   limits
	// elsewhere is what other programs spend on the same key, programs how many of
	// them run.
	elsewhere limits
	programs  int
	lanes     map[string]int      // of elsewhere
	spent     map[purpose]*window // of the hour, by this program
}

// limits are the windows with a limit; user is the part of the hour that users caused.
type limits struct{ minute, creates, details, hour, user window }

func newLimits() limits {
	return limits{
		minute:  newWindow(fine, time.Minute),
		creates: newWindow(fine, time.Minute),
		details: newWindow(fine, time.Minute),
		hour:    newWindow(coarse, time.Hour),
		user:    newWindow(coarse, time.Hour),
	}
}

// New returns an unused budget.
func New() *Budget {
	return &Budget{own: newLimits(), elsewhere: newLimits(), spent: make(map[purpose]*window)}
}

// Take counts one request of a lane if every limit allows it. If not, wait is the time
// after which it will, provided nothing else is counted; it is rounded up to whole
// buckets, so up to ten seconds too long.
func (b *Budget) Take(now time.Time, kind Kind, priority Priority, lane string) (ok bool, wait time.Duration) {
	at := b.since(now)
	for _, l := range b.limitsOf(at, kind, priority) {
		wait = max(wait, l.own.waitWith(l.elsewhere, at, l.limit))
	}
	if wait > 0 {
		return false, wait
	}
	b.add(at, purpose{lane, kind, priority >= Bulk})
	return true, 0
}

// Use is what the last minute and hour were used for, in requests.
type Use struct {
	Minute, Hour int
	Lanes        map[string]int // of the hour, by lane
	Elsewhere    int            // of the hour, by other programs on the key and earlier runs
	Programs     int            // others that run
}

// Used returns the figures of the last minute and hour.
func (b *Budget) Used(now time.Time) Use {
	at := b.since(now)
	u := Use{
		Minute:    b.own.minute.total(at) + b.elsewhere.minute.total(at),
		Elsewhere: b.elsewhere.hour.total(at),
		Programs:  b.programs,
		Lanes:     make(map[string]int, len(b.spent)),
	}
	maps.Copy(u.Lanes, b.lanes)
	u.Hour = b.own.hour.total(at) + u.Elsewhere
	for p, w := range b.spent {
		if n := w.total(at); n > 0 {
			u.Lanes[p.lane] += n
		}
	}
	return u
}

type limitedWindow struct {
	own, elsewhere *window
	limit          int
}

func (b *Budget) limitsOf(at time.Duration, kind Kind, priority Priority) []limitedWindow {
	minute, hour := priority.ceiling()
	if priority < Bulk {
		hour += b.reserved(at)
	}
	o, e := &b.own, &b.elsewhere
	all := append(make([]limitedWindow, 0, 3), limitedWindow{&o.minute, &e.minute, minute}, limitedWindow{&o.hour, &e.hour, hour})
	switch kind {
	case Create:
		limit := CreatesPerMinute
		if priority == Bulk {
			limit = BulkCreatesPerMinute
		}
		return append(all, limitedWindow{&o.creates, &e.creates, limit})
	case Details:
		return append(all, limitedWindow{&o.details, &e.details, DetailsPerMinute})
	default:
		return all
	}
}

// reserved returns how much of the reserve users have used, as far as it slows nothing
// else down. The polls extend to the ceiling of Bulk and no further: they would stop it.
func (b *Budget) reserved(at time.Duration) int {
	return min(b.own.user.total(at)+b.elsewhere.user.total(at), Reserve*3/4)
}

func (b *Budget) add(at time.Duration, p purpose) {
	b.own.minute.add(at)
	b.own.hour.add(at)
	switch p.kind {
	case Create:
		b.own.creates.add(at)
	case Details:
		b.own.details.add(at)
	default:
	}
	if p.user {
		b.own.user.add(at)
	}
	b.purpose(p).add(at)
}

func (b *Budget) purpose(p purpose) *window {
	w, ok := b.spent[p]
	if !ok {
		fresh := newWindow(coarse, time.Hour)
		w = &fresh
		b.spent[p] = w
	}
	return w
}

// since returns the time since the first one seen. Differences of times with a
// monotonic reading are independent of a clock that is set.
func (b *Budget) since(now time.Time) time.Duration {
	if b.start.IsZero() {
		b.start = now
	}
	return now.Sub(b.start)
}
