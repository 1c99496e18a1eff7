// Package logfile is the program's log: lines of log/slog in a private file
// that is turned over when it grows, with everything masked that looks like a
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

	"github.com/cardtop/cardtop/state/config/private"
	"github.com/cardtop/cardtop/state/config/redact"
)

const (
	// maxSize is where a file is turned over, in bytes.
	maxSize = 5 << 20
	// kept is how many older files stay beside it.
	kept = 3
)

// File is an append-only file that is turned over. It may be used from
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
	if err := private.MkdirAll(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	f := &File{path: path, max: maxSize}
	if err := f.open(); err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	return f, nil
}

func (f *File) open() error {
	file, err := private.OpenAppend(f.path)
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
// large.
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

// turn shifts the older files by one, the oldest leaves, and starts anew.
func (f *File) turn() error {
	if err := f.file.Close(); err != nil {
		return err
	}
	for i := kept; i > 0; i-- {
		err := os.Rename(older(f.path, i-1), older(f.path, i))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return f.open()
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

// Logger gives a logger that writes to f what is at least level, masked.
func (f *File) Logger(level slog.Level) *slog.Logger {
	r := redact.New()
	return slog.New(slog.NewTextHandler(f, &slog.HandlerOptions{
		Level: level,
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			switch a.Value.Kind() {
			case slog.KindInt64, slog.KindUint64, slog.KindFloat64, slog.KindBool, slog.KindDuration, slog.KindTime:
				return a
			default:
				return slog.String(a.Key, r.Text(a.Value.String()))
			}
		},
	}))
}
