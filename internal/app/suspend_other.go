//go:build !unix

package app

// suspender returns nil: this system has no job control.
func suspender() func() error { return nil }
