//go:build !unix

package fsafe

import (
	"errors"
	"io/fs"
)

// FindLoose finds nothing: modes say nothing here. Readers has who may use a folder.
func FindLoose(string) ([]string, error) { return nil, nil }

// Tighten is for systems where modes have a meaning.
func Tighten(string, fs.FileMode) (before, after fs.FileMode, err error) {
	return 0, 0, errors.ErrUnsupported
}
