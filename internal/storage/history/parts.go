package history

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cardtop/cardtop/internal/storage/fsafe"
	"github.com/cardtop/cardtop/state"
)

// The files of a history: the one that is appended to, the full ones, and the lock of
// its readers and writers.
const (
	active     = "history.jsonl"
	fullPrefix = "history-"
	fullSuffix = ".jsonl"
	LockName   = "history.lock"
)

// parts lists the files, the oldest first.
func parts(dir string) ([]string, error) {
	found, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var full []string
	grows := false
	for _, e := range found {
		if _, ok := number(e.Name()); ok {
			full = append(full, e.Name())
		}
		grows = grows || e.Name() == active
	}
	slices.SortFunc(full, func(a, b string) int {
		x, _ := number(a)
		y, _ := number(b)
		return x - y
	})
	if grows {
		full = append(full, active)
	}
	for i, name := range full {
		full[i] = filepath.Join(dir, name)
	}
	return full, nil
}

// number is the place of a full part among them, from 1.
func number(name string) (int, bool) {
	digits, ok := strings.CutPrefix(name, fullPrefix)
	digits, ends := strings.CutSuffix(digits, fullSuffix)
	n, err := strconv.Atoi(digits)
	return n, ok && ends && err == nil && n > 0
}

// read returns the records of the newest parts, the oldest first, until there
// are enough. The caller holds the lock.
func read(dir string, enough func([]state.Record) bool) ([]state.Record, error) {
	paths, err := parts(dir)
	if err != nil {
		return nil, err
	}
	var records []state.Record
	for _, path := range slices.Backward(paths) {
		file, err := fsafe.Read(path)
		if err != nil {
			return nil, err
		}
		all, err := split(file.Data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		var here []state.Record
		for _, s := range all {
			if s.hash != "" {
				here = append(here, s.record())
			}
		}
		if records = append(here, records...); enough(records) {
			break
		}
	}
	return records, nil
}

// tail is how far the last file was read: only what is appended since has to be
// read.
type tail struct {
	file os.FileInfo // nil: nothing was read
	size int64
	last string // the hash of the last line; empty before the first
	torn bool   // the last line has no end
	// recent are the records since a time, while that is known.
	recent []state.Record
	since  time.Time
	known  bool
}

// catchUp reads what was appended. The caller holds the lock.
func (t *tail) catchUp(dir string) error {
	path := filepath.Join(dir, active)
	info, err := os.Lstat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err != nil || t.file == nil || !os.SameFile(info, t.file) || info.Size() < t.size {
		// Another file grows now: the end of the one before may not be read yet.
		if err := t.restart(dir); err != nil {
			return err
		}
	}
	if info == nil || info.Size() == t.size {
		t.file = info
		return nil
	}
	data, err := readFrom(path, t.size)
	if err != nil {
		return err
	}
	all, err := split(data)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	t.file, t.size = info, t.size+int64(len(data))
	t.torn = data[len(data)-1] != '\n'
	for _, s := range all {
		if s.hash == "" {
			continue
		}
		t.last = s.hash
		if t.known {
			t.recent = append(t.recent, s.record())
		}
	}
	return nil
}

// restart starts at the end of the newest full part.
func (t *tail) restart(dir string) error {
	*t = tail{}
	paths, err := parts(dir)
	if err != nil {
		return err
	}
	paths = slices.DeleteFunc(paths, func(path string) bool { return filepath.Base(path) == active })
	for _, path := range slices.Backward(paths) {
		file, err := fsafe.Read(path)
		if err != nil {
			return err
		}
		all, err := split(file.Data)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, s := range slices.Backward(all) {
			if s.hash != "" {
				t.last = s.hash
				return nil
			}
		}
	}
	return nil
}

func readFrom(path string, offset int64) (data []byte, err error) {
	f, err := fsafe.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return io.ReadAll(f)
}

// turn renames the full file. The next line starts a new one, and the chain goes on.
// The caller holds the lock.
func (t *tail) turn(dir string) error {
	paths, err := parts(dir)
	if err != nil {
		return err
	}
	next := 1
	for _, path := range paths {
		if n, ok := number(filepath.Base(path)); ok {
			next = n + 1
		}
	}
	name := fmt.Sprintf("%s%04d%s", fullPrefix, next, fullSuffix)
	if err := os.Rename(filepath.Join(dir, active), filepath.Join(dir, name)); err != nil {
		return err
	}
	t.file, t.size, t.torn = nil, 0, false
	return fsafe.SyncDir(dir)
}

// back returns the records since a time, which mostly are in memory. The caller
// holds the lock and has caught up.
func (t *tail) back(dir string, since time.Time) ([]state.Record, error) {
	if !t.known || since.Before(t.since) {
		records, err := read(dir, func(have []state.Record) bool { return len(have) > 0 && have[0].At.Before(since) })
		if err != nil {
			return nil, err
		}
		t.recent, t.known = records, true
	}
	t.recent, t.since = after(t.recent, since), since
	return t.recent, nil
}

// newestRead is how much of the end of a file tells what wrote it last, and whether it is
// damaged, in bytes.
const newestRead = 64 << 10

// checkNewest refuses a history that a newer program has written to, before anything is
// sent whose result could not be stored. It returns the damaged lines among the newest.
func checkNewest(dir string) ([]state.Damage, error) {
	path := filepath.Join(dir, active)
	file, err := fsafe.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	from := max(0, len(file.Data)-newestRead)
	if from > 0 {
		from += bytes.IndexByte(file.Data[from:], '\n') + 1 // A whole line.
	}
	all, err := split(file.Data[from:])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var damaged []state.Damage
	for i := range all {
		if s := &all[i]; s.damaged {
			s.number += bytes.Count(file.Data[:from], []byte("\n"))
			damaged = append(damaged, s.damage(path))
		}
	}
	return damaged, nil
}
