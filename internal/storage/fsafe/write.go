package fsafe

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// MkdirAll makes a directory and its missing parents with mode 0700. A
// directory that is there is brought to 0700; call it only for directories
// that are the program's own. A link and a directory of another user are
// refused with a *TrustError.
func MkdirAll(dir string) error {
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return fmt.Errorf("make directory: %w", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("inspect directory: %w", err)
	}
	if !info.IsDir() {
		return linked(dir)
	}
	if info.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(dir, dirMode); err != nil {
			return fmt.Errorf("close directory to others: %w", err)
		}
		if info, err = os.Lstat(dir); err != nil {
			return fmt.Errorf("inspect directory: %w", err)
		}
	}
	return checkDir(dir, info)
}

// WriteFile replaces a file as a whole, with mode 0600: whatever happens, the
// old or the new content is there, never a part. It returns when the content
// and the name are on the disk. The directory must exist.
func WriteFile(path string, data []byte) error {
	if err := replace(path, data, true); err != nil {
		return err
	}
	if err := SyncDir(filepath.Dir(path)); err != nil {
		return err
	}
	return sweep(path)
}

// ReplaceFile is WriteFile for what is soon written again: it does not wait for the disk,
// and after a crash of the machine the file may have an earlier content, or none.
func ReplaceFile(path string, data []byte) error {
	if err := replace(path, data, false); err != nil {
		return err
	}
	return sweep(path)
}

// replace renames a written file to its path.
func replace(path string, data []byte, sync bool) error {
	temp, err := os.CreateTemp(filepath.Dir(path), tempPrefix(path)+"*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := fill(temp, data, sync); err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", path, err), os.Remove(temp.Name()))
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", path, err), os.Remove(temp.Name()))
	}
	return nil
}

func fill(f *os.File, data []byte, sync bool) error {
	_, err := f.Write(data)
	if err == nil && sync {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func tempPrefix(path string) string {
	return "." + filepath.Base(path) + ".tmp-"
}

// staleAfter is far longer than any write takes.
const staleAfter = time.Minute

// sweep removes temporary files of writers that were killed. Age
// is compared with the file that was just written, so one clock is used.
func sweep(path string) error {
	written, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("inspect written file: %w", err)
	}
	dir := filepath.Dir(path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("list directory: %w", err)
	}
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), tempPrefix(path)) {
			continue
		}
		info, err := entry.Info()
		if err != nil || written.ModTime().Sub(info.ModTime()) < staleAfter {
			continue // Another writer's, still at work or gone by now.
		}
		if err := os.Remove(filepath.Join(dir, entry.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove stale file: %w", err)
		}
	}
	return nil
}
