// Package plans stores plans for many cards: a plan is on disk before its first row
// is sent, and removed when nothing of it will be sent any more. What a crash leaves
// is found by another run and offered to the user.
//
// The journal knows which rows acted. The plan's own file has every row before it
// begins: such a row is never begun again, whatever else was lost.
package plans

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/accounts"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
	"github.com/cardtop/cardtop/state"
)

const (
	// folder holds the plans of all runs of a profile.
	folder = "plans"
	suffix = ".jsonl"
	// unborn marks a file that is not locked or not complete yet.
	unborn = ".new"
)

// Plans are the plans of one run. They may be used from several goroutines.
type Plans struct {
	dir     string // empty: nothing is kept
	account string // whose folder it is: what another account's file says is not sent

	mu  sync.Mutex
	own map[state.PlanID]*file
}

// file is the file of a plan, locked while the run that carries it out lives.
type file struct {
	f       *os.File
	path    string
	account string
	plan    *state.Plan
	begun   map[api.IdempotencyKey]time.Time // when each row last began
	found   bool                             // another run left it
	torn    bool                             // the last line has no end yet
}

// Open uses the plans below the folder of a profile. Without a folder nothing is
// stored.
func Open(dir string) (*Plans, error) {
	p := &Plans{own: make(map[state.PlanID]*file)}
	if dir == "" {
		return p, nil
	}
	p.dir = filepath.Join(dir, folder)
	for _, d := range []string{dir, p.dir} {
		if err := fsafe.MkdirAll(d); err != nil {
			return nil, fmt.Errorf("open plans: %w", err)
		}
	}
	var err error
	if p.account, err = accounts.ID(dir); err != nil {
		return nil, fmt.Errorf("open plans: %w", err)
	}
	if err := errors.Join(fsafe.SyncDir(dir), p.removeUnborn()); err != nil {
		return nil, fmt.Errorf("open plans: %w", err)
	}
	return p, nil
}

// removeUnborn removes the files of plans whose run was killed before they were complete:
// nothing was sent of them.
func (p *Plans) removeUnborn() error {
	paths, err := filepath.Glob(filepath.Join(p.dir, "*"+suffix+unborn))
	for _, path := range paths {
		f, failed := fsafe.Open(path)
		if errors.Is(failed, fs.ErrNotExist) {
			continue // It is complete by now.
		}
		if failed != nil {
			return failed
		}
		if mine, _ := fsafe.TryLock(f); !mine || !isAt(f, path) {
			err = errors.Join(err, f.Close()) // Its run lives, or nobody can know.
			continue
		}
		err = errors.Join(err, (&file{f: f, path: path}).remove())
	}
	return err
}

// Keep returns when the plan is on disk.
func (p *Plans) Keep(plan *state.Plan) error {
	if p.dir == "" {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	f, err := p.create(plan)
	if err != nil {
		return fmt.Errorf("keep plan: %w", err)
	}
	p.own[plan.ID] = f
	return nil
}

// create writes a plan's file under a name that is not read, and renames it when it
// is complete and locked.
func (p *Plans) create(plan *state.Plan) (*file, error) {
	name, err := name(plan.ID)
	if err != nil {
		return nil, err
	}
	data, err := encode(plan, p.account)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(p.dir, name+suffix)
	f, err := fsafe.OpenAppend(path + unborn)
	if err != nil {
		return nil, err
	}
	if err := fill(f, data, path); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(path+unborn))
	}
	return &file{f: f, path: path, account: p.account, plan: plan}, nil
}

func fill(f *os.File, data []byte, path string) error {
	if got, err := fsafe.TryLock(f); !got && !errors.Is(err, errors.ErrUnsupported) || !isAt(f, f.Name()) {
		return errors.Join(errors.New("the plan's file is in use"), err)
	}
	if _, err := f.Write(data); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return fsafe.SyncDir(filepath.Dir(path))
}

// name is a plan's name on disk. It is made only of a random number of ours.
func name(id state.PlanID) (string, error) {
	if id == "" || len(id) > 128 || strings.Trim(string(id), "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_") != "" {
		return "", fmt.Errorf("%q is no name of a plan", id)
	}
	return string(id), nil
}

// Begun stores that a row begins, and when. The line survives this process, not
// always the machine: then the journal has the row.
func (p *Plans) Begun(id state.PlanID, key api.IdempotencyKey, at time.Time) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	f, ok := p.own[id]
	switch {
	case p.dir == "":
		return nil
	case !ok:
		return fmt.Errorf("note row: no plan %s is kept", id)
	}
	if err := f.note(key, at); err != nil {
		return fmt.Errorf("note row: %w", err)
	}
	return nil
}

func (f *file) note(key api.IdempotencyKey, at time.Time) error {
	line, err := mark(key, at, f.account)
	if err != nil {
		return err
	}
	if f.torn {
		line = append([]byte{'\n'}, line...)
	}
	n, err := f.f.Write(line)
	f.torn = err != nil && (f.torn || n > 0)
	return err
}

// Drop removes a plan from the disk. It is no error when it is not there.
func (p *Plans) Drop(id state.PlanID) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	f, ok := p.own[id]
	if !ok {
		return nil
	}
	delete(p.own, id)
	if err := f.remove(); err != nil {
		return fmt.Errorf("drop plan: %w", err)
	}
	return fsafe.SyncDir(p.dir)
}

// remove removes the file. It is emptied first, for those that have it open.
func (f *file) remove() error {
	if err := f.f.Truncate(0); err != nil {
		return errors.Join(err, f.f.Close())
	}
	first := os.Remove(f.path)
	if err := f.f.Close(); err != nil {
		return err
	}
	if first == nil {
		return nil
	}
	// Some systems remove only a closed file.
	if err := os.Remove(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Close unlocks all plans. Those that are not dropped are for another run.
func (p *Plans) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var err error
	for id, f := range p.own {
		err = errors.Join(err, f.f.Close())
		delete(p.own, id)
	}
	return err
}

// read reads the lines of a file.
func (f *file) read() error {
	data, err := io.ReadAll(io.NewSectionReader(f.f, 0, maxFile))
	if err != nil {
		return fmt.Errorf("read %s: %w", f.path, err)
	}
	f.plan, f.begun, err = decode(data, f.account)
	if err != nil {
		return fmt.Errorf("read %s: %w", f.path, err)
	}
	f.torn = len(data) > 0 && data[len(data)-1] != '\n'
	if _, err := f.f.Seek(int64(len(data)), io.SeekStart); err != nil {
		return fmt.Errorf("read %s: %w", f.path, err)
	}
	return nil
}

// maxSheet bounds a file of cards to be issued, in bytes.
const maxSheet = 1 << 20

// ReadSheet reads a file that the user named, at most 1 MiB. What is not a regular
// file is refused: a read of a pipe might never end.
func ReadSheet(path string) (data []byte, err error) {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, fmt.Errorf("read file: %w", err)
		}
		path = filepath.Join(home, rest)
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("read file: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("read file: %s is not a regular file", path)
	}
	f, err := os.Open(path) //nolint:gosec // a person names the file
	if err != nil {
		return nil, fmt.Errorf("read file: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	data, err = io.ReadAll(io.LimitReader(f, maxSheet+1))
	if err != nil {
		return nil, fmt.Errorf("read file: %w", err)
	}
	if len(data) > maxSheet {
		return nil, fmt.Errorf("read file: %s is larger than 1 MiB", path)
	}
	return data, nil
}
