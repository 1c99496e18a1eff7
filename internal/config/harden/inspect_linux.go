package harden

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// closeToInspection makes /proc/PID/environ and /proc/PID/mem unreadable to
// other programs of the same user and forbids them to attach. The environment
// there keeps the API key that the process itself has already unset.
func closeToInspection() error {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("forbid inspection: %w", err)
	}
	return nil
}
