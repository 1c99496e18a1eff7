// Package fsafe reads and writes files that are private to one user:
// configuration, operations on disk, caches and logs. Directories are 0700 and
// files 0600; a file that another user could have written or swapped is
// refused with the command that fixes it.
//
// Owner and mode are checked on Unix. Windows keeps the user's profile closed
// to others by access control lists, which this package leaves as they are.
package fsafe

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"
)

const (
	dirMode  fs.FileMode = 0o700
	fileMode fs.FileMode = 0o600
)

// TrustError is the refusal of a file or directory that is not the user's
// alone.
type TrustError struct {
	Path   string
	Reason string
	// Mend is the shell command that fixes it; empty when there is none.
	Mend string
}

const isLink = "it is a symbolic link; put the real one in its place"

// Error is one line that names the path, the reason and the remedy.
func (e *TrustError) Error() string {
	text := fmt.Sprintf("refuse %s: %s", e.Path, e.Reason)
	if e.Mend != "" {
		text += "; run: " + e.Mend
	}
	return text
}

// ShellQuote writes a path so that a shell reads it as one word.
func ShellQuote(path string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("/._-+@:", r)
	}
	if path != "" && strings.IndexFunc(path, func(r rune) bool { return !plain(r) }) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// Unwritable reports whether an error is that this user, or nobody, can write there: the disk is read-only or
// full. A program that writes nothing goes on without files of its own.
func Unwritable(err error) bool {
	return errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// ErrBusy is that another process held a lock for as long as was
// waited.
var ErrBusy = errors.New("another process holds the lock")

// lockPause is how often a lock that is held is asked for again.
const lockPause = 2 * time.Millisecond

// Lock locks a file, until it is closed or the
// process ends in any way. The file is made when it is not there. While
// others hold it Lock waits, at most for a span; then the error is ErrBusy.
// Where files cannot be locked it is errors.ErrUnsupported.
func Lock(path string, wait time.Duration) (*os.File, error) {
	f, err := OpenAppend(path)
	if err != nil {
		return nil, err
	}
	if err := lockWithin(f, wait); err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
	}
	return f, nil
}

func lockWithin(f *os.File, wait time.Duration) error {
	patience := time.NewTimer(wait) // Pauses take longer than they say.
	defer patience.Stop()
	for over := wait <= 0; ; {
		got, err := TryLock(f)
		switch {
		case err != nil:
			return err
		case got:
			return nil
		case over:
			return ErrBusy
		}
		pause := time.NewTimer(lockPause)
		select {
		case <-patience.C:
			over = true
		case <-pause.C:
		}
		pause.Stop()
	}
}

// Busy reports whether another process holds the lock of a file for as long as is waited. One that is not there, or
// cannot be locked, is not busy.
func Busy(path string, wait time.Duration) bool {
	f, err := Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // It was not written to.
	return errors.Is(lockWithin(f, wait), ErrBusy)
}
