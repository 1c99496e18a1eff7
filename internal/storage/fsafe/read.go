package fsafe

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
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
