package fsafe

import (
	"errors"
	"io/fs"
	"syscall"
)

// Unwritable reports whether an error is that this user, or nobody, may write there. A program that writes
// nothing goes on without files of its own.
func Unwritable(err error) bool {
	return errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission)
}
