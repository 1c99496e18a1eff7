package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/cardtop/cardtop/internal/storage/accounts"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
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
