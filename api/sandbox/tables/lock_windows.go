package tables

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// beyond is where the lock lies, far behind the content: others cannot read a locked part of a file here.
const beyond = 1 << 30

// lock locks a file, whatever its name, until it is closed. It reports whether nobody else has.
func lock(file *os.File) (bool, error) {
	at := windows.Overlapped{OffsetHigh: beyond}
	err := windows.LockFileEx(windows.Handle(file.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, err
}
