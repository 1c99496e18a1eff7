//go:build !unix

package app

// suspender gives nothing: this system has no jobs that can be stopped.
func suspender() func() error { return nil }
