//go:build !unix

package harden

// withoutCoreFiles has nothing to do: the system writes no core files.
func withoutCoreFiles() error { return nil }
