package fsafe

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// maxFile bounds what Read takes in, in bytes. Configuration and operations
// are a thousand times smaller.
const maxFile = 16 << 20

// File is a file as it was read.
type File struct {
	Path string
	Data []byte
	info fs.FileInfo
}

// Read reads a regular file of the user. It refuses, with a *TrustError, a
// file or directory that is a symbolic link, that another user owns, or that
// others may write to. A file that is not there is fs.ErrNotExist.
func Read(path string) (File, error) { return read(path, checkFile) }

// ReadShared is Read for a file that is no secret but has to be trusted: it
// may also belong to the system, which others of the machine share.
func ReadShared(path string) (File, error) { return read(path, checkShared) }

func read(path string, check func(string, fs.FileInfo) error) (file File, err error) {
	f, err := openTrusted(path, os.O_RDONLY)
	if err != nil {
		return File{}, err
	}
	defer func() {
		if cerr := f.Close(); cerr != nil && err == nil {
			err = fmt.Errorf("close %s: %w", path, cerr)
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return File{}, fmt.Errorf("inspect %s: %w", path, err)
	}
	if err := check(path, info); err != nil {
		return File{}, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return File{}, fmt.Errorf("read %s: %w", path, err)
	}
	if len(data) > maxFile {
		return File{}, fmt.Errorf("read %s: larger than %d MiB", path, maxFile>>20)
	}
	return File{Path: path, Data: data, info: info}, nil
}

// Open opens a file that is there for reading and writing, so that it can be
// locked. It refuses what Read refuses.
func Open(path string) (*os.File, error) {
	f, err := openTrusted(path, os.O_RDWR)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = checkFile(path, info)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// CheckSecret refuses, with a *TrustError, a file that others may read. Call
// it when the file turns out to hold a key.
func (f File) CheckSecret() error {
	return checkSecret(f.Path, f.info)
}

// Found reports whether the file was there.
func (f File) Found() bool { return f.info != nil }

// ReadOnly reports whether the file is one that its owner may not write to.
func (f File) ReadOnly() bool { return f.info != nil && f.info.Mode().Perm()&0o200 == 0 }

// OpenAppend opens a file for appending, made with mode 0600 when it is not
// there and brought to 0600 when it is. A symbolic link and a file of another
// user are refused with a *TrustError.
func OpenAppend(path string) (*os.File, error) {
	f, err := openNoFollow(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY)
	if err != nil {
		return nil, err
	}
	if err := closeToOthers(f); err != nil {
		if cerr := f.Close(); cerr != nil {
			return nil, fmt.Errorf("close %s: %w", path, cerr)
		}
		return nil, err
	}
	return f, nil
}

// closeToOthers makes sure that an open file is a regular file of the user
// that no one else may open.
func closeToOthers(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("inspect %s: %w", f.Name(), err)
	}
	if err := checkOwned(f.Name(), info); err != nil {
		return err
	}
	if info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	if err := f.Chmod(fileMode); err != nil {
		return fmt.Errorf("close %s to others: %w", f.Name(), err)
	}
	return nil
}

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
