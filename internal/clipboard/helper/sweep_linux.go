package helper

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/cardtop/cardtop/internal/clipboard/mark"
	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

// maxLeftover is the largest file that may be a secret of ours.
const maxLeftover = wire.MaxPayload + 1

// leftovers matches where wl-copy before 2.3.0 keeps what it serves. It ignores
// TMPDIR, and forgets the file when a signal ends it.
const leftovers = "/tmp/wl-copy-buffer-*"

// sweep removes the files of wl-copy that hold a text of the set.
func sweep(set mark.Set) error { return sweepIn(leftovers, set) }

func sweepIn(pattern string, set mark.Set) error {
	dirs, err := filepath.Glob(pattern)
	if err != nil {
		return fmt.Errorf("sweep clipboard files: %w", err)
	}
	var errs []error
	for _, dir := range dirs {
		if !ours(dir) {
			continue
		}
		errs = append(errs, sweepDir(dir, set))
	}
	return errors.Join(errs...)
}

func sweepDir(dir string, set mark.Set) error {
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return fmt.Errorf("sweep clipboard files: %w", err)
	}
	var errs []error
	for _, name := range names {
		if !holds(name, set) {
			continue
		}
		if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, fmt.Errorf("sweep clipboard files: %w", err))
		}
		// The directory is wl-copy's own and now empty; a stranger's file in
		// it keeps it, which does no harm.
		_ = os.Remove(dir)
	}
	return errors.Join(errs...)
}

// ours reports whether a directory was made by this user. What others put
// there could be anything, a pipe that never answers included.
func ours(dir string) bool {
	st, err := os.Lstat(dir)
	if err != nil || !st.IsDir() {
		return false
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && int(sys.Uid) == os.Geteuid()
}

// holds reports whether a file is a secret of ours. Files that cannot be read
// count as not ours, as do links.
func holds(name string, set mark.Set) bool {
	st, err := os.Lstat(name)
	if err != nil || !st.Mode().IsRegular() || st.Size() > maxLeftover {
		return false
	}
	text, err := os.ReadFile(name) //nolint:gosec // the pattern is fixed and links are refused
	return err == nil && set.Has(text)
}
