//go:build unix && !linux

package guard

// harden keeps core files from being written; memory is not closed to other
// programs of the same user here.
func harden() error { return noCore() }
