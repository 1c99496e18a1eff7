//go:build !linux

package screen

import "os"

// openUnblocked is nil: a terminal's keys cannot be waited for so on all systems.
func openUnblocked(*os.File) *os.File { return nil }
