//go:build unix

package app

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// stopLimit bounds how long a stop may take to begin: without a shell that could
// continue the job the system does not stop it.
const stopLimit = time.Second

// suspender returns what stops this job, until the shell continues it.
func suspender() func() error {
	return func() error {
		resumed := make(chan os.Signal, 1)
		signal.Notify(resumed, syscall.SIGCONT)
		defer signal.Stop(resumed)
		if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
			return err
		}
		// Another thread takes the signal: this one may run on for a moment.
		select {
		case <-resumed:
		case <-time.After(stopLimit):
		}
		return nil
	}
}
