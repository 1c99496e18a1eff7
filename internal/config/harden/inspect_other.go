//go:build !linux && !darwin

package harden

// closeToInspection has nothing to do: this system offers no such switch to a
// process without privileges.
func closeToInspection() error { return nil }
