//go:build !linux

package footprint

// releaseProgram does nothing: the system unmaps what it needs.
func releaseProgram() error { return nil }
