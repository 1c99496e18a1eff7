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

// recallCache loads what the last run saved. What cannot be loaded is skipped:
// the API has it.
func recallCache(store *state.Store, c *cache.Cache, now time.Time, log *slog.Logger) {
	if c == nil {
		return
	}
	switch snap, err := c.Load(now); {
	case err == nil:
		store.Recall(snap)
	case !errors.Is(err, fs.ErrNotExist):
		log.Warn("cache", slog.Any("error", err))
	}
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
