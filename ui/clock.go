package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/state"
)

// clock is the program's one timer.
type clock struct {
	due time.Time // of the pending tick; zero when there is none
	n   int       // its number; others are stale
}

// tickMsg is a tick of the clock.
type tickMsg struct{ n int }

// arm sets the clock; an earlier tick that is still pending becomes stale.
func (c *clock) arm(at, now time.Time) tea.Cmd {
	c.due = at
	c.n++
	n := c.n
	return tea.Tick(max(0, at.Sub(now)), func(time.Time) tea.Msg { return tickMsg{n} })
}

// fired reports whether a tick is the pending one, which it is no more.
func (c *clock) fired(msg tickMsg) bool {
	if msg.n != c.n {
		return false
	}
	c.due = time.Time{}
	return true
}

// schedule arms the clock for the next thing that is due: what the store
// waits for, or the next whole second, when the countdowns move.
func (a *App) schedule() tea.Cmd {
	now := a.cfg.Now()
	next := now.Truncate(time.Second).Add(time.Second)
	for _, due := range []time.Time{a.store.NextWake(), a.reads.next(now, a.theme.Still)} {
		if !due.IsZero() && due.Before(next) {
			next = due
		}
	}
	if due := a.clock.due; !due.IsZero() && !next.Before(due) {
		return nil
	}
	return a.clock.arm(next, now)
}

func (a *App) onTick(msg tickMsg) tea.Cmd {
	if !a.clock.fired(msg) {
		return nil
	}
	last := a.store.Now()
	changed, effects := a.store.Tick(a.cfg.Now())
	if last.Unix() != a.store.Now().Unix() {
		changed |= state.TopicClock
	}
	if _, moves := a.reads.shown(a.store.Now()); moves {
		a.frame.invalidate()
	}
	a.sync(changed)
	return a.run(effects, false)
}
