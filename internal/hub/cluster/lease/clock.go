package lease

import "time"

// startClock counts from now with Go's monotonic clock.
func startClock() Clock { return Since(time.Now) } //nolint:forbidigo // the one clock of the cluster

// Since counts from now by a clock that is never set.
func Since(now func() time.Time) Clock {
	start := now()
	return func() time.Duration { return now().Sub(start) }
}
