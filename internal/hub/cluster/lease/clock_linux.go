package lease

import (
	"time"

	"golang.org/x/sys/unix"
)

// SystemClock returns the kernel's clock that counts while the machine is suspended,
// which Go's own does not: a lease ends in a suspended machine too.
func SystemClock() Clock {
	other := startClock()
	return func() time.Duration {
		var ts unix.Timespec
		if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &ts); err != nil {
			return other()
		}
		return time.Duration(ts.Nano())
	}
}
