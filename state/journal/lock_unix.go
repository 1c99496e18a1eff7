//go:build unix

package journal

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// claim takes the lock, alone when no other run holds it, else beside those
// that do, once none of them is tidying. Where the file system has no locks
// nobody can know, and the file is never tidied.
func claim(lock *os.File) (alone bool, err error) {
	err = flock(lock, unix.LOCK_EX|unix.LOCK_NB)
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, unix.EWOULDBLOCK):
		return false, share(lock)
	case errors.Is(err, unix.ENOLCK), errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.ENOSYS):
		return false, nil
	}
	return false, err
}

// share lets other runs in, none of which is alone then.
func share(lock *os.File) error { return flock(lock, unix.LOCK_SH) }

func flock(lock *os.File, how int) error {
	for {
		err := unix.Flock(int(lock.Fd()), how)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return fmt.Errorf("lock %s: %w", lock.Name(), err)
		}
		return nil
	}
}
