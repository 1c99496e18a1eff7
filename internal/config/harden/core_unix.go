//go:build unix

package harden

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// withoutCoreFiles sets the core file limit to zero, also for children.
func withoutCoreFiles() error {
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		return fmt.Errorf("limit core files: %w", err)
	}
	return nil
}
