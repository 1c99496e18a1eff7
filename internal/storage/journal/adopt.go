package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/internal/storage/fsafe"
	"github.com/cardtop/cardtop/state"
)

// Adopt takes over the operations that ended runs left without an answer: from then
// on they are this run's, on disk as well. Damaged records are a state.DamageError; what
// is intact is taken over all the same.
func (j *Journal) Adopt() ([]state.Op, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil || j.readOnly {
		return nil, nil
	}
	ops, damaged, err := j.adopt()
	if err == nil {
		err = j.compact()
	}
	switch {
	case err != nil:
		return ops, fmt.Errorf("take over operations: %w", err)
	case len(damaged) > 0:
		return ops, damaged
	}
	return ops, nil
}

// adopt takes over one run at a time: an operation in two files, because a run was
// killed after it took it over and before it removed the first, is seen in both.
func (j *Journal) adopt() (ops []state.Op, damaged state.DamageError, err error) {
	if !j.readOnly {
		mine, err := fsafe.Lock(filepath.Join(j.dir, turn), 0)
		if errors.Is(err, fsafe.ErrBusy) {
			return nil, nil, nil // Another run takes what there is.
		}
		if err != nil {
			return nil, nil, err
		}
		defer func() { _ = mine.Close() }() // Nothing is written to it.
	}
	left, err := j.ended()
	defer func() {
		for _, e := range left {
			err = errors.Join(err, e.close())
		}
	}()
	if err != nil || len(left) == 0 {
		return nil, nil, err
	}
	found, err := j.unclaimed(left)
	if err != nil || j.readOnly {
		return found.ops(), nil, err
	}
	begins := found.left()
	if err := j.append(found.lines(begins)...); err != nil {
		return nil, nil, err
	}
	// They are this run's now: a crash from here on leaves them in its file.
	for i := range left {
		kept, err := left[i].remove()
		if damaged = append(damaged, kept...); err != nil {
			return opsOf(begins), damaged, err
		}
	}
	return opsOf(begins), damaged, fsafe.SyncDir(j.dir)
}

// unclaimed joins what ended runs left, without what is in another file: its run has
// taken that over.
func (j *Journal) unclaimed(left []leftover) (*table, error) {
	found := newTable(j.account)
	for i := range left {
		b, err := left[i].read(j.account)
		if err != nil {
			return found, err
		}
		found.join(b)
	}
	if len(found.left()) == 0 {
		return found, nil
	}
	known, err := j.others(left)
	if err != nil {
		return newTable(j.account), err
	}
	out := newTable(j.account)
	for _, key := range found.open {
		_, mine := j.own.entries[key]
		if _, elsewhere := known.entries[key]; !elsewhere && !mine {
			out.set(key, found.entries[key])
		}
	}
	return out, nil
}

// leftover is the file of a run that ended, locked so that no other run takes it
// over.
type leftover struct {
	path  string
	f     *os.File
	data  []byte // as it was read
	flaws []flaw
}

// ended finds and locks the files of runs that are over.
func (j *Journal) ended() (left []leftover, err error) {
	paths, err := j.paths()
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		e, ok, err := lockFile(path)
		if err != nil {
			return left, err
		}
		if ok {
			left = append(left, e)
		}
	}
	return left, nil
}

// lockFile locks a file; false when its run is alive, or has just removed it.
func lockFile(path string) (e leftover, ok bool, err error) {
	e = leftover{path: path}
	e.f, err = fsafe.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return leftover{}, false, nil
	}
	if err != nil {
		return leftover{}, false, err
	}
	got, err := fsafe.TryLock(e.f)
	if errors.Is(err, errors.ErrUnsupported) {
		got, err = true, nil
	}
	if err == nil && got && isAt(e.f, path) {
		return e, true, nil
	}
	return leftover{}, false, errors.Join(err, e.close())
}

func (e *leftover) read(account string) (_ *table, err error) {
	if e.data, err = io.ReadAll(e.f); err != nil {
		return nil, fmt.Errorf("read %s: %w", e.path, err)
	}
	b := newTable(account)
	if e.flaws, err = b.read(e.data); err != nil {
		return nil, fmt.Errorf("read %s: %w", e.path, err)
	}
	return b, nil
}

// remove removes the file. It is emptied first, for those that have it open. Of one with
// damaged lines a copy stays, and they are returned.
func (e *leftover) remove() (kept []state.Damage, err error) {
	if len(e.flaws) > 0 {
		kept = damageIn(e.path, e.flaws)
		path := strings.TrimSuffix(e.path, suffix) + damagedSuffix
		if err := fsafe.WriteFile(path, e.data); err != nil {
			return nil, fmt.Errorf("keep %s: %w", e.path, err)
		}
		for i := range kept {
			kept[i].Path, kept[i].Removable = path, true
		}
	}
	if err := e.f.Truncate(0); err != nil {
		return kept, fmt.Errorf("empty %s: %w", e.path, err)
	}
	f := e.f
	e.f = nil
	return kept, discard(f, e.path)
}

func (e *leftover) close() error {
	if e.f == nil {
		return nil
	}
	return e.f.Close()
}

// paths lists the files of other runs.
func (j *Journal) paths() ([]string, error) {
	found, err := os.ReadDir(j.dir)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, e := range found {
		if path := filepath.Join(j.dir, e.Name()); path != j.path && strings.HasSuffix(e.Name(), suffix) {
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// rereads bounds how often the files are read again because one was taken over
// meanwhile.
const rereads = 10

// others joins the files of other runs, except some.
func (j *Journal) others(but []leftover) (*table, error) {
	if j.dir == "" {
		return newTable(j.account), nil
	}
	for range rereads {
		all, err := j.readOthers(but)
		if !errors.Is(err, fs.ErrNotExist) {
			return all, err
		}
	}
	return nil, errors.New("the files of other runs come and go")
}

func (j *Journal) readOthers(but []leftover) (*table, error) {
	paths, err := j.paths()
	if err != nil {
		return nil, err
	}
	all, sizes, empty := newTable(j.account), make(map[string]int64), false
	for _, path := range paths {
		if slices.ContainsFunc(but, func(e leftover) bool { return e.path == path }) {
			continue
		}
		if j.reading != nil {
			j.reading(path)
		}
		file, err := fsafe.Read(path)
		if err != nil {
			return nil, err
		}
		sizes[path], empty = int64(len(file.Data)), empty || len(file.Data) == 0
		b := newTable(j.account)
		if _, err := b.read(file.Data); err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		all.join(b)
	}
	if empty {
		return all, unchanged(sizes)
	}
	return all, nil
}

// unchanged fails when files grew since they were read. A file that is taken over is
// emptied before it is removed: its operations are then in another, perhaps written
// after that was read.
func unchanged(sizes map[string]int64) error {
	for path, size := range sizes {
		info, err := os.Lstat(path)
		if err != nil {
			return err
		}
		if info.Size() > size {
			return fs.ErrNotExist
		}
	}
	return nil
}

// compact replaces this run's file when settled operations fill it.
func (j *Journal) compact() error {
	if j.size < j.full {
		return nil
	}
	old := j.output
	if err := j.create(); err != nil {
		j.output = old
		return err
	}
	if err := j.append(j.own.lines(j.own.left())...); err != nil {
		err = errors.Join(err, discard(j.file, j.path))
		j.output = old
		return err
	}
	j.full = max(compactFrom, 2*j.size)
	// Both files are locked: until the old one is gone no run reads either.
	return errors.Join(discard(old.file, old.path), fsafe.SyncDir(j.dir))
}
