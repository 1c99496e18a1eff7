package poll

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
)

// Seq orders requests: a later one has a larger number. Zero is none.
type Seq uint64

// Table is the state of all lanes. The zero value is not ready; see New.
// Times are this machine's.
type Table struct {
	rand      func() float64
	now       time.Time
	began     time.Time // beats are counted from it
	lanes     [Lanes]lane
	attention Attention
	armed     bool      // a checkout waits for a code
	pages     int       // of the list of cards, each a request of the sweep
	answered  time.Time // when a lane last had an answer
	recovered time.Time // when an answer last brought all lanes back
	ticked    time.Time // the last call of Wake
	budget    Budget
	throttle  [Lanes]float64 // what each lane's interval is multiplied by
	unread    [Lanes]unread
	// rest returns how long a lane rests for which an interval is planned.
	rest func(Lane, time.Duration) time.Duration
}

// lane is what is known of one lane's polling.
type lane struct {
	due time.Time
	// planned is when it would be due were there no beats; zero for what was not planned by
	// an interval.
	planned  time.Time
	inFlight Seq
	askedAt  time.Time // when the request in flight was asked for
	okAt     time.Time
	failures int
	failedAt time.Time
	heldTill time.Time // the server asked for a pause until then
	err      error
	done     bool
	// shortTill: the request budget did not allow it until then.
	shortTill time.Time
	// cached: okAt is of an answer to an earlier run.
	cached bool
	// again: the answer in flight is too old already, ask once more, when it has rested
	// for pause.
	again bool
	pause time.Duration
}

// New returns lanes that have not been started. rand returns a number in
// [0, 1) for the jitter of retries.
func New(rand func() float64) *Table {
	t := &Table{rand: rand}
	t.allocate()
	return t
}

// Start makes all lanes due, or those of only when it is not nil.
func (t *Table) Start(now time.Time, only []Lane) {
	t.began = now
	for i := range t.lanes {
		t.lanes[i].due = now
		t.lanes[i].done = only != nil && !slices.Contains(only, Lane(i))
	}
	// The first page of the feed is on screen before the past is read.
	t.lanes[History].due = now.Add(time.Second)
}

// SetNow sets the time that MakeDue and Source count from.
func (t *Table) SetNow(now time.Time) { t.now = now }

// together is how long before its time a lane is asked for with one that is due, so that
// the program wakes once for both.
const together = 100 * time.Millisecond

// Due returns the lanes that are to be asked for now.
func (t *Table) Due(now time.Time) []Lane {
	var due, near []Lane
	failing := false
	for i := range t.lanes {
		l := &t.lanes[i]
		failing = failing || l.failures > 0
		switch {
		case l.inFlight != 0 || l.done:
		case !now.Before(l.due):
			due = append(due, Lane(i))
		case Lane(i) != Codes && !l.okAt.IsZero() && !now.Add(together).Before(l.due) && l.shortTill.Before(now):
			near = append(near, Lane(i))
		}
	}
	if len(due) == 0 || failing { // A pause after a failure is kept.
		return due
	}
	due = append(due, near...)
	slices.Sort(due)
	return due
}

const (
	// beat is how far apart the times are that lanes are asked for at: whole seconds since
	// the start, when the clock of the screen ticks. A lane that is due between two beats
	// would wake the program once more.
	beat = time.Second
	// offBeat is how long after a beat counts as on it.
	offBeat = 20 * time.Millisecond
)

// onBeat is the beat that a lane is asked for at which is due at a time: the one after it,
// or the one just before.
func (t *Table) onBeat(due time.Time) time.Time {
	past := due.Sub(t.began) % beat
	if past <= offBeat {
		return due.Add(-past)
	}
	return due.Add(beat - past)
}

// NextBeat is the beat after a time.
func (t *Table) NextBeat(at time.Time) time.Time {
	past := at.Sub(t.began) % beat
	if past < 0 { // The clock was set back.
		past += beat
	}
	return at.Add(beat - past)
}

// NextDue calls yield with the time at which each idle lane is due.
func (t *Table) NextDue(yield func(time.Time)) {
	for i := range t.lanes {
		if l := &t.lanes[i]; l.inFlight == 0 && !l.done {
			yield(l.due)
		}
	}
}

// Ask records that a lane's request with the number seq is in flight.
func (t *Table) Ask(lane Lane, seq Seq) {
	t.lanes[lane].inFlight, t.lanes[lane].askedAt = seq, t.now
}

// Current reports whether a lane waits for the answer with the number seq. One
// that it no longer waits for changes nothing.
func (t *Table) Current(lane Lane, seq Seq) bool { return t.lanes[lane].inFlight == seq }

// Succeed closes a lane's request and plans the next.
func (t *Table) Succeed(id Lane, sent, at time.Time) {
	outage := t.endsOutage(id)
	t.answered = at
	interval := t.Interval(id)
	// Intervals run from request to request, so that latency does not add up; nor does
	// the moment from the tick that asked for it.
	from := sent
	if asked := t.lanes[id].askedAt; !asked.IsZero() && !asked.After(sent) && sent.Sub(asked) < soon {
		from = asked
	}
	// What waited for the beat is not late: lanes are asked for as often as planned.
	if planned := t.lanes[id].planned; !planned.IsZero() && !planned.After(from) && from.Sub(planned) < beat {
		from = planned
	}
	planned := later(from.Add(interval), at)
	due := planned
	if interval >= beat && planned.After(at) {
		due = t.onBeat(planned)
	}
	if l := &t.lanes[id]; l.again {
		due = earlier(due, later(sent.Add(l.pause), at))
	}
	okAt := at
	if Slept(sent, at) {
		// What was answered before the sleep is as old as the request.
		okAt = sent
	}
	t.unread[id] = unread{all: t.unread[id].reading}
	t.lanes[id] = lane{okAt: okAt, due: due, planned: planned, done: interval == 0}
	if outage && Elapsed(t.recovered, at) >= recoverEvery {
		t.recovered = at
		t.recover(at)
	}
}

// soon is how long after it was asked for a request is sent at most unless the program
// was busy, or slept.
const soon = 50 * time.Millisecond

// Postpone closes a lane's request that never left this machine: the request
// budget allows the next one after wait. unfinished says that pages of a list
// are still to be read.
func (t *Table) Postpone(id Lane, at time.Time, wait time.Duration, unfinished bool) {
	l := &t.lanes[id]
	l.close()
	interval := t.Interval(id)
	if unfinished || l.okAt.IsZero() {
		interval = min(interval, time.Second)
	}
	l.due = at.Add(max(wait, interval))
	l.shortTill = l.due
	t.forget(id, at)
}

func (l *lane) close() { l.inFlight, l.again, l.pause = 0, false, 0 }

// Interval is how long a lane rests from request to request.
func (t *Table) Interval(lane Lane) time.Duration {
	grade := t.attention
	if lane == Codes && t.armed {
		grade = Awaiting
	}
	return time.Duration(float64(t.planned(lane, grade)) * t.throttle[lane])
}

// planned is the interval when requests are not short.
func (t *Table) planned(lane Lane, grade Attention) time.Duration {
	d := schedule[lane].interval[grade]
	if lane == Sweep {
		d = max(d, time.Duration(t.pages)*sweepCost)
	}
	if t.rest == nil || lane == Codes && grade == Awaiting {
		return d
	}
	return t.rest(lane, d)
}

// SetRest sets what lets lanes rest longer than the schedule says. Codes that are waited
// for are asked for as planned.
func (t *Table) SetRest(rest func(id Lane, every time.Duration) time.Duration) { t.rest = rest }

// Replan allocates the requests anew and brings forward what is due sooner than before,
// after what SetRest was given changed its mind.
func (t *Table) Replan() {
	t.allocate()
	t.moveUp(t.now)
}

// Attention is how closely the user watches.
func (t *Table) Attention() Attention { return t.attention }

// SetAttention sets how closely the user watches. Lanes that are due sooner
// under the new grade move up.
func (t *Table) SetAttention(a Attention, now time.Time) {
	t.attention = a
	t.allocate()
	t.moveUp(now)
}

// Arm makes the codes as fast as an armed checkout needs them, also where the
// background had to wait for the request budget.
func (t *Table) Arm() {
	t.armed = true
	t.allocate()
	t.lanes[Codes].shortTill = time.Time{}
	t.moveUp(t.now)
}

// Disarm ends Arm. The codes keep the allocation of the armed checkout until
// the budget is next known.
func (t *Table) Disarm() { t.armed = false }

// Armed reports whether a checkout waits for a code.
func (t *Table) Armed() bool { return t.armed }

// SetPages sets how many pages the list of cards has.
func (t *Table) SetPages(n int) {
	t.pages = n
	t.allocate()
}

// moveUp brings the lanes forward that are due sooner than planned before.
func (t *Table) moveUp(now time.Time) {
	for i := range t.lanes {
		l := &t.lanes[i]
		if l.inFlight != 0 || l.done || l.failures > 0 || l.okAt.IsZero() || l.cached || now.Before(l.shortTill) || now.Before(l.heldTill) {
			continue
		}
		if due := l.okAt.Add(t.Interval(Lane(i))); due.Before(l.due) {
			l.due = later(due, now)
		}
	}
}

// MakeDue makes a lane due at once, unless the server asked for a pause.
func (t *Table) MakeDue(id Lane) {
	l := &t.lanes[id]
	l.again, l.pause = l.inFlight != 0, 0
	l.due = l.soonest(t.now)
}

// MakeDueAfter makes a lane due when it has rested for a pause.
func (t *Table) MakeDueAfter(id Lane, pause time.Duration) {
	l := &t.lanes[id]
	if l.inFlight != 0 || l.done || l.failures > 0 {
		return // The next answer or retry plans it.
	}
	due := later(later(l.okAt, l.askedAt).Add(pause), later(t.now, l.heldTill))
	if due.Before(l.due) {
		l.due = due
	}
}

// Ring makes a lane due that something is new in, when it has rested for a pause. The
// answer in flight may be from before.
func (t *Table) Ring(id Lane, pause time.Duration) {
	l := &t.lanes[id]
	switch {
	case l.done || l.failures > 0: // The next retry reads it.
	case l.inFlight == 0:
		l.due = earlier(l.due, later(l.okAt.Add(pause), later(t.now, l.heldTill)))
	case !l.again:
		l.again, l.pause = true, pause
	}
}

// Restore says that a lane's data is from an answer to an earlier run; at is
// zero when there was none.
func (t *Table) Restore(id Lane, at time.Time) {
	t.lanes[id].okAt, t.lanes[id].cached = at, !at.IsZero()
}

// SetCached says whether a lane's data is of an earlier run, after an answer
// that could not be used.
func (t *Table) SetCached(id Lane, cached bool) { t.lanes[id].cached = cached }

// OKAt is when a lane last had a good answer; zero for never.
func (t *Table) OKAt(id Lane) time.Time { return t.lanes[id].okAt }

// Cached reports whether a lane's data is from an earlier run.
func (t *Table) Cached(id Lane) bool { return t.lanes[id].cached }

// Done reports whether a lane is not asked for any more.
func (t *Table) Done(id Lane) bool { return t.lanes[id].done }

// Err is why a lane's last request failed; nil when it did not.
func (t *Table) Err(id Lane) error { return t.lanes[id].err }

// DueAt is when a lane is asked for next.
func (t *Table) DueAt(id Lane) time.Time { return t.lanes[id].due }

// Backoff is a full-jitter wait before the next try after n failures.
func (t *Table) Backoff(n int, maxWait time.Duration) time.Duration {
	return api.Backoff(n, maxWait, t.rand)
}

// sleepJump is how much further than the steady clock the wall clock must
// have run for the machine to have slept: more than a clock is corrected by.
const sleepJump = 30 * time.Second

// Slept reports whether the machine slept between two moments. The steady
// clock stands still meanwhile, and so do the waits that rest on it.
func Slept(from, to time.Time) bool {
	return to.Round(0).Sub(from.Round(0))-to.Sub(from) > sleepJump
}

// Wake makes all lanes due when the machine slept since the last call, and
// reports whether it did: all that is shown is from before the sleep.
func (t *Table) Wake(now time.Time) bool {
	before := t.ticked
	t.ticked = now
	if before.IsZero() || !Slept(before, now) {
		return false
	}
	for i := range t.lanes {
		l := &t.lanes[i]
		// A request in flight since before the sleep is given up: its connection
		// may be dead and not know it.
		l.close()
		l.due = l.soonest(now)
	}
	return true
}

// Elapsed is how long after a moment another is, by the clock that ran
// further: the steady one stands still while the machine sleeps, the other
// can be set.
func Elapsed(from, to time.Time) time.Duration {
	return max(to.Sub(from), to.Round(0).Sub(from.Round(0)))
}

// Reached reports whether a time is over by either clock: the steady one
// stands still while the machine sleeps, the other can be set.
func Reached(now, until time.Time) bool {
	return !now.Before(until) || !now.Round(0).Before(until.Round(0))
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
