//go:build !windows

package sqlite

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lockItself locks a file whatever its name, without SQLite's own locks being in the way. It has to be closed after
// SQLite has let the file go: a process that closes a file loses all of those. It is nil on a file system without such
// locks.
func lockItself(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // The path is the caller's own.
	if err != nil {
		return nil, fmt.Errorf("make file: %w", err)
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case err == nil:
		return file, nil
	case errors.Is(err, syscall.EWOULDBLOCK):
		return nil, errors.Join(errors.New("the file is locked"), file.Close())
	}
	return nil, file.Close()
}
