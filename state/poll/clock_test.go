package poll_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/state/poll"
)

// sample is an answer whose request took so long, from a server whose clock is
// ahead by so much.
func sample(now, took, ahead time.Duration) poll.ClockSample {
	// The server writes whole seconds of the time in the middle.
	date := at(now + took/2 + ahead).Round(0).Truncate(time.Second)
	return poll.SampleClock(at(now), at(now+took), date)
}

func TestASampleBoundsTheOffset(t *testing.T) {
	t.Parallel()
	if got := poll.SampleClock(at(0), at(time.Second), time.Time{}); got != (poll.ClockSample{}) {
		t.Errorf("without a date: %v", got)
	}
	got := poll.SampleClock(at(0), at(200*time.Millisecond), at(5*time.Second))
	if want := (poll.ClockSample{Low: 4800 * time.Millisecond, High: 6 * time.Second}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestSamplesNarrowTheEstimate(t *testing.T) {
	t.Parallel()
	for _, ahead := range []time.Duration{0, 90 * time.Second, -time.Hour, 1234 * time.Millisecond} {
		var c poll.ServerClock
		for i := range 16 {
			c.Add(sample(time.Duration(i)*1130*time.Millisecond, 120*time.Millisecond, ahead))
		}
		if off := c.Server(at(0)).Sub(at(ahead)).Abs(); off > 150*time.Millisecond {
			t.Errorf("ahead by %v: the estimate is off by %v", ahead, off)
		}
	}
}

func TestTheEstimateFollowsAClockThatIsSet(t *testing.T) {
	t.Parallel()
	var c poll.ServerClock
	if !c.Server(at(0)).Equal(at(0)) {
		t.Error("without a sample the server's clock is not this machine's")
	}
	c.Add(poll.ClockSample{})
	for i := range 10 {
		c.Add(sample(time.Duration(i)*1130*time.Millisecond, 120*time.Millisecond, time.Hour))
	}
	c.Add(sample(time.Minute, 120*time.Millisecond, 0))
	if off := c.Server(at(0)).Sub(at(0)).Abs(); off > time.Second {
		t.Errorf("right after it was set back the estimate is off by %v", off)
	}
}
