//go:build unix && !linux

package guard

// Harden disables core files; memory is not closed to other
// programs of the same user here.
func Harden() error { return noCore() }
