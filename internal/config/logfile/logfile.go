// Package logfile is the program's log: lines of log/slog in a private file
// that is rotated when it grows, with everything redacted that looks like a
// secret.
package logfile

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"github.com/cardtop/cardtop/internal/storage/fsafe"
)

const (
	// maxSize is the size in bytes at which a file is rotated.
	maxSize = 5 << 20
	// kept is how many older files are kept.
	kept = 3
)

// File is an append-only file that is rotated. It may be used from
// several goroutines.
type File struct {
	path string
	max  int64

	mu   sync.Mutex
	file *os.File
	size int64
}

// Open opens the file for appending and makes its directory.
func Open(path string) (*File, error) {
	if err := fsafe.MkdirAll(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	f := &File{path: path, max: maxSize}
	if err := f.open(); err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	return f, nil
}

func (f *File) open() error {
	file, err := fsafe.OpenAppend(f.path)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return errors.Join(err, file.Close())
	}
	f.file, f.size = file, info.Size()
	return nil
}

// Write appends a line, after turning the file over when it would grow too
// large. A line that cannot be written is lost; the next one is tried again.
func (f *File) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.size > 0 && f.size+int64(len(p)) > f.max {
		if err := f.turn(); err != nil {
			return 0, fmt.Errorf("turn log over: %w", err)
		}
	}
	n, err := f.file.Write(p)
	f.size += int64(n)
	return n, err
}

// turn renames the older files by one, removes the oldest, and starts a new one. When
// a file cannot be moved the present one grows on: a log that is too long is
// better than none.
func (f *File) turn() error {
	// Closed first, because some systems do not move open files.
	if err := f.file.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return err
	}
	moved := f.shift()
	if err := f.open(); err != nil {
		return err
	}
	if !moved {
		f.size = 0 // Tried again after another file's worth of lines.
	}
	return nil
}

func (f *File) shift() (moved bool) {
	for i := kept; i > 0; i-- {
		err := os.Rename(older(f.path, i-1), older(f.path, i))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	return true
}

func older(path string, n int) string {
	if n == 0 {
		return path
	}
	return fmt.Sprintf("%s.%d", path, n)
}

// Close closes the file.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.file.Close()
}

// Logger returns a logger that writes to f what is at least level, masked. The
// level may change while the logger is used when it is a *slog.LevelVar.
func (f *File) Logger(level slog.Leveler) *slog.Logger {
	return slog.New(slog.NewTextHandler(f, &slog.HandlerOptions{Level: level, ReplaceAttr: masker()}))
}
