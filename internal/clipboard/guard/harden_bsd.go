//go:build unix && !linux

package guard

// Harden keeps core files from being written; memory is not closed to other
// programs of the same user here.
func Harden() error { return noCore() }
