//go:build !linux

package lease

// SystemClock counts from now. It may stop while the machine is suspended: then the
// operations log alone keeps a hub that wakes from writing.
func SystemClock() Clock { return startClock() }
