package fsafe

import (
	"errors"
	"fmt"
	"os"
	"time"
)

// ErrBusy is that another process held a lock for as long as was
// waited.
var ErrBusy = errors.New("another process holds the lock")

// lockPause is how often a lock that is held is asked for again.
const lockPause = 2 * time.Millisecond

// Lock locks a file, until it is closed or the
// process ends in any way. The file is made when it is not there. While
// others hold it Lock waits, at most for a span; then the error is ErrBusy.
// Where files cannot be locked it is errors.ErrUnsupported.
func Lock(path string, wait time.Duration) (*os.File, error) {
	f, err := OpenAppend(path)
	if err != nil {
		return nil, err
	}
	if err := lockWithin(f, wait); err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
	}
	return f, nil
}

func lockWithin(f *os.File, wait time.Duration) error {
	patience := time.NewTimer(wait) // Pauses take longer than they say.
	defer patience.Stop()
	for over := wait <= 0; ; {
		got, err := TryLock(f)
		switch {
		case err != nil:
			return err
		case got:
			return nil
		case over:
			return ErrBusy
		}
		pause := time.NewTimer(lockPause)
		select {
		case <-patience.C:
			over = true
		case <-pause.C:
		}
		pause.Stop()
	}
}

// Busy reports whether another process holds the lock of a file for as long as is waited. One that is not there, or
// cannot be locked, is not busy.
func Busy(path string, wait time.Duration) bool {
	f, err := Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // It was not written to.
	return errors.Is(lockWithin(f, wait), ErrBusy)
}
