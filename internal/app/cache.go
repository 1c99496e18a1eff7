package app

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"sync"
	"time"

	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/config/recording"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/storage/cache"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/ledger"
)

// openCache returns the cache of an account and the days that are kept of it; nil
// without one. The embedded sandbox has none: it is a new world at each start.
func openCache(run config.Resolved, acc account) (*cache.Cache, *cache.Days) {
	dir := acc.folder.Cache
	if dir == "" || run.NoCache {
		return nil, nil
	}
	of := cache.Account{Origin: run.Origin.String(), Mode: string(acc.mode), Key: acc.cfg.Key}
	return cache.Open(dir, of), cache.OpenDays(dir, of)
}

// listNames has a command note what the cards that it lists are called, so that command
// lines are completed with them. What it returns saves them, and logs why not: no command
// fails for that.
func (p Program) listNames(cfg *engine.Config, run config.Resolved, acc account, log *slog.Logger) (save func()) {
	dir := acc.folder.Cache
	if dir == "" || run.NoCache {
		return func() {}
	}
	names := cache.OpenListed(dir, cache.Account{Origin: run.Origin.String(), Mode: string(acc.mode), Key: acc.cfg.Key})
	cfg.Listed = names.Add
	return func() {
		if err := names.Save(p.Now()); err != nil {
			log.Warn("cache", slog.Any("error", err))
		}
	}
}

const (
	// firstCards are read before the first frame, which shows a part of them;
	// moreCards at a time follow, in so short a time that no key waits for them.
	firstCards = 500
	moreCards  = 2000
	// moreRows are the transactions of days that are read at a time: added in so short a
	// time that no key waits for them.
	moreRows = 500
)

// loadCache returns what the last run saved, and what reads the rest of its
// cards; nil for none. What cannot be loaded is skipped: the API has it.
func loadCache(c *cache.Cache, now time.Time, log *slog.Logger) (snap state.Snapshot, more func() (cardlist.List, bool)) {
	if c == nil {
		return state.Snapshot{}, nil
	}
	snap, rest, err := c.Load(now, firstCards)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			log.Warn("cache", slog.Any("error", err))
		}
		return state.Snapshot{}, nil
	}
	return snap, func() (cardlist.List, bool) { return rest.Next(moreCards) }
}

// saveCache returns what saves for the next run and logs its errors; nil without
// a cache.
func saveCache(c *cache.Cache, log *slog.Logger) func(state.Snapshot) error {
	if c == nil {
		return nil
	}
	return func(snap state.Snapshot) error {
		err := c.Save(snap)
		if err != nil {
			log.Warn("cache", slog.Any("error", err))
		}
		return err
	}
}

// CachedNames returns what the account that flags name calls its cards and
// transactions, as the dashboard or a command saved it last: it asks for no key and sends
// nothing. Without a cache there are none.
func (p Program) CachedNames(flags config.Flags) (cache.Names, error) {
	paths, run, err := p.Resolve(flags)
	if err != nil || run.Sandbox {
		return cache.Names{}, err
	}
	folders, err := p.folders(paths, run)
	if err != nil {
		return cache.Names{}, err
	}
	var latest cache.Names
	for _, f := range folders {
		names, err := cache.ReadNames(f.Cache)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return cache.Names{}, err
		case names.At.After(latest.At):
			latest = names
		}
	}
	return latest, nil
}

// Recorded reports whether the screen is noticed to be recorded: names of cards are
// then not shown.
func (Program) Recorded(ctx context.Context) bool { return recording.By(ctx) != "" }

// keptDays reads the days of an account, latest first, and writes them. It logs what
// cannot be read: the API has it.
type keptDays struct {
	files *cache.Days
	now   func() time.Time
	log   *slog.Logger

	mu     sync.Mutex
	listed bool
	left   []time.Time
	parts  []ledger.Closed // of the day that was read last
}

// openDays returns what keeps days for an engine; nil without files.
func openDays(files *cache.Days, now func() time.Time, log *slog.Logger) engine.Days {
	if files == nil {
		return nil
	}
	return &keptDays{files: files, now: now, log: log}
}

// readDays are the days of an account that is not on the screen: they are read and not
// written.
type readDays struct{ engine.Days }

// Save implements engine.Days.
func (readDays) Save([]ledger.Closed) error { return nil }

// Next implements engine.Days.
func (k *keptDays) Next() (days []ledger.Closed, more bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.listed {
		k.listed = true
		var err error
		if k.left, err = k.files.List(k.now()); err != nil {
			k.log.Warn("cache", slog.Any("error", err))
		}
	}
	for rows := 0; k.load(); k.parts = k.parts[1:] {
		part := k.parts[0]
		if rows += len(part.Rows); rows > moreRows && len(days) > 0 {
			return days, true
		}
		days = append(days, part)
	}
	return days, false
}

// load reads the next day when all parts of the last one were taken; false after the
// last day.
func (k *keptDays) load() bool {
	for ; len(k.parts) == 0 && len(k.left) > 0; k.left = k.left[1:] {
		day, err := k.files.Load(k.left[0])
		if err != nil {
			k.log.Warn("cache", slog.Any("error", err))
			continue
		}
		k.parts = day.Parts()
	}
	return len(k.parts) > 0
}

// Save implements engine.Days.
func (k *keptDays) Save(days []ledger.Closed) error {
	for i := range days {
		if err := k.files.Save(days[i]); err != nil {
			k.log.Warn("cache", slog.Any("error", err))
			return err
		}
	}
	return nil
}
