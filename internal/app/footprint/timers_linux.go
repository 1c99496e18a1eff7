package footprint

import (
	"fmt"
	"os"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// kernelSlack is by how much the kernel lets a timer of a thread be late unless somebody
// said otherwise.
const kernelSlack = 50 * time.Microsecond

// AllowLateTimers starts this program anew, in the same process, with timers that may be
// late. The monitor of Go's runtime otherwise wakes every 70 µs while anything is done.
// Its thread is there before main is, and threads have what the one that made them had,
// so it takes a new start. It returns when there is nothing to do: where the slack
// is not the kernel's own, the user or the first start has set it.
func AllowLateTimers(late time.Duration) error {
	runtime.LockOSThread() // The slack is the thread's, and the one that calls exec stays.
	defer runtime.UnlockOSThread()
	slack, err := unix.PrctlRetInt(unix.PR_GET_TIMERSLACK, 0, 0, 0, 0)
	if err != nil || slack != int(kernelSlack) {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_TIMERSLACK, uintptr(late), 0, 0, 0); err != nil {
		return fmt.Errorf("set timer slack: %w", err)
	}
	err = unix.Exec("/proc/self/exe", os.Args, os.Environ())
	return fmt.Errorf("start anew with another timer slack: %w", err)
}
