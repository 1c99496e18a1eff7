// Package budget counts requests against the limits of the service, so that
// the program refuses a request itself before the service has to: 1,000 a
// minute and 10,000 an hour, among them 50 card creations and 30 looks at
// card details a minute (contract, Limits). The windows roll (ASSUMED 23).
//
// The package is pure: every function takes the time, nothing runs on its
// own, and a Budget is for one goroutine.
package budget

import (
	"maps"
	"time"
)

// Limits of the service.
const (
	PerMinute        = 1_000
	PerHour          = 10_000
	CreatesPerMinute = 50
	DetailsPerMinute = 30
)

// BulkCreatesPerMinute leaves room for a card that is issued by itself.
const BulkCreatesPerMinute = CreatesPerMinute - 2

// Reserve is the part of the hour that is kept for what the user does: 20 %.
// What they do is taken from it first, and most of it slows nothing else down.
const Reserve = PerHour / 5

// Kind is what a request counts against besides the minute and the hour.
type Kind int

// The kinds of requests.
const (
	Other   Kind = iota
	Create       // POST /cards
	Details      // GET /cards/{card_id}/details
)

// Priority says how far into the windows a request may reach: the less it is
// missed, the sooner it is refused, so that what is refused last is what
// matters most.
type Priority int

// The priorities, least first. Nobody waits for those before User.
const (
	Low Priority = iota
	Middle
	High
	// Bulk is what goes on for a user for a while: what is done to many cards at
	// once, the codes of an armed checkout. It spends their reserve and leaves
	// some of it, and the codes' part of the minute, for what they do meanwhile.
	Bulk
	User
)

// ceiling is how much of the minute and of the hour may be used before a
// request of this priority is refused.
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

// Widths of the buckets that windows are counted in. A window spans one
// bucket more than its time, because its oldest one is not over yet, and one
// again, because requests do not travel equally long.
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

// Budget holds the requests of the last minute and the last hour.
type Budget struct {
	start time.Time // the first time seen
	own   limits
	// elsewhere is what other programs spend on the same key, and how many of
	// them are running.
	elsewhere limits
	programs  int
	lanes     map[string]int      // of elsewhere, as last told
	spent     map[purpose]*window // of the hour, by this program
}

// limits are the windows that are limited; user is the part of the hour that
// users caused.
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

// New gives a budget that nothing was taken from.
func New() *Budget {
	return &Budget{own: newLimits(), elsewhere: newLimits(), spent: make(map[purpose]*window)}
}

// Take spends one request of a lane if every limit allows it. If not, wait is
// the time after which it will, provided nothing else is taken; the time is
// whole buckets, so it may be up to ten seconds longer than needed.
func (b *Budget) Take(now time.Time, kind Kind, priority Priority, lane string) (ok bool, wait time.Duration) {
	at := b.since(now)
	for _, l := range b.limits(at, kind, priority) {
		wait = max(wait, l.own.waitBeside(l.elsewhere, at, l.limit))
	}
	if wait > 0 {
		return false, wait
	}
	b.add(at, purpose{lane, kind, priority >= Bulk})
	return true, 0
}

// Use is what the last minute and hour were spent on.
type Use struct {
	Minute, Hour int
	Lanes        map[string]int // of the hour, by lane
	Elsewhere    int            // of the hour, by other programs on the key and earlier runs
	Programs     int            // others that are running
}

// Used gives the figures of the last minute and hour.
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

type limited struct {
	own, elsewhere *window
	limit          int
}

func (b *Budget) limits(at time.Duration, kind Kind, priority Priority) []limited {
	minute, hour := priority.ceiling()
	if priority < Bulk {
		hour += b.reserved(at)
	}
	o, e := &b.own, &b.elsewhere
	all := append(make([]limited, 0, 3), limited{&o.minute, &e.minute, minute}, limited{&o.hour, &e.hour, hour})
	switch kind {
	case Create:
		limit := CreatesPerMinute
		if priority == Bulk {
			limit = BulkCreatesPerMinute
		}
		return append(all, limited{&o.creates, &e.creates, limit})
	case Details:
		return append(all, limited{&o.details, &e.details, DetailsPerMinute})
	default:
		return all
	}
}

// reserved is how much users have taken of the part of the reserve that slows
// nothing down. The polls reach as far as what goes on for a user for a while,
// and no further: they would stop it.
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

// since measures from the first time seen. Differences of times that carry a
// monotonic reading do not follow a clock that is set.
func (b *Budget) since(now time.Time) time.Duration {
	if b.start.IsZero() {
		b.start = now
	}
	return now.Sub(b.start)
}
