package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/cardtop/cardtop/internal/storage/fsafe"
)

const (
	// folder holds the files of all runs of a profile.
	folder = "operations"
	suffix = ".jsonl"
	// turn is the lock of whoever takes over.
	turn = "turn.lock"
)

// compactFrom is the size in bytes from which a run writes its file anew, with
// what is open in it.
const compactFrom = 1 << 20

// Open makes a run's own file below a folder, which is the profile's, and
// takes over what runs that ended have left. With an empty folder nothing is
// kept: for a world that ends with the program. A file that somebody else
// could have written is refused: what it holds would be sent.
func Open(dir string, now func() time.Time) (*Journal, error) { return start(dir, now, false) }

// OpenReadOnly is Open for a run that sends nothing: it sees what is left and
// leaves it to others.
func OpenReadOnly(dir string, now func() time.Time) (*Journal, error) { return start(dir, now, true) }

func start(dir string, now func() time.Time, looking bool) (*Journal, error) {
	j := &Journal{now: now, own: newBook(), looking: looking, full: compactFrom}
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
		if err := fsafe.MkdirAll(d); err != nil {
			return err
		}
	}
	if err := j.create(); err != nil {
		return err
	}
	if err := fsafe.SyncDir(dir); err != nil {
		return err
	}
	var err error
	j.pending, err = j.adopt()
	return err
}

// names bounds how many names are tried for a new file. A second one is only
// ever needed by runs of one process, or when an adopter is faster than the
// lock.
const names = 1000

// create makes and locks a file whose name is this run's.
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
			j.file, j.path, j.size, j.torn = f, path, 0, false
			return fsafe.SyncDir(j.dir)
		}
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return errors.New("no name is left for this run's file")
}

// claim locks an empty file of this run's. Where the file system has no
// locks nobody can know whether another run is over, and nothing is ever
// taken over.
func (j *Journal) claim(f *os.File, path string) (mine bool, err error) {
	got, err := fsafe.TryLock(f)
	if errors.Is(err, errors.ErrUnsupported) {
		got, err, j.looking = true, nil, true
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

// isAt tells whether an open file is still the one of that name.
func isAt(f *os.File, path string) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(path)
	return err == nil && os.SameFile(info, named)
}

// discard removes an open file and closes it. Some systems take the name away
// only from a closed one.
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
