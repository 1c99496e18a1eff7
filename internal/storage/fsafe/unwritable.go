package fsafe

import (
	"errors"
	"io/fs"
	"syscall"
)

// Unwritable reports whether an error is that this user, or nobody, can write there: the disk is read-only or
// full. A program that writes nothing goes on without files of its own.
func Unwritable(err error) bool {
	return errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
