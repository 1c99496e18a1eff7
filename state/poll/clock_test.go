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
	if got.Low != 4800*time.Millisecond || got.High != 6*time.Second {
		t.Errorf("%v to %v", got.Low, got.High)
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
	for i := range 3 {
		if off := c.Server(at(0)).Sub(at(time.Hour)).Abs(); off > time.Second {
			t.Errorf("%d answers outvote ten: off by %v", i, off)
		}
		c.Add(sample(time.Minute+time.Duration(i)*1130*time.Millisecond, 120*time.Millisecond, 0))
	}
	if off := c.Server(at(0)).Sub(at(0)).Abs(); off > time.Second {
		t.Errorf("after three answers since it was set back the estimate is off by %v", off)
	}
}

func TestOneAnswerDoesNotSetTheClock(t *testing.T) {
	t.Parallel()
	var c poll.ServerClock
	for i := range 30 {
		now := time.Duration(i) * 1130 * time.Millisecond
		c.Add(sample(now, 120*time.Millisecond, 0))
		if i%2 == 1 {
			c.Add(sample(now+time.Second, 120*time.Millisecond, 10*time.Minute))
		}
		if off := c.Server(at(0)).Sub(at(0)).Abs(); off > time.Second {
			t.Fatalf("after %d answers the estimate is off by %v", i, off)
		}
	}
	for i := range 5 {
		c.Add(sample(time.Minute, 120*time.Millisecond, time.Duration(i+1)*10*time.Minute))
	}
	if off := c.Server(at(0)).Sub(at(0)).Abs(); off > time.Second {
		t.Errorf("after five that do not agree it is off by %v", off)
	}
}

func TestAWrongFirstAnswerIsOutvotedByTwo(t *testing.T) {
	t.Parallel()
	var c poll.ServerClock
	c.Add(sample(0, 120*time.Millisecond, 10*time.Minute))
	for i := range 2 {
		c.Add(sample(time.Duration(i+1)*1130*time.Millisecond, 120*time.Millisecond, 0))
	}
	if off := c.Server(at(0)).Sub(at(0)).Abs(); off > time.Second {
		t.Errorf("it is off by %v", off)
	}
}

func TestOneAnswerIsEnoughAfterThisMachinesClockWasSet(t *testing.T) {
	t.Parallel()
	for _, set := range []time.Duration{10 * time.Minute, -10 * time.Minute} {
		var c poll.ServerClock
		for i := range 10 {
			now := time.Duration(i) * time.Second
			c.Add(poll.SampleClock(clocks(now, now), clocks(now, now), at(now).Round(0).Truncate(time.Second)))
		}
		local := clocks(20*time.Second, 20*time.Second+set)
		c.Add(poll.SampleClock(local, local, at(20*time.Second).Round(0)))
		if off := c.Server(local).Round(0).Sub(at(20 * time.Second).Round(0)).Abs(); off > time.Second {
			t.Errorf("set by %v: off by %v", set, off)
		}
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
