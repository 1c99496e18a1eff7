package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
)

// doubleClick is the longest pause between two clicks that are one.
const doubleClick = 400 * time.Millisecond

// click is where and when the mouse was pressed last.
type click struct {
	x, y int
	at   time.Time
}

// wheelRows is how far one notch of the wheel moves.
const wheelRows = 3

// toggleMouse leaves the mouse to the terminal, which then selects text by
// itself, or takes it back.
func (a *App) toggleMouse() {
	a.mouse = !a.mouse
	text := "the mouse is ours again"
	if !a.mouse {
		text = "the mouse is the terminal's: select text with it"
		if key := a.cfg.Keys.Key(keymap.Mouse); key != "" {
			text += "; " + key + " takes it back"
		}
	}
	a.sync(a.store.Notices.Add(state.Info, text))
}

// onClick focuses what was clicked and puts its cursor there. The mouse
// never presses a button of a dialog: it moves no money.
func (a *App) onClick(m tea.Mouse) tea.Cmd {
	a.targets = nil
	if m.Button != tea.MouseLeft {
		return nil
	}
	if d, open := a.dialogs.Top(); open {
		if d.Traits().Question {
			a.ignore(noClick)
		}
		return nil
	}
	if a.layout.tabs.holds(m.X, m.Y) {
		if slot, ok := a.tabAt(m.X); ok {
			return a.focusOn(slot)
		}
		return nil
	}
	slot, ok := a.slotAt(m.X, m.Y)
	if !ok {
		return nil
	}
	r := a.layout.panes[slot]
	cmds := []tea.Cmd{a.focusOn(slot)}
	asked := a.pane(slot).Click(m.X-r.x, m.Y-r.y)
	for _, in := range asked {
		cmds = append(cmds, a.want(in, ""))
	}
	a.dirty = true
	now, last := a.cfg.Now(), a.click
	a.click = click{m.X, m.Y, now}
	if last.x == m.X && last.y == m.Y && now.Sub(last.at) < doubleClick && m.Y-r.y > 1 && len(asked) == 0 {
		a.click = click{}
		cmds = append(cmds, a.act(a.pane(slot), keymap.Inspect, ""))
	}
	return tea.Batch(cmds...)
}

// onWheel moves the cursor of the pane under the pointer, as the arrows do.
func (a *App) onWheel(m tea.Mouse) tea.Cmd {
	a.targets = nil
	if _, open := a.dialogs.Top(); open {
		return nil
	}
	slot, ok := a.slotAt(m.X, m.Y)
	if !ok {
		return nil
	}
	act := keymap.Down
	if m.Button == tea.MouseWheelUp {
		act = keymap.Up
	} else if m.Button != tea.MouseWheelDown {
		return nil
	}
	var cmds []tea.Cmd
	for range wheelRows {
		for _, in := range a.pane(slot).Act(act) {
			cmds = append(cmds, a.want(in, ""))
		}
	}
	a.dirty = true
	return tea.Batch(cmds...)
}

func (a *App) slotAt(x, y int) (int, bool) {
	for slot, r := range a.layout.panes {
		if r.holds(x, y) {
			return slot, true
		}
	}
	return 0, false
}
