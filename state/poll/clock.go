package poll

import (
	"time"
)

// clockSamples is how many answers the estimate of the server's clock rests
// on: enough to narrow it well below a second, few enough to follow a clock
// that is set.
const clockSamples = 16

// ClockSample bounds how far the server's clock is ahead of this machine's.
// The zero value says nothing.
type ClockSample struct {
	Low, High time.Duration
	at        time.Time // of this machine, when it came; zero where that is not known
}

// SampleClock returns the bounds that one answer gives: a Date header has whole
// seconds, so with an answer received at At to a request sent at Sent the
// offset lies between Date-At and Date+1s-Sent.
func SampleClock(sent, at, date time.Time) ClockSample {
	if date.IsZero() {
		return ClockSample{}
	}
	return ClockSample{Low: date.Sub(at), High: date.Add(time.Second).Sub(sent), at: at}
}

// clockJump is how many answers in a row have to agree that the server's clock is another
// than those before them said: one may be of a machine between, which has a clock of its own.
const clockJump = 3

// ServerClock estimates how far the server's clock is ahead: the bounds of
// several answers overlap in a narrow one.
type ServerClock struct {
	samples [clockSamples]ClockSample
	n       int // of the samples that agree
	last    ClockSample
	both    ClockSample // the bounds of the estimate
	// others are the latest m answers, which contradict the estimate and agree with each
	// other, other their bounds.
	others [clockJump]ClockSample
	m      int
	other  ClockSample
}

// overlap returns the bounds that hold for two samples; false when they contradict each
// other.
func (s ClockSample) overlap(o ClockSample) (ClockSample, bool) {
	both := ClockSample{Low: max(s.Low, o.Low), High: min(s.High, o.High)}
	return both, both.Low <= both.High
}

// Add narrows the estimate by what an answer says. Answers that contradict it set it anew
// when they are three in a row, or more than it rests on. What was said before this machine's
// clock was set, or before it slept, is forgotten.
func (c *ServerClock) Add(m ClockSample) {
	if m == (ClockSample{}) || c.last == m {
		return
	}
	if !c.last.at.IsZero() && !m.at.IsZero() && clocksParted(c.last.at, m.at) {
		c.n, c.m = 0, 0
	}
	c.last = m
	if _, agrees := m.overlap(c.both); c.n == 0 || agrees {
		c.m = 0
		c.take(m)
		return
	}
	if other, agrees := m.overlap(c.other); c.m > 0 && agrees {
		c.other = other
	} else {
		c.other, c.m = m, 0
	}
	c.others[c.m] = m
	if c.m++; c.m < min(clockJump, c.n+1) {
		return
	}
	since := c.m
	c.n, c.m = 0, 0
	for _, s := range c.others[:since] {
		c.take(s)
	}
}

// clocksParted reports whether the wall clock ran otherwise than the steady one between two
// moments, by more than a clock is corrected by.
func clocksParted(from, to time.Time) bool {
	const corrected = 2 * time.Second
	return (to.Round(0).Sub(from.Round(0)) - to.Sub(from)).Abs() > corrected
}

// take adds a sample that agrees with the estimate.
func (c *ServerClock) take(m ClockSample) {
	c.samples[c.n%clockSamples] = m
	c.n++
	c.both = m
	for _, old := range c.samples[:min(c.n, clockSamples)] {
		// A sample that contradicts the newest is from before the clock had drifted.
		if both, agrees := c.both.overlap(old); agrees {
			c.both = both
		}
	}
}

// Server is a time of this machine on the server's clock.
func (c *ServerClock) Server(local time.Time) time.Time {
	return local.Add((c.both.Low + c.both.High) / 2)
}
