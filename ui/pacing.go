package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// drawRest is how long after a frame that a key or the wheel brought no other
// such is drawn: half of what the terminal is written to. A key that comes by
// itself is drawn at once.
const drawRest = 8 * time.Millisecond

// pacing keeps keys and steps of the wheel that come faster than frames are
// shown from being drawn one by one.
type pacing struct {
	drawn time.Time // when one of them was last drawn
	waits bool      // a timer draws what has come since
	// held says that the last frame stays although there is something new.
	held bool
	// secret says that details are on it: then it never stays.
	secret bool
}

// drawMsg says that the rest after a frame is over.
type drawMsg struct{}

// pace tells whether what a message brought is drawn now.
func (a *App) pace(msg tea.Msg) tea.Cmd {
	b, now := &a.pacing, a.cfg.Now()
	was := b.held
	b.held = false
	switch msg.(type) {
	case drawMsg:
		b.waits = false
		if was {
			b.drawn = now
		}
		return nil
	case tea.KeyPressMsg, tea.MouseWheelMsg:
	default:
		return nil
	}
	since := now.Sub(b.drawn)
	switch {
	case !a.dirty || b.secret:
		return nil
	case since < 0 || since >= drawRest:
		b.drawn = now
		return nil
	}
	b.held = true
	if b.waits {
		return nil
	}
	b.waits = true
	return tea.Tick(drawRest-since, func(time.Time) tea.Msg { return drawMsg{} })
}
