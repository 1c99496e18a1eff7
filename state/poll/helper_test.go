package poll_test

import (
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/cardtop/cardtop/state/poll"
)

// at is a time of a machine that never slept.
func at(d time.Duration) time.Time { return clocks(d, d) }

// clocks is a time of a machine that slept: its steady clock has run for one
// span since at(0), its wall clock for the other. Only the system makes such
// times, so the fields of time.Time are written here; TestTheClocksOfATestRunApart
// holds that.
func clocks(steady, wall time.Duration) time.Time {
	const from1885 = 2_682_288_000 // seconds until 1970
	w := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).Add(wall)
	made := struct {
		wall uint64
		ext  int64
		loc  *time.Location
	}{1<<63 | uint64(w.Unix()+from1885)<<30 | uint64(w.Nanosecond()), int64(time.Hour + steady), time.UTC}
	return *(*time.Time)(unsafe.Pointer(&made))
}

func TestTheClocksOfATestRunApart(t *testing.T) {
	t.Parallel()
	from, to := clocks(0, 0), clocks(time.Second, time.Hour)
	if to.Sub(from) != time.Second || to.Round(0).Sub(from.Round(0)) != time.Hour {
		t.Fatalf("%v and %v are not times of two clocks", from, to)
	}
}

// table is a poll.Table with the test's count of requests.
type table struct {
	*poll.Table
	seq poll.Seq
}

// started returns lanes that are all due at at(0); History is a second later.
// Jitter is at its middle.
func started() *table {
	t := &table{Table: poll.New(func() float64 { return 0.5 })}
	t.SetNow(at(0))
	t.Start(at(0), nil)
	return t
}

// ask records a request at a time and returns its number.
func (t *table) ask(lane poll.Lane, now time.Time) poll.Seq {
	t.seq++
	t.SetNow(now)
	t.Ask(lane, t.seq)
	return t.seq
}

// succeed is a request with its good answer, both at the same time.
func (t *table) succeed(lane poll.Lane, now time.Time) {
	t.ask(lane, now)
	t.Succeed(lane, now, now)
}

// fail is a request that fails at once.
func (t *table) fail(lane poll.Lane, now time.Time, err error, retryAfter time.Duration) {
	t.ask(lane, now)
	t.Fail(lane, poll.Failure{Sent: now, At: now, Err: err, RetryAfter: retryAfter})
}

// succeedAll answers every lane at a time.
func (t *table) succeedAll(now time.Time) {
	for lane := range poll.Lanes {
		t.succeed(lane, now)
	}
}

// wait is how long after at(0) a lane is due.
func (t *table) wait(lane poll.Lane) time.Duration { return t.DueAt(lane).Sub(at(0)) }

func (t *table) isDue(lane poll.Lane, now time.Time) bool {
	return slices.Contains(t.Due(now), lane)
}
