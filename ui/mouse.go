package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/dialog"
)

const (
	// doubleClick is the longest pause between two clicks that are one.
	doubleClick = 400 * time.Millisecond
	// wheelRows is how far one notch of the wheel moves.
	wheelRows = 3
)

// mouse is whose the mouse is, and where and when it was pressed last.
type mouse struct {
	ours bool // not the terminal's
	x, y int
	at   time.Time
}

// click notes a click, and reports whether it is the second of a double click.
func (m *mouse) click(x, y int, now time.Time) (double bool) {
	double = m.x == x && m.y == y && now.Sub(m.at) < doubleClick
	m.x, m.y, m.at = x, y, now
	return double
}

// forget has the next click be a first one.
func (m *mouse) forget() { m.x, m.y, m.at = 0, 0, time.Time{} }

// toggleMouse leaves the mouse to the terminal, which then selects text by
// itself, or takes it back.
func (a *App) toggleMouse() {
	a.mouse.ours = !a.mouse.ours
	text := a.theme.Words.T("mouse on")
	if !a.mouse.ours {
		text = a.theme.Words.T("mouse off: the terminal selects text")
		if key := a.cfg.Keys.Key(keymap.Mouse); key != "" {
			text = a.theme.Words.Tf("mouse off: the terminal selects text, %s turns it on", key)
		}
	}
	a.sync(a.store.Notices.Say(kernel.Info, text))
}

// onClick focuses what was clicked and puts its cursor there. The mouse
// never presses a button of a dialog: it moves no money.
func (a *App) onClick(m tea.Mouse) tea.Cmd {
	a.labels = nil
	if m.Button != tea.MouseLeft {
		return nil
	}
	if d, open := a.dialogs.Top(); open {
		return a.onDialogClick(d, m)
	}
	if a.layout.Tabs.Holds(m.X, m.Y) {
		if slot, ok := a.tabAt(m.X); ok {
			return a.focusOn(slot)
		}
		return nil
	}
	slot, ok := a.slotAt(m.X, m.Y)
	if !ok {
		return nil
	}
	r := a.layout.Panes[slot]
	cmds := []tea.Cmd{a.focusOn(slot)}
	asked := a.pane(slot).Click(m.X-r.X, m.Y-r.Y)
	for _, in := range asked {
		cmds = append(cmds, a.want(in, ""))
	}
	a.frame.invalidate()
	if a.mouse.click(m.X, m.Y, a.cfg.Now()) && m.Y-r.Y > 1 && len(asked) == 0 {
		a.mouse.forget()
		cmds = append(cmds, a.act(a.pane(slot), keymap.Inspect, ""))
	}
	return tea.Batch(cmds...)
}

// onDialogClick passes a click into a dialog that takes them.
func (a *App) onDialogClick(d dialog.Dialog, m tea.Mouse) tea.Cmd {
	is := d.Traits()
	if is.Question {
		a.ignore(noClick(a.theme.Words))
	}
	draw := a.box()
	if is.Click == nil || draw == nil || a.covered(d) || a.unseen() {
		return nil
	}
	if _, at := a.placeBox(len(a.footer(a.w)), draw); at.Holds(m.X, m.Y) {
		a.frame.invalidate()
		return a.settle(is.Click(m.Y - at.Y))
	}
	return nil
}

// onWheel moves the cursor of the pane under the pointer, as the arrows do.
func (a *App) onWheel(m tea.Mouse) tea.Cmd {
	a.labels = nil
	act := keymap.Down
	if m.Button == tea.MouseWheelUp {
		act = keymap.Up
	} else if m.Button != tea.MouseWheelDown {
		return nil
	}
	if d, open := a.dialogs.Top(); open {
		if is := d.Traits(); is.Click != nil && !a.covered(d) && !a.unseen() && is.Move(act) {
			a.frame.invalidate()
		}
		return nil
	}
	slot, ok := a.slotAt(m.X, m.Y)
	if !ok {
		return nil
	}
	var cmds []tea.Cmd
	for range wheelRows {
		for _, in := range a.pane(slot).Act(act) {
			cmds = append(cmds, a.want(in, ""))
		}
	}
	a.frame.invalidateBody()
	return tea.Batch(cmds...)
}

// slotAt finds the slot at a cell.
func (a *App) slotAt(x, y int) (int, bool) {
	for slot, r := range a.layout.Panes {
		if r.Holds(x, y) {
			return slot, true
		}
	}
	return 0, false
}
