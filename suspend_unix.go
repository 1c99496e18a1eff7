//go:build unix

package main

import "syscall"

// suspender gives what stops the programs of this job and returns when they go
// on. Where no shell could bring them back the system does not stop them.
func suspender() func() error {
	return func() error { return syscall.Kill(0, syscall.SIGTSTP) }
}
