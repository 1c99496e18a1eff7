// Package budget counts requests against the rate limits of the service, so that
// the program refuses a request before the service has to: 1,000 a minute and
// 10,000 an hour, among them 50 card creations and 30 requests for card details a
// minute (contract, Limits). The windows roll (ASSUMED 23).
//
// The package is pure: every function has the time as a parameter, nothing runs in
// the background, and a Budget is for one goroutine.
package budget

import (
	"iter"
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

// window counts the requests of the last span of time in a ring of buckets. When the
// clock goes back, time stands still.
type window struct {
	width  time.Duration
	ring   []int
	newest int64 // number of the newest bucket since the start
	sum    int
}

func newWindow(width, span time.Duration) window {
	return window{width: width, ring: make([]int, int(span/width)+slack)}
}

// slot returns the index of a bucket in the ring; a number below zero is before the
// start.
func (w *window) slot(number int64) int {
	n := int64(len(w.ring))
	return int((number%n + n) % n)
}

// number returns the bucket of a time.
func (w *window) number(at time.Duration) int64 {
	n := int64(at / w.width)
	if at%w.width < 0 {
		n--
	}
	return n
}

// advance clears the buckets that have left the window.
func (w *window) advance(at time.Duration) {
	number := w.number(at)
	if number-w.newest >= int64(len(w.ring)) {
		clear(w.ring)
		w.sum, w.newest = 0, number
		return
	}
	for w.newest < number {
		w.newest++
		s := w.slot(w.newest)
		w.sum -= w.ring[s]
		w.ring[s] = 0
	}
}

func (w *window) add(at time.Duration) {
	w.advance(at)
	w.ring[w.slot(w.newest)]++
	w.sum++
}

// addAt counts n requests in an older bucket, unless it has left the window.
func (w *window) addAt(number int64, n int) {
	if age := w.newest - number; age >= 0 && age < int64(len(w.ring)) {
		w.ring[w.slot(number)] += n
		w.sum += n
	}
}

func (w *window) total(at time.Duration) int {
	w.advance(at)
	return w.sum
}

// waitWith returns how long until one more request is within a limit shared with
// another window of the same shape; 0 is now.
func (w *window) waitWith(other *window, at time.Duration, limit int) time.Duration {
	left := w.total(at) + other.total(at)
	if left < limit {
		return 0
	}
	// The oldest bucket leaves when the next one begins.
	until := time.Duration(w.newest+1) * w.width
	for oldest := w.newest - int64(len(w.ring)) + 1; oldest <= w.newest; oldest++ {
		if left -= w.ring[w.slot(oldest)] + other.ring[other.slot(oldest)]; left < limit {
			break
		}
		until += w.width
	}
	return until - at
}

// expiring returns how much is in the bucket that leaves the window when the nth one
// from now begins, counted from 0.
func (w *window) expiring(n int) int {
	return w.ring[w.slot(w.newest+1+int64(n))]
}

// recent returns how much was counted within a span of time up to now.
func (w *window) recent(at, span time.Duration) int {
	w.advance(at)
	n := 0
	for number := w.number(at-span) + 1; number <= w.newest; number++ {
		n += w.ring[w.slot(number)]
	}
	return n
}

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

// recentSpan is how long other programs are observed to estimate what they will spend.
const recentSpan = 5 * time.Minute

// Pace returns how many requests an hour the background may make from now on without
// ever having to stop: it looks ahead, because what was spent in a burst expires in one.
// Programs that share the key share the pace equally, and may use what another leaves.
func (b *Budget) Pace(now time.Time) int {
	at := b.since(now)
	o, e := &b.own.hour, &b.elsewhere.hour
	room := PerHour - Reserve + b.reserved(at) - o.total(at) - e.total(at)
	others := e.recent(at, recentSpan) * int(time.Hour/recentSpan)
	pace := PerHour
	for n := range o.ring {
		span := time.Duration(n+1) * coarse // What is in bucket n may leave only at its end.
		hourly := int(int64(room) * int64(time.Hour) / int64(span))
		pace = min(pace, max(hourly-others, hourly/(1+b.programs)))
		room += o.expiring(n) + e.expiring(n)
	}
	return max(0, pace)
}
