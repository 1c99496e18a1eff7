//go:build !linux

package footprint

// AllowLateTimers does nothing: only Linux has a setting for it.
func AllowLateTimers() error { return nil }
