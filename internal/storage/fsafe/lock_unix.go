//go:build unix

package fsafe

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// TryLock locks an open file, unless another open file has the lock: of
// another process, or of this one. It is unlocked when the file is closed or
// the process ends. Where the file system has no locks the error is
// errors.ErrUnsupported.
func TryLock(f *os.File) (bool, error) {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EWOULDBLOCK):
			return false, nil
		case errors.Is(err, unix.ENOLCK), errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.ENOSYS):
			return false, errors.ErrUnsupported
		}
		return false, err
	}
}
