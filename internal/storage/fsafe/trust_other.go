//go:build !unix

package fsafe

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Resolve returns the path as it is: links are refused here, for who owns one is not known.
func Resolve(path string) (string, error) { return path, nil }

func openTrusted(path string, access int) (*os.File, error) {
	if err := refuseLink(filepath.Dir(path)); err != nil {
		return nil, err
	}
	return openNoFollow(path, access)
}

// openNoFollow checks before it opens: this system has no flag that does both
// at once.
func openNoFollow(path string, flags int) (*os.File, error) {
	if err := refuseLink(path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, flags, fileMode) //nolint:gosec // the caller names its own file
	if err != nil {
		return nil, fmt.Errorf("open file: %w", err)
	}
	return f, nil
}

func linked(path string) *TrustError { return &TrustError{Path: path, Reason: isLink} }

func refuseLink(path string) error {
	info, err := os.Lstat(path)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return linked(path)
	}
	return nil
}

func checkDir(string, fs.FileInfo) error { return nil }

func checkFile(path string, info fs.FileInfo) error { return checkOwned(path, info) }

func checkShared(path string, info fs.FileInfo) error { return checkOwned(path, info) }

func checkOwned(path string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return &TrustError{Path: path, Reason: "it is not a regular file"}
	}
	return nil
}

func checkSecret(string, fs.FileInfo) error { return nil }

// FindLoose finds nothing: modes say nothing here. Readers has who may use a folder.
func FindLoose(string) ([]string, error) { return nil, nil }

// Tighten is for systems where modes have a meaning.
func Tighten(string, fs.FileMode) (before, after fs.FileMode, err error) {
	return 0, 0, errors.ErrUnsupported
}

// SyncDir does nothing: the system writes names together with the file.
func SyncDir(string) error { return nil }
