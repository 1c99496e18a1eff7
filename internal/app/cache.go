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

// openCache finds the place of what is kept between runs; nil where nothing
// is: the embedded sandbox is a new world at each start.
func openCache(paths config.Paths, run config.Resolved, acc account) *cache.Cache {
	if run.Sandbox || run.NoCache {
		return nil
	}
	_, dir := paths.Profile(run, acc.mode)
	return cache.Open(dir, cache.Account{Origin: run.Origin.String(), Mode: string(acc.mode), Key: acc.cfg.Key})
}

// recall begins with what the last run kept. What cannot be used is passed
// over: the API tells it anew.
func recall(store *state.Store, kept *cache.Cache, now time.Time, log *slog.Logger) {
	if kept == nil {
		return
	}
	switch snap, err := kept.Load(now); {
	case err == nil:
		store.Recall(snap)
	case !errors.Is(err, fs.ErrNotExist):
		log.Warn("cache", slog.Any("error", err))
	}
}

// keeper saves for the next run and logs what fails; nil when nothing is kept.
func keeper(kept *cache.Cache, log *slog.Logger) func(state.Snapshot) error {
	if kept == nil {
		return nil
	}
	return func(snap state.Snapshot) error {
		err := kept.Save(snap)
		if err != nil {
			log.Warn("cache", slog.Any("error", err))
		}
		return err
	}
}
