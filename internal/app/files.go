package app

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"

	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/storage/cache"
	"github.com/cardtop/cardtop/internal/storage/export"
	"github.com/cardtop/cardtop/internal/storage/fsafe"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/internal/storage/journal"
	"github.com/cardtop/cardtop/internal/storage/plans"
	"github.com/cardtop/cardtop/internal/storage/views"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/settings"
)

// files is what the dashboard of an account has on disk.
type files struct {
	dir string // Of the account; empty on the embedded sandbox.
	records
	cache    *cache.Cache // Nil without one.
	days     *cache.Days  // Likewise.
	exports  export.Folder
	views    *views.File
	looks    settings.Views // As views had them at the start.
	viewsErr error
}

// openFiles opens the files of an account. The embedded sandbox is a new world
// at each start: of that only the views of the lists are saved.
func (p Program) openFiles(deps sessionDeps) (files, error) {
	run, acc := deps.run, deps.account
	f := files{dir: acc.folder.State, views: views.Open(acc.folder.State)}
	if run.Sandbox {
		f.views = views.Open(deps.paths.Sandbox())
	}
	f.looks, f.viewsErr = f.views.Load()
	f.cache, f.days = openCache(run, acc)
	f.exports = export.Folder{Fallback: f.dir, Now: p.Now}
	var err error
	f.records, err = p.openRecords(run, acc, f.dir, "")
	return f, err
}

// records are the operations of an account on disk.
type records struct {
	journal *journal.Journal
	history *history.Log
	plans   *plans.Plans
}

// openRecords opens the operations in the folder of an account. via is how
// operations are asked for, for the history.
func (p Program) openRecords(run config.Resolved, acc account, dir, via string) (r records, err error) {
	if r.journal, err = p.openJournal(run, dir); err != nil {
		return records{}, err
	}
	if r.history, err = history.Open(history.Config{Dir: dir, User: UserName(), Mode: string(acc.mode), Profile: profileName(run), Via: via, Now: p.Now}); err != nil {
		_ = r.journal.Close() // Nothing was written.
		return records{}, err
	}
	if r.plans, err = plans.Open(dir); err != nil {
		_ = r.journal.Close() // Nothing was written.
		return records{}, err
	}
	return r, nil
}

// UnderWay returns the operations without an answer and the plans that are not whole of
// the account that flags name, as its files have them: it asks for no key, sends nothing
// and takes nothing over.
func (p Program) UnderWay(flags config.Flags) (ops []state.Op, left []state.LeftPlan, err error) {
	paths, run, err := p.Resolve(flags)
	if err != nil || run.Sandbox {
		return nil, nil, err
	}
	folders, err := p.folders(paths, run)
	for _, f := range folders {
		o, failed := journal.ReadUnderWay(f.State)
		l, wrong := plans.Read(f.State)
		ops, left, err = append(ops, o...), append(left, l...), errors.Join(err, failed, wrong)
	}
	return ops, left, err
}

// damage returns the records that are damaged.
func (r records) damage() ([]state.Damage, error) {
	damaged, err := r.journal.Damage()
	return append(damaged, r.history.Damage()...), err
}

// Damage returns the records that are damaged of the account that a run names: it sends
// nothing and writes nothing.
func (p Program) Damage(paths config.Paths, run config.Resolved) (all []state.Damage, err error) {
	folders, err := p.folders(paths, run)
	for _, f := range folders {
		ops, failed := journal.ReadDamage(f.State)
		past, wrong := history.ReadDamage(f.State)
		_, left := plans.Read(f.State)
		all, err = append(append(all, ops...), past...), errors.Join(err, failed, wrong, left)
	}
	return all, err
}

// close closes what is open. Every record was synced when it was written.
func (r records) close() {
	_ = r.journal.Close()
	_ = r.plans.Close()
}

// openJournal opens the operations on disk, read-only for a read-only profile.
func (p Program) openJournal(run config.Resolved, dir string) (*journal.Journal, error) {
	if run.ReadOnly {
		return journal.OpenReadOnly(dir, p.Now)
	}
	j, err := journal.Open(dir, p.Now)
	if run.DryRun && fsafe.Unwritable(err) { // It sends nothing.
		return journal.OpenReadOnly(dir, p.Now)
	}
	return j, unrecorded(err)
}

// unrecorded says what to do where nothing can be written; any other error, and none, it returns as it is.
func unrecorded(err error) error {
	if !fsafe.Unwritable(err) {
		return err
	}
	return fmt.Errorf("%w: nothing is sent without a record of it: set XDG_STATE_HOME to a folder that can be written; --read-only needs none", err)
}

// UserName is the user of this machine, for the history.
func UserName() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return fmt.Sprintf("uid %d", os.Getuid())
}

// OpenHistory opens the history of the operations in the folder of an account, and nothing else of it: other
// programs may have it open. via is how operations are asked for.
func (p Program) OpenHistory(dir string, run config.Resolved, mode config.Mode, via string) (*history.Log, error) {
	return history.Open(history.Config{Dir: dir, User: UserName(), Mode: string(mode), Profile: profileName(run), Via: via, Now: p.Now})
}

// OpenCalls opens the history of what assistants asked of an account: every call, reads
// and refused ones too. It is apart from that of the operations, which many reads would
// push out of sight.
func (p Program) OpenCalls(dir string, run config.Resolved, mode config.Mode, via string) (*history.Log, error) {
	return p.OpenHistory(CallsDir(dir), run, mode, via)
}

// CallsDir is where that history is in the folder of an account; nowhere without one.
func CallsDir(dir string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "calls")
}
