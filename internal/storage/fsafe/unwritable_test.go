package fsafe_test

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"github.com/cardtop/cardtop/internal/storage/fsafe"
)

// TestAFullDiskIsUnwritable as a read-only one is: nothing can be stored, and a program that writes nothing goes on.
func TestAFullDiskIsUnwritable(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]bool{
		syscall.EROFS: true, syscall.EACCES: true, syscall.ENOSPC: true, syscall.EDQUOT: true,
		syscall.EIO: false, syscall.ENOENT: false, errors.ErrUnsupported: false,
	} {
		if got := fsafe.Unwritable(fmt.Errorf("name an account: %w", &fs.PathError{Op: "write", Path: "account.id", Err: err})); got != want {
			t.Errorf("%v: %v", err, got)
		}
	}
}
