package guard

import (
	"time"

	"golang.org/x/sys/unix"
)

// systemClock reads the kernel's clocks. CLOCK_BOOTTIME counts suspend in,
// which Go's own timers do not.
func systemClock() Clock {
	return func() Instant {
		return Instant{Boot: boottime(), Wall: time.Now().Round(0)} //nolint:forbidigo // the guard is a process of its own and takes its time here
	}
}

func boottime() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &ts); err != nil {
		return 0 // the wall clock decides alone
	}
	return time.Duration(ts.Nano())
}
