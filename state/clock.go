package state

import "time"

// clockSamples is how many answers the estimate of the server's clock rests
// on: enough to narrow it well below a second, few enough to follow a clock
// that is set.
const clockSamples = 16

// ClockSample bounds how far the server's clock is ahead of this machine's.
// The zero value tells nothing.
type ClockSample struct{ Low, High time.Duration }

// SampleClock takes what one answer tells: a Date header has whole seconds,
// so with an answer received at At to a request sent at Sent the offset lies
// between Date-At and Date+1s-Sent.
func SampleClock(sent, at, date time.Time) ClockSample {
	if date.IsZero() {
		return ClockSample{}
	}
	return ClockSample{Low: date.Sub(at), High: date.Add(time.Second).Sub(sent)}
}

// serverClock estimates the offset: the bounds of several answers meet in a
// narrow one.
type serverClock struct {
	samples [clockSamples]ClockSample
	n       int
	offset  time.Duration
}

func (c *serverClock) hear(m ClockSample) {
	if m == (ClockSample{}) || c.n > 0 && c.samples[(c.n-1)%clockSamples] == m {
		return
	}
	c.samples[c.n%clockSamples] = m
	c.n++
	meet := m
	for _, old := range c.samples[:min(c.n, clockSamples)] {
		low, high := max(meet.Low, old.Low), min(meet.High, old.High)
		// A sample that contradicts the newest is from before a clock was set.
		if low <= high {
			meet = ClockSample{Low: low, High: high}
		}
	}
	c.offset = (meet.Low + meet.High) / 2
}

func (c *serverClock) server(local time.Time) time.Time { return local.Add(c.offset) }
