//go:build !linux

package footprint

import "time"

// releaseProgram does nothing: the system unmaps what it needs.
func releaseProgram() error { return nil }

// AllowLateTimers does nothing: only Linux has a setting for it.
func AllowLateTimers(time.Duration) error { return nil }
