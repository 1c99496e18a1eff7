package lease

import "time"

// startClock counts from now with Go's monotonic clock.
func startClock() Clock {
	start := time.Now()                                      //nolint:forbidigo // the one clock of the cluster
	return func() time.Duration { return time.Since(start) } //nolint:forbidigo // as above
}
