package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/accounts"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
	"github.com/cardtop/cardtop/state"
)

const (
	// folder holds the files of all runs of a profile.
	folder = "operations"
	suffix = ".jsonl"
	// turn is the lock of a run that takes over.
	turn = "turn.lock"
)

// compactFrom is the size in bytes from which a run replaces its file by one with
// what is open.
const compactFrom = 1 << 20

// Open makes a run's own file below the folder of a profile, and takes over what
// ended runs left. Without a folder nothing is stored. A file that another user
// could have written is refused: what it holds would be sent.
func Open(dir string, now func() time.Time) (*Journal, error) { return start(dir, now, false) }

// OpenReadOnly is Open for a run that sends nothing: it reads what is left and takes
// nothing over.
func OpenReadOnly(dir string, now func() time.Time) (*Journal, error) { return start(dir, now, true) }

func start(dir string, now func() time.Time, readOnly bool) (*Journal, error) {
	j := &Journal{now: now, own: newTable(""), readOnly: readOnly, full: compactFrom}
	if dir == "" {
		return j, nil
	}
	if err := j.begin(dir); err != nil {
		return nil, fmt.Errorf("open journal: %w", errors.Join(err, j.Close()))
	}
	return j, nil
}

func (j *Journal) begin(dir string) error {
	j.dir = filepath.Join(dir, folder)
	for _, d := range []string{dir, j.dir} {
		switch err := fsafe.MkdirAll(d); {
		case j.readOnly && fsafe.Unwritable(err):
			j.dir = "" // Nothing was ever begun.
			return nil
		case err != nil:
			return err
		}
	}
	var err error
	if j.account, err = accounts.ID(dir); err != nil {
		return err
	}
	if err := j.create(); err != nil && (!j.readOnly || !fsafe.Unwritable(err)) {
		return err // A run that sends nothing can do without a file of its own.
	}
	if err := fsafe.SyncDir(dir); err != nil {
		return err
	}
	j.pending, _, err = j.adopt() // Damage tells what is damaged.
	return err
}

// names bounds how many names are tried for a new file. A second one is only needed
// by runs of one process, or when another run takes the file over before it is
// locked.
const names = 1000

// create makes and locks a file with a name of this run.
func (j *Journal) create() error {
	// A process number is used again: the time makes the name this process's.
	run := strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(j.now().UnixNano(), 36)
	for n := range names {
		name := run
		if n > 0 {
			name += "-" + strconv.Itoa(n)
		}
		path := filepath.Join(j.dir, name+suffix)
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		f, err := fsafe.OpenAppend(path)
		if err != nil {
			return err
		}
		mine, err := j.claim(f, path)
		if err == nil && mine {
			j.output = output{file: f, path: path}
			return fsafe.SyncDir(j.dir)
		}
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return errors.New("no name is left for this run's file")
}

// claim locks this run's empty file. Where the file system has no locks, no run can
// know whether another has ended, and nothing is taken over.
func (j *Journal) claim(f *os.File, path string) (mine bool, err error) {
	got, err := fsafe.TryLock(f)
	if errors.Is(err, errors.ErrUnsupported) {
		got, err, j.readOnly = true, nil, true
	}
	if err != nil || !got {
		return false, err
	}
	info, err := f.Stat()
	if err != nil {
		return false, err
	}
	return info.Size() == 0 && isAt(f, path), nil
}

// isAt reports whether an open file is still the one of that name.
func isAt(f *os.File, path string) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(path)
	return err == nil && os.SameFile(info, named)
}

// discard removes an open file and closes it. Some systems remove only a closed one.
func discard(f interface{ Close() error }, path string) error {
	first := os.Remove(path)
	if err := f.Close(); err != nil {
		return err
	}
	if first == nil {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// table is the operations of some files. Those that are open are found without those
// that are settled, which become ever more in a run that stays.
type table struct {
	account string // of the folder that the files are in
	entries map[api.IdempotencyKey]entry
	open    []api.IdempotencyKey // as they were first heard of
}

type entry struct {
	begin *record // what was begun, while it is open; nil when that is not known
	fate  state.OpStatus
	at    time.Time // when it last began, or was settled by an answer
}

func newTable(account string) *table {
	return &table{account: account, entries: make(map[api.IdempotencyKey]entry)}
}

// note adds a record that follows those before.
func (t *table) note(r record) {
	e := t.entries[r.Key]
	switch r.What {
	case begun:
		e = entry{begin: &r, fate: state.OpStatusBegun, at: r.At}
	case state.OpStatusUnknown:
		e.fate = r.What
	case state.OpStatusDone, state.OpStatusRefused:
		e = entry{fate: r.What, at: r.At}
	case state.OpStatusDismissed:
		e = entry{fate: r.What, at: e.at}
	default:
		return
	}
	t.set(r.Key, e)
}

func (t *table) set(key api.IdempotencyKey, e entry) {
	was, is := t.isOpen(key), !state.Settled(e.fate)
	t.entries[key] = e
	switch {
	case is && !was:
		t.open = append(t.open, key)
	case was && !is:
		i := slices.Index(t.open, key)
		t.open = slices.Delete(t.open, i, i+1)
	}
}

// join adds another file.
func (t *table) join(other *table) {
	for _, key := range other.open {
		t.merge(key, other.entries[key])
	}
	for key, e := range other.entries {
		if state.Settled(e.fate) {
			t.merge(key, e)
		}
	}
}

// joinOpen adds what another file has of the operations that are open in either.
func (t *table) joinOpen(other *table) {
	for _, key := range slices.Clone(t.open) {
		if e, known := other.entries[key]; known && state.Settled(e.fate) {
			t.merge(key, e)
		}
	}
	for _, key := range other.open {
		t.merge(key, other.entries[key])
	}
}

// merge adds what another file has of an operation. It moves from file to file while
// it is open, so it is settled when one of them has that.
func (t *table) merge(key api.IdempotencyKey, o entry) {
	e, known := t.entries[key]
	at := later(e.at, o.at)
	switch {
	case !known, state.Settled(o.fate):
		e = o
	case state.Settled(e.fate):
	case e.begin == nil, o.fate == state.OpStatusUnknown:
		begin := e.begin
		if e = o; e.begin == nil {
			e.begin = begin
		}
	}
	e.at = at
	t.set(key, e)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func (t *table) isOpen(key api.IdempotencyKey) bool {
	e, known := t.entries[key]
	return known && !state.Settled(e.fate)
}

// left returns the open operations in the order they began.
func (t *table) left() []record {
	var out []record
	for _, key := range t.open {
		if e := t.entries[key]; e.begin != nil {
			out = append(out, *e.begin)
		}
	}
	sortByTime(out)
	return out
}

// lines returns the records of open operations for a new file.
func (t *table) lines(begins []record) []record {
	out := make([]record, 0, len(begins))
	for _, r := range begins {
		out = append(out, r)
		if t.entries[r.Key].fate == state.OpStatusUnknown {
			out = append(out, record{At: r.At, Key: r.Key, What: state.OpStatusUnknown})
		}
	}
	return out
}

// ops returns the open operations.
func (t *table) ops() []state.Op { return opsOf(t.left()) }

func opsOf(begins []record) []state.Op {
	ops := make([]state.Op, 0, len(begins))
	for _, r := range begins {
		by := state.Actor{}
		if r.By != nil {
			by = *r.By
		}
		ops = append(ops, state.Op{
			By:   by,
			Kind: r.Kind, Card: r.Card, Amount: r.Amount, Name: r.Name, Label: r.Label, Bulk: r.Plan, Rule: r.Rule, Key: r.Key, At: r.Started, Tries: 1, Expected: r.Expected,
			Write: &api.Write{Method: r.Method, Route: r.Route, Path: r.Path, Body: r.Body, Sensitive: r.Sensitive},
		})
	}
	return ops
}
