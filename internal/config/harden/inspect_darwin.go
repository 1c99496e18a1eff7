package harden

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// closeToInspection forbids debuggers to attach.
func closeToInspection() error {
	if err := unix.PtraceDenyAttach(); err != nil {
		return fmt.Errorf("forbid inspection: %w", err)
	}
	return nil
}
