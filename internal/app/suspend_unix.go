//go:build unix

package app

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// stopLimit is how long a stop may take to begin. Without a shell that could
// bring them back the system stops nobody, and it is waited for in vain.
const stopLimit = time.Second

// suspender gives what stops the programs of this job and returns when they go
// on.
func suspender() func() error {
	return func() error {
		again := make(chan os.Signal, 1)
		signal.Notify(again, syscall.SIGCONT)
		defer signal.Stop(again)
		if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
			return err
		}
		// Another thread takes the signal: this one may run on for a moment.
		select {
		case <-again:
		case <-time.After(stopLimit):
		}
		return nil
	}
}
