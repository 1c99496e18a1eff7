package harden

import (
	"errors"
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

// State describes what protects this process's memory from other programs; an
// error describes what does not.
func State() (string, error) {
	dumpable, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0)
	if err != nil {
		return "", fmt.Errorf("ask about inspection: %w", err)
	}
	var core unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_CORE, &core); err != nil {
		return "", fmt.Errorf("ask about core files: %w", err)
	}
	if dumpable != 0 || core.Cur != 0 {
		return "", errors.New("other programs of yours may read this process's memory, or a crash may write it to a core file")
	}
	return "no core files; other programs of yours cannot read environment or memory of this process", nil
}
