package insight

import (
	"time"

	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/poll"
)

const (
	// keepEvery is how often days are looked for to be written, keepStep the pause after
	// each of them: with 100,000 cards a day takes as long as a few frames. keepAgain is
	// the pause after a write that failed.
	keepEvery = time.Minute
	keepStep  = 250 * time.Millisecond
	keepAgain = 10 * time.Minute
)

// RecallDays requests the days that earlier runs kept.
func (sp *Table) RecallDays() []kernel.Effect {
	if !sp.Cfg.KeepDays {
		return nil
	}
	sp.kept.loading = true
	return []kernel.Effect{LoadDays{}}
}

// keepDays requests that a day is written when one has changed.
func (sp *Table) keepDays(now time.Time) {
	k := &sp.kept
	if !sp.Cfg.KeepDays || k.loading || k.saving || k.version == sp.ledger.Version() || !poll.Reached(now, k.due) {
		return
	}
	k.due, k.version = now.Add(keepEvery), sp.ledger.Version()
	if e, ok := sp.Unsaved(); ok {
		k.saving = true
		sp.Wants = append(sp.Wants, e)
	}
}

// Unsaved is the effect that writes a day that is not on disk as it is; false when all
// are.
func (sp *Table) Unsaved() (SaveDays, bool) {
	if !sp.Cfg.KeepDays || sp.kept.loading {
		return SaveDays{}, false
	}
	days, versions := sp.kept.Changed(sp.ledger, 1)
	return SaveDays{Days: days, Versions: versions}, len(days) > 0
}

// LoadDays reads more of the days that earlier runs kept.
type LoadDays struct{}

func (LoadDays) Effect() {}

// DaysLoaded are days that earlier runs kept, or parts of them; More reports whether others follow.
// What cannot be read is left out: the API has it.
type DaysLoaded struct {
	kernel.Meta
	Days []ledger.Closed
	More bool
}

func (ev DaysLoaded) Apply(sp *Table) (kernel.Topic, []kernel.Effect) {
	if !sp.kept.loading {
		return 0, nil
	}
	for i := range ev.Days {
		d := &ev.Days[i]
		for _, r := range d.Rows {
			if r.Card >= 0 && int(r.Card) < len(d.Cards) {
				sp.tellNew(d.Cards[r.Card])
			}
		}
	}
	sp.kept.Restore(sp.ledger, sp.ServerNow(), ev.Days...)
	if ev.More {
		return 0, []kernel.Effect{LoadDays{}}
	}
	sp.kept.loading = false
	return 0, nil
}

// SaveDays writes days to disk.
type SaveDays struct {
	Days     []ledger.Closed
	Versions []ledger.DayVersion
}

func (SaveDays) Effect() {}

// DaysSaved confirms that days were written, or says why not.
type DaysSaved struct {
	kernel.Meta
	Versions []ledger.DayVersion
	Err      error
}

func (ev DaysSaved) Apply(sp *Table) (kernel.Topic, []kernel.Effect) {
	k := &sp.kept
	k.saving = false
	if ev.Err == nil {
		k.Saved(ev.Versions...)
		k.failing = false
		k.due, k.version = ev.At.Add(keepStep), 0
		return 0, nil
	}
	k.due, k.version = ev.At.Add(keepAgain), 0
	if k.failing {
		return 0, nil
	}
	k.failing = true
	sp.needs.Notices.Say(kernel.Warn, sp.Lang.Tf("the next start will read the spending of past days again: %s", ev.Err.Error()))
	return kernel.TopicNotice, nil
}

// daysKept are the days of the ledger that are over, on disk.
type daysKept struct {
	ledger.Kept
	// loading reports whether those of earlier runs are being read, saving whether
	// some are being written.
	loading, saving bool
	due             time.Time
	version         uint64 // of the ledger when it was last looked at
	failing         bool   // the user was told
}
