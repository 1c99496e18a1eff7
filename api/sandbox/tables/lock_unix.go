//go:build !windows

package tables

import (
	"errors"
	"os"
	"syscall"
)

// lock locks a file, whatever its name, until it is closed. It reports whether nobody else has.
func lock(file *os.File) (bool, error) {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}
