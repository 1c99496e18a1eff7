package poll

import "time"

// clockSamples is how many answers the estimate of the server's clock rests
// on: enough to narrow it well below a second, few enough to follow a clock
// that is set.
const clockSamples = 16

// ClockSample bounds how far the server's clock is ahead of this machine's.
// The zero value says nothing.
type ClockSample struct{ Low, High time.Duration }

// SampleClock returns the bounds that one answer gives: a Date header has whole
// seconds, so with an answer received at At to a request sent at Sent the
// offset lies between Date-At and Date+1s-Sent.
func SampleClock(sent, at, date time.Time) ClockSample {
	if date.IsZero() {
		return ClockSample{}
	}
	return ClockSample{Low: date.Sub(at), High: date.Add(time.Second).Sub(sent)}
}

// ServerClock estimates how far the server's clock is ahead: the bounds of
// several answers overlap in a narrow one.
type ServerClock struct {
	samples [clockSamples]ClockSample
	n       int
	offset  time.Duration
}

// Add narrows the estimate by what an answer says.
func (c *ServerClock) Add(m ClockSample) {
	if m == (ClockSample{}) || c.n > 0 && c.samples[(c.n-1)%clockSamples] == m {
		return
	}
	c.samples[c.n%clockSamples] = m
	c.n++
	both := m
	for _, old := range c.samples[:min(c.n, clockSamples)] {
		low, high := max(both.Low, old.Low), min(both.High, old.High)
		// A sample that contradicts the newest is from before a clock was set.
		if low <= high {
			both = ClockSample{Low: low, High: high}
		}
	}
	c.offset = (both.Low + both.High) / 2
}

// Server is a time of this machine on the server's clock.
func (c *ServerClock) Server(local time.Time) time.Time { return local.Add(c.offset) }
