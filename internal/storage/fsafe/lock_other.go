//go:build !unix && !windows

package fsafe

import (
	"errors"
	"os"
)

// TryLock returns errors.ErrUnsupported: this system has no locks on files.
func TryLock(*os.File) (bool, error) { return false, errors.ErrUnsupported }
