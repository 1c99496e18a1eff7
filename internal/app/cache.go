package app

import (
	"errors"
	"io/fs"
	"log/slog"
	"time"

	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/storage/cache"
	"github.com/cardtop/cardtop/state"
)

// openCache returns the cache of an account; nil without one. The embedded
// sandbox has none: it is a new world at each start.
func openCache(paths config.Paths, run config.Resolved, acc account) *cache.Cache {
	if run.Sandbox || run.NoCache {
		return nil
	}
	_, dir := paths.Profile(run, acc.mode)
	return cache.Open(dir, cache.Account{Origin: run.Origin.String(), Mode: string(acc.mode), Key: acc.cfg.Key})
}

const (
	// firstCards are read before the first frame, which shows a part of them;
	// moreCards at a time follow, in so short a time that no key waits for them.
	firstCards = 500
	moreCards  = 2000
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
