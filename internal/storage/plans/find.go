package plans

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/accounts"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
	"github.com/cardtop/cardtop/state"
)

// maxFile bounds a plan's file, in bytes: 10,000 rows are a few megabytes.
const maxFile = 16 << 20

// Find returns the plans that other runs left unfinished, the oldest first, with the
// rows that they have begun. They are this run's from then on, and returned until
// they are dropped.
func (p *Plans) Find() ([]state.LeftPlan, error) {
	if p.dir == "" {
		return nil, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	entries, err := os.ReadDir(p.dir)
	if err != nil {
		return nil, fmt.Errorf("find plans: %w", err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), suffix) && !p.has(e.Name()) {
			err = errors.Join(err, p.take(filepath.Join(p.dir, e.Name())))
		}
	}
	var found []state.LeftPlan
	for _, f := range p.own {
		if f.found {
			found = append(found, f.left())
		}
	}
	sortByAge(found)
	if err != nil {
		return found, fmt.Errorf("find plans: %w", err)
	}
	return found, nil
}

// Read returns the plans below the folder of a profile, the oldest first, without making
// them this run's: it locks and writes nothing, and knows not whether their runs are
// alive. Without a folder there are none.
func Read(dir string) ([]state.LeftPlan, error) {
	account, err := accounts.ID(dir)
	if err != nil {
		return nil, fmt.Errorf("read plans: %w", err)
	}
	dir = filepath.Join(dir, folder)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var found []state.LeftPlan
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), suffix) {
			continue
		}
		got, failed := fsafe.Read(filepath.Join(dir, e.Name()))
		if errors.Is(failed, fs.ErrNotExist) {
			continue // It has just ended.
		}
		plan, begun, wrong := decode(got.Data, account)
		if plan != nil && failed == nil && wrong == nil {
			found = append(found, state.LeftPlan{Plan: plan, Begun: begun})
		}
		err = errors.Join(err, failed, wrong)
	}
	sortByAge(found)
	if err != nil {
		return found, fmt.Errorf("read plans: %w", err)
	}
	return found, nil
}

// Elsewhere returns the cards of rows that have not begun, in the plans that other runs carry out
// now or keep for their user. What a run left that ended holds nobody up, nor does a file that
// cannot be read: who opens it is told.
func (p *Plans) Elsewhere() (map[api.CardID]bool, error) {
	if p.dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(p.dir)
	if err != nil {
		return nil, fmt.Errorf("read plans: %w", err)
	}
	cards := make(map[api.CardID]bool)
	for _, e := range entries {
		p.mu.Lock()
		mine := p.has(e.Name())
		p.mu.Unlock()
		path := filepath.Join(p.dir, e.Name())
		if mine || !strings.HasSuffix(e.Name(), suffix) || !isHeld(path) {
			continue
		}
		got, err := fsafe.Read(path)
		if err != nil {
			continue
		}
		plan, begun, err := decode(got.Data, p.account)
		if err != nil || plan == nil {
			continue
		}
		for i := range plan.Rows {
			row := &plan.Rows[i]
			if _, sent := begun[row.Key]; row.Runs() && !sent {
				cards[row.Card] = true
			}
		}
	}
	return cards, nil
}

// isHeld reports whether a run that lives has a plan's file locked.
func isHeld(path string) bool {
	f, err := fsafe.Open(path)
	if err != nil {
		return false
	}
	got, err := fsafe.TryLock(f)
	_ = f.Close() // Nothing is written to it, and what was locked is unlocked.
	return err == nil && !got
}

func sortByAge(plans []state.LeftPlan) {
	slices.SortFunc(plans, func(a, b state.LeftPlan) int {
		return cmp.Or(a.Plan.Made.Compare(b.Plan.Made), cmp.Compare(a.Plan.ID, b.Plan.ID))
	})
}

func (f *file) left() state.LeftPlan {
	return state.LeftPlan{Plan: f.plan, Begun: maps.Clone(f.begun)}
}

func (p *Plans) has(base string) bool {
	_, ok := p.own[state.PlanID(strings.TrimSuffix(base, suffix))]
	return ok
}

// take makes a plan this run's, unless its run is alive. Where files cannot be locked
// that is not known, and no plan is taken.
func (p *Plans) take(path string) error {
	f, err := fsafe.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	got, err := fsafe.TryLock(f)
	if errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	if err != nil || !got || !isAt(f, path) {
		return errors.Join(err, f.Close())
	}
	left := &file{f: f, path: path, account: p.account, found: true}
	if err := left.read(); err != nil {
		return errors.Join(err, f.Close())
	}
	if left.plan == nil { // Nothing was ever sent of it, or its run was just removing it.
		return left.remove()
	}
	if name, err := name(left.plan.ID); err != nil || name+suffix != filepath.Base(path) {
		return errors.Join(fmt.Errorf("read %s: it holds another plan", path), err, f.Close())
	}
	p.own[left.plan.ID] = left
	return nil
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
