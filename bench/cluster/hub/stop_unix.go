//go:build unix

package main

import "syscall"

// stopSelf stops the process until it is continued.
func stopSelf() error { return syscall.Kill(syscall.Getpid(), syscall.SIGSTOP) }
