//go:build !linux

package footprint

import "time"

// AllowLateTimers does nothing: only Linux has a setting for it.
func AllowLateTimers(time.Duration) error { return nil }
