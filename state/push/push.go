// Package push decides which lanes may be polled less because webhooks tell of what is
// new. It believes what it sees only: a lane rests while each new thing that a poll of
// it found had been told of. It is pure: it receives nothing and reads no clock.
package push

import (
	"strings"
	"time"

	"github.com/cardtop/cardtop/state/poll"
)

const (
	// BeatEvery is how often a program sends itself a delivery.
	BeatEvery = 20 * time.Second
	// BeatFor is how long one shows that its address is reached.
	BeatFor = time.Minute
	// grace is how much later than the poll a delivery may tell of what that found.
	grace = 3 * time.Second
	// codesEvery is how often codes are polled while they are told of, feedEvery how
	// often transactions are, and longer how many times longer the other lanes rest.
	codesEvery = 10 * time.Second
	feedEvery  = 15 * time.Second
	longer     = 4
	// balancesEvery is the longest that balances rest for it: money moves by figures of
	// 35 seconds at most.
	balancesEvery = 30 * time.Second
	// missesCount bounds how many misses count, and missesFor is how long they do.
	missesCount = 6
	missesFor   = time.Hour
)

// Table is what is known of the deliveries. The zero value knows of none. Times are
// this machine's.
type Table struct {
	Registration

	beat  time.Time // when the last heartbeat came
	lanes [poll.Lanes]lane
	// missed is when a poll last found what no delivery had told of; zero for never.
	// misses is how often that was so lately.
	missed time.Time
	misses int
	// rests is which lanes rested when it was last looked at.
	rests [poll.Lanes]bool
}

type lane struct {
	told   time.Time // the latest delivery about the lane
	polled time.Time // when the latest answer was asked for
	proven int       // how often, without a break, deliveries told of what was found
	// doubt is until when a delivery has to tell of what was found; zero when all of it
	// was told of.
	doubt time.Time
}

// Tell notes a delivery about a lane.
func (t *Table) Tell(id poll.Lane, at time.Time) {
	l := &t.lanes[id]
	l.told = at
	if !l.doubt.IsZero() && !at.After(l.doubt) {
		l.doubt = time.Time{}
		l.proven++
	}
}

// Beat notes a heartbeat.
func (t *Table) Beat(at time.Time) { t.beat = at }

// Polled notes an answer of a lane, asked for at sent and received at at, and whether
// it had something new. What is new in the first answer says nothing.
func (t *Table) Polled(id poll.Lane, sent, at time.Time, found bool) {
	l := &t.lanes[id]
	since := l.polled
	l.polled = sent
	switch {
	case !found || since.IsZero() || !t.Registered():
	case l.told.After(since):
		l.proven++
	case l.doubt.IsZero():
		l.doubt = at.Add(grace)
	}
}

// Update takes the time into account: what no delivery has told of by now was missed,
// and no lane rests until deliveries tell again. It reports whether a lane rests or no
// longer rests otherwise than when it was last called.
func (t *Table) Update(now time.Time) (changed bool) {
	for i := range t.lanes {
		if l := &t.lanes[i]; !l.doubt.IsZero() && now.After(l.doubt) {
			t.forget()
			t.missed, t.misses = now, min(t.misses+1, missesCount)
			break
		}
	}
	if t.misses > 0 && poll.Elapsed(t.missed, now) >= missesFor {
		t.misses = 0
	}
	for i := range t.rests {
		rests := t.Proven(poll.Lane(i), now)
		changed = changed || t.rests[i] != rests
		t.rests[i] = rests
	}
	return changed
}

// forget forgets what was proven: the webhook is another, or deliveries were missed.
func (t *Table) forget() {
	for i := range t.lanes {
		t.lanes[i] = lane{polled: t.lanes[i].polled}
	}
}

// NextCheck calls at with the times at which Update or State have something new to say.
func (t *Table) NextCheck(now time.Time, at func(time.Time)) {
	for i := range t.lanes {
		if d := t.lanes[i].doubt; !d.IsZero() {
			at(d.Add(1))
		}
	}
	if !t.Registered() {
		return
	}
	from := t.beat
	if from.IsZero() {
		from = t.opened
	}
	if poll.Elapsed(from, now) < BeatFor { // Else it is over, and said.
		at(from.Add(BeatFor))
	}
}

// Beats reports whether the address is reached.
func (t *Table) Beats(now time.Time) bool {
	return !t.beat.IsZero() && poll.Elapsed(t.beat, now) < BeatFor
}

// Missed is when a poll last found what no delivery had told of; zero for never.
func (t *Table) Missed() time.Time { return t.missed }

// needed is how often deliveries have to tell before a lane rests: twice as often after
// each miss of the last hour.
func (t *Table) needed() int { return 1 << t.misses }

// Proven reports whether a lane may rest. Codes are proven by codes only; for the
// others any lane proves that the events of the account arrive.
func (t *Table) Proven(id poll.Lane, now time.Time) bool {
	if !t.Registered() || !t.Beats(now) || !t.lanes[id].doubt.IsZero() {
		return false
	}
	switch id {
	case poll.Codes:
		return t.lanes[id].proven >= t.needed()
	case poll.History:
		return false
	default:
		return t.anyProven()
	}
}

// anyProven reports whether deliveries told of what one lane found.
func (t *Table) anyProven() bool {
	for i := range t.lanes {
		if t.lanes[i].proven >= t.needed() {
			return true
		}
	}
	return false
}

// Interval is how long a lane rests that would be polled every so often.
func (t *Table) Interval(id poll.Lane, every time.Duration, now time.Time) time.Duration {
	switch {
	case !t.Proven(id, now), every == 0:
		return every
	case id == poll.Codes:
		return max(every, codesEvery)
	case id == poll.Feed:
		return max(every, feedEvery)
	case id == poll.Wallet || id == poll.Hot:
		return max(every, min(longer*every, balancesEvery))
	}
	return longer * every
}

// Told is how often a lane is polled while a hub tells of what changes in it. The sweep
// goes on as ever: it finds changes of cards that are not among those used last.
func Told(id poll.Lane, every time.Duration) time.Duration {
	switch id {
	case poll.Sweep, poll.History:
		return every
	case poll.Wallet, poll.Hot:
		return max(every, min(longer*every, balancesEvery))
	default:
		return longer * every
	}
}

// Report is what the receiver of deliveries tells. At is this machine's clock.
type Report struct {
	At time.Time
	// Events are the names of what was delivered; an empty one stands for any.
	Events []string
	// Beat reports whether a heartbeat came, Unreached why the last one did not, empty
	// when it did.
	Beat      bool
	Unreached string
	// Refused is how many deliveries had a signature that is not of the secret.
	Refused int
}

// call is a lane that an event makes due, and how long it has rested before at least:
// an account with much traffic has an event every few seconds, and the hour's requests
// are few.
type call struct {
	lane  poll.Lane
	pause time.Duration
}

const (
	// codesPause, feedPause and cardsPause bound how often events have codes,
	// transactions and balances read.
	codesPause = 250 * time.Millisecond
	feedPause  = feedEvery
	cardsPause = balancesEvery
	// depositsPause is short: deposits are few, and money waits for them.
	depositsPause = 8 * time.Second
)

// Calls calls due with the lanes that an event is about, and how long each has rested
// before at least. Of an event that is not in the contract all of them are.
func Calls(event string, due func(lane poll.Lane, pause time.Duration)) {
	codes, feed := call{poll.Codes, codesPause}, call{poll.Feed, feedPause}
	hot, wallet, deposits := call{poll.Hot, cardsPause}, call{poll.Wallet, cardsPause}, call{poll.Deposits, depositsPause}
	all := []call{codes, feed, hot, wallet, deposits}
	switch kind, _, _ := strings.Cut(event, "."); kind {
	case "3ds":
		all = []call{codes}
	case "transaction":
		all = []call{feed, hot}
	case "card":
		all = []call{hot, wallet}
	case "deposit":
		all = []call{deposits, wallet}
	}
	for _, c := range all {
		due(c.lane, c.pause)
	}
}
