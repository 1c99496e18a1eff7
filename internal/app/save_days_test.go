package app

import (
	"errors"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/settings"
)

// writtenDays are days as they are written, how many at a time.
type writtenDays struct {
	counts []int
	err    error
}

func (*writtenDays) Next() ([]ledger.Closed, bool) { return nil, false }

func (w *writtenDays) Save(days []ledger.Closed) error {
	w.counts = append(w.counts, len(days))
	return w.err
}

// TestAllDaysAreSavedAtTheEnd one by one, and none is tried again where the first fails.
func TestAllDaysAreSavedAtTheEnd(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	for want, failure := range map[int]error{30: nil, 1: errors.New("the disk is full")} {
		disk := &writtenDays{err: failure}
		store := state.New(settings.Config{Screen: &settings.Screen{}, Reloadable: settings.Defaults(), KeepDays: true})
		eng := engine.New(engine.Config{Days: disk, Now: func() time.Time { return now }})
		saveDays(t.Context(), store, eng)
		if len(disk.counts) > 0 {
			t.Error("days are written that were not read")
		}
		store.Insight.Ledger().Advance(now)
		store.Insight.Ledger().Cover(now.AddDate(0, 0, -40), now)
		saveDays(t.Context(), store, eng)
		if len(disk.counts) != want {
			t.Errorf("%d writes, want %d", len(disk.counts), want)
		}
		for _, n := range disk.counts {
			if n != 1 {
				t.Errorf("%d days at once", n)
			}
		}
		if again := len(disk.counts); failure == nil {
			if saveDays(t.Context(), store, eng); len(disk.counts) != again {
				t.Error("days are written again")
			}
		}
	}
}
