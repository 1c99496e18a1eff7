//go:build unix

package fsafe

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// FindLoose returns the files and folders of the user, at a folder and below it, that others may use. Links are not
// followed. A folder that is not there has none.
func FindLoose(root string) (loose []string, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if uid, known := owner(info); (d.IsDir() || info.Mode().IsRegular()) && known && uid == os.Geteuid() && info.Mode().Perm()&0o077 != 0 {
			loose = append(loose, path)
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) { // Also a file that another process removed meanwhile.
		err = nil
	}
	return loose, err
}

// Tighten takes rights of others from a file or a folder of the user, and returns the modes before and after. A link
// is refused. What has none of those rights stays as it is.
func Tighten(path string, rights fs.FileMode) (before, after fs.FileMode, err error) {
	f, err := openNoFollow(path, os.O_RDONLY)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return 0, 0, fmt.Errorf("inspect %s: %w", path, err)
	}
	before = info.Mode().Perm()
	after = before &^ rights
	uid, known := owner(info)
	switch {
	case !known || uid != os.Geteuid() || !info.IsDir() && !info.Mode().IsRegular():
		return before, before, fmt.Errorf("close %s to others: it is not a file or folder of yours", path)
	case after == before:
		return before, after, nil
	}
	if err := f.Chmod(after); err != nil {
		return before, before, fmt.Errorf("close %s to others: %w", path, err)
	}
	return before, after, nil
}
