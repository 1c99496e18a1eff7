package fsafe

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// beyond is where the lock lies, far behind the content: a locked part of a
// file cannot be read by others on this system.
const beyond = 1 << 30

// TryLock locks an open file, unless another open file has the lock: of
// another process, or of this one. It is unlocked when the file is closed or
// the process ends.
func TryLock(f *os.File) (bool, error) {
	at := windows.Overlapped{OffsetHigh: beyond}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION), errors.Is(err, windows.ERROR_IO_PENDING):
		return false, nil
	}
	return false, err
}
