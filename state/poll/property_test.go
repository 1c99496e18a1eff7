package poll_test

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cardtop/cardtop/api"
	_ "github.com/cardtop/cardtop/internal/rapidtest" // the same cases in each run
	"github.com/cardtop/cardtop/state/poll"
)

// The longest waits that a run draws.
const (
	mostRetryAfter = 15 * time.Minute
	mostShort      = time.Hour
	mostPages      = 300
)

// longestRest is how long a lane may rest at most: its longest interval, as
// throttled as can be, or what the server or the budget asked for, with the
// steps that lanes resume in.
func longestRest(lane poll.Lane) time.Duration {
	p := poll.New(func() float64 { return 1 })
	p.SetPages(mostPages)
	p.SetAttention(poll.Unfocused, at(0))
	return max(20*p.Interval(lane), mostRetryAfter, mostShort, 30*time.Second) + time.Second
}

// run is a table in any situation, and what the test knows of it.
type run struct {
	*rapid.T
	p            *poll.Table
	steady, wall time.Duration
	seq          poll.Seq
	inFlight     [poll.Lanes]poll.Seq // zero: none
	sent         [poll.Lanes]time.Time
}

func (r *run) now() time.Time { return clocks(r.steady, r.wall) }

func (r *run) lane() poll.Lane {
	return poll.Lane(rapid.IntRange(0, int(poll.Lanes)-1).Draw(r.T, "lane"))
}

func (r *run) duration(name string, most time.Duration) time.Duration {
	return time.Duration(rapid.Int64Range(0, int64(most)).Draw(r.T, name))
}

// pass lets time pass, sometimes asleep, and asks for what is due.
func (r *run) pass() {
	awake := r.duration("awake", 2*time.Minute)
	r.steady, r.wall = r.steady+awake, r.wall+awake
	if rapid.IntRange(0, 9).Draw(r.T, "sleeps") == 0 {
		r.wall += r.duration("asleep", 8*time.Hour)
	}
	now := r.now()
	r.p.SetNow(now)
	if r.p.Wake(now) {
		r.inFlight = [poll.Lanes]poll.Seq{}
	}
	for _, lane := range r.p.Due(now) {
		if r.inFlight[lane] != 0 {
			r.Fatalf("%s: a second request", lane)
		}
		r.seq++
		r.p.Ask(lane, r.seq)
		r.inFlight[lane], r.sent[lane] = r.seq, now
	}
}

// answer ends the request of a lane, if it has one.
func (r *run) answer() {
	lane, now := r.lane(), r.now()
	if r.inFlight[lane] == 0 {
		return
	}
	if !r.p.Current(lane, r.inFlight[lane]) {
		r.Fatalf("%s does not wait for its own request", lane)
	}
	r.inFlight[lane] = 0
	switch rapid.IntRange(0, 3).Draw(r.T, "answer") {
	case 0, 1:
		r.p.Succeed(lane, r.sent[lane], now)
	case 2:
		r.p.Postpone(lane, now, r.duration("short", mostShort), rapid.Bool().Draw(r.T, "unfinished"))
	default:
		f := poll.Failure{Sent: r.sent[lane], At: now}
		f.Err = rapid.SampledFrom([]error{api.ErrUnreachable, api.ErrRateLimited, api.ErrUnauthorized, errors.New("cut")}).Draw(r.T, "error")
		if rapid.Bool().Draw(r.T, "says when") {
			f.RetryAfter = r.duration("retry after", mostRetryAfter)
		}
		r.p.Fail(lane, f)
	}
}

// change changes what the lanes are planned by.
func (r *run) change() {
	switch rapid.IntRange(0, 6).Draw(r.T, "change") {
	case 0:
		r.p.SetAttention(rapid.SampledFrom([]poll.Attention{poll.Focused, poll.Unfocused}).Draw(r.T, "attention"), r.now())
	case 1:
		r.p.Arm()
	case 2:
		r.p.Disarm()
	case 3:
		r.p.SetPages(rapid.IntRange(0, mostPages).Draw(r.T, "pages"))
	case 4:
		r.p.SetBudget(poll.Budget{Hour: rapid.IntRange(0, poll.HourlyRequests).Draw(r.T, "hour"), Pace: rapid.IntRange(0, poll.HourlyRequests).Draw(r.T, "pace")})
	case 5:
		r.p.MakeDue(r.lane())
	default:
		r.p.MakeDueAfter(r.lane(), r.duration("pause", time.Minute))
	}
}

// check holds what is true at all times.
func (r *run) check() {
	now := r.now()
	for lane := range poll.Lanes {
		bound := 20.0
		if lane == poll.Codes {
			bound = 10
		}
		if got := r.p.Throttle(lane); got < 1 || got > bound {
			r.Fatalf("%s is throttled by %v", lane, got)
		}
		if r.p.Done(lane) {
			if lane != poll.History {
				r.Fatalf("%s is not polled any more", lane)
			}
			continue
		}
		if rest := r.p.DueAt(lane).Sub(now); r.inFlight[lane] == 0 && rest > longestRest(lane) {
			r.Fatalf("%s rests for %v", lane, rest)
		}
	}
}

func TestALaneHasOneRequestAtMostAndNeverSleepsForEver(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		r := &run{T: rt, p: poll.New(func() float64 { return rapid.Float64Range(0, 0.999).Draw(rt, "jitter") })}
		r.p.SetNow(r.now())
		r.p.Start(r.now(), nil)
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			rapid.SampledFrom([]func(){r.pass, r.answer, r.answer, r.change}).Draw(rt, "step")()
			r.check()
		}
	})
}
