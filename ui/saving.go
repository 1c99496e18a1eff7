package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/tty"
)

// saveEvery is the pause between two saves for the next run: what one writes
// is a minute's news at most, and read again in seconds. It is longer by
// saveEach for every card, because a copy of 100,000 of them is large.
const (
	saveEvery = time.Minute
	saveEach  = 6 * time.Millisecond
)

// saving is how far the state is saved for the next run.
type saving struct {
	busy    bool // a save is under way
	failing bool // the user was told that it fails
	changed bool // since the last
	at      time.Time
}

// savedMsg is the result of a save.
type savedMsg struct{ err error }

// note notes which parts have changed.
func (s *saving) note(changed kernel.Topic) {
	s.changed = s.changed || changed&(kernel.TopicCards|kernel.TopicFeed|kernel.TopicWallet) != 0
}

// due reports whether it is time for a save: at once when there was none yet.
func (s *saving) due(now time.Time, cards int) bool {
	return !s.busy && s.changed && (s.at.IsZero() || now.Sub(s.at) >= saveEvery+time.Duration(cards)*saveEach)
}

// begin notes that a save begins.
func (s *saving) begin(now time.Time) { s.busy, s.changed, s.at = true, false, now }

// ended notes the result of a save, and reports whether it is the first that
// failed.
func (s *saving) ended(err error) (first bool) {
	s.busy = false
	if err == nil {
		return false
	}
	first = !s.failing
	s.changed, s.failing = true, true
	return first
}

// save saves what is known when it is time. Update only copies it.
func (a *App) save() tea.Cmd {
	if a.cfg.Keep == nil || !a.saving.due(a.store.Now(), a.store.Cards.All().Len()) || !a.complete() {
		return nil
	}
	a.saving.begin(a.store.Now())
	snap, save := a.snapshot(), a.cfg.Keep
	return tty.Contain(func() tea.Msg { return savedMsg{save(snap)} })
}

// snapshot is what is saved. The cards that the list shows first are what the
// next run needs first.
func (a *App) snapshot() state.Snapshot {
	snap := a.store.Snapshot()
	snap.Order = a.panes.cards.Order()
	return snap
}

// complete reports whether this run has read every card: half a list must not
// replace a complete one.
func (a *App) complete() bool {
	_, complete := a.store.Cards.Total()
	return complete
}

func (a *App) onSaved(m savedMsg) {
	if a.saving.ended(m.err) {
		a.sync(a.store.Notices.Say(kernel.Warn, a.theme.Words.Tf("the next start will not have this list at once: %s", m.err.Error())))
	}
}

// KeepLast saves what is known at the end. It is for after the program has
// run, and does nothing when that ended by a fault.
func (a *App) KeepLast() error {
	if a.cfg.Keep != nil && a.end.err == nil && a.complete() {
		return a.cfg.Keep(a.snapshot())
	}
	return nil
}
