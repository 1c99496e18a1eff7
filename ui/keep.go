package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/state"
)

// keepEvery is the pause between two saves for the next run: what one writes
// is a minute's news at most, and read again in seconds. It is longer by
// keepEach for every card, because a copy of 100,000 of them is large.
const (
	keepEvery = time.Minute
	keepEach  = 6 * time.Millisecond
)

// keeping is how far what is known is kept for the next run.
type keeping struct {
	busy    bool // a save is under way
	told    bool // a person knows that it fails
	changed bool // since the last
	at      time.Time
}

// see notes that parts of what is kept have changed.
func (k *keeping) see(changed state.Topic) {
	k.changed = k.changed || changed&(state.TopicCards|state.TopicFeed|state.TopicWallet) != 0
}

// due tells whether it is time for a save: at once when there was none yet.
func (k *keeping) due(now time.Time, cards int) bool {
	return !k.busy && k.changed && (k.at.IsZero() || now.Sub(k.at) >= keepEvery+time.Duration(cards)*keepEach)
}

// keptMsg is what came of a save.
type keptMsg struct{ err error }

// keep saves what is known when it is time. The loop only copies it.
func (a *App) keep() tea.Cmd {
	if a.cfg.Keep == nil || !a.keeping.due(a.store.Now(), a.store.Cards.All().Len()) || !a.worthKeeping() {
		return nil
	}
	a.keeping.busy, a.keeping.changed, a.keeping.at = true, false, a.store.Now()
	snap, keep := a.store.Snapshot(), a.cfg.Keep
	return contain(func() tea.Msg { return keptMsg{keep(snap)} })
}

// worthKeeping tells whether this run has read every card: half a list must
// not take the place of a whole one.
func (a *App) worthKeeping() bool {
	_, complete := a.store.Cards.Total()
	return complete
}

func (a *App) onKept(m keptMsg) {
	a.keeping.busy = false
	if m.err == nil {
		return
	}
	a.keeping.changed = true
	if !a.keeping.told {
		a.keeping.told = true
		a.sync(a.store.Notices.Add(state.Warn, "the next start will not have this list at once: "+m.err.Error()))
	}
}

// KeepLast saves what is known at the end. It is for after the program has
// run, and does nothing when that ended by a fault.
func (a *App) KeepLast() error {
	if a.cfg.Keep != nil && a.err == nil && a.worthKeeping() {
		return a.cfg.Keep(a.store.Snapshot())
	}
	return nil
}
