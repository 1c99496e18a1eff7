package guard

import "time"

// Instant is a moment on two clocks: one that runs on while the machine sleeps
// but is never set, and the wall clock, which may be set but is right again
// after sleep even where the first one stops.
type Instant struct {
	Boot time.Duration
	Wall time.Time
}

// Clock returns the time.
type Clock func() Instant

// after returns the moment d later.
func (i Instant) after(d time.Duration) Instant {
	return Instant{Boot: i.Boot + d, Wall: i.Wall.Add(d)}
}

// reached reports whether either clock has come to the moment. A wall clock
// that is set forward ends a copy early, one that is set back changes nothing.
func (i Instant) reached(now Instant) bool {
	return now.Boot >= i.Boot || !now.Wall.Before(i.Wall)
}
