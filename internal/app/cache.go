package app

import (
	"errors"
	"io/fs"
	"log/slog"
	"sync"
	"time"

	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/storage/cache"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/ledger"
)

// openCache returns the cache of an account and the days that are kept of it; nil
// without one. The embedded sandbox has none: it is a new world at each start.
func openCache(paths config.Paths, run config.Resolved, acc account) (*cache.Cache, *cache.Days) {
	if run.Sandbox || run.NoCache {
		return nil, nil
	}
	_, dir := paths.Profile(run, acc.mode)
	of := cache.Account{Origin: run.Origin.String(), Mode: string(acc.mode), Key: acc.cfg.Key}
	return cache.Open(dir, of), cache.OpenDays(dir, of)
}

const (
	// firstCards are read before the first frame, which shows a part of them;
	// moreCards at a time follow, in so short a time that no key waits for them.
	firstCards = 500
	moreCards  = 2000
	// moreRows are the transactions of days that are read at a time, and a day more
	// at most.
	moreRows = 2000
)

// loadCache returns what the last run saved, and what reads the rest of its
// cards; nil for none. What cannot be loaded is skipped: the API has it.
func loadCache(c *cache.Cache, now time.Time, log *slog.Logger) (snap state.Snapshot, more func() (state.PackedCards, bool)) {
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
	return snap, func() (state.PackedCards, bool) { return rest.Next(moreCards) }
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

// keptDays reads the days of an account, latest first, and writes them. It logs what
// cannot be read: the API has it.
type keptDays struct {
	files *cache.Days
	now   func() time.Time
	log   *slog.Logger

	mu     sync.Mutex
	listed bool
	left   []time.Time
}

// openDays returns what keeps days for an engine; nil without files.
func openDays(files *cache.Days, now func() time.Time, log *slog.Logger) engine.Days {
	if files == nil {
		return nil
	}
	return &keptDays{files: files, now: now, log: log}
}

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
	for rows := 0; len(k.left) > 0 && rows < moreRows; k.left = k.left[1:] {
		day, err := k.files.Load(k.left[0])
		if err != nil {
			k.log.Warn("cache", slog.Any("error", err))
			continue
		}
		days, rows = append(days, day), rows+len(day.Rows)
	}
	return days, len(k.left) > 0
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
