//go:build !linux

package guard

import "time"

// systemClock counts from the start with a clock that is never set. It may stop
// while the machine sleeps; the wall clock then ends a copy on waking.
func systemClock() Clock {
	start := time.Now() //nolint:forbidigo // the guard is a process of its own and takes its time here
	return func() Instant {
		now := time.Now() //nolint:forbidigo // the guard is a process of its own and takes its time here
		return Instant{Boot: now.Sub(start), Wall: now.Round(0)}
	}
}
