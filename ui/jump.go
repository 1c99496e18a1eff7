package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// rowLabels are the labels of rows, those under the fingers first. Panes have
// their numbers.
const rowLabels = "asdfghjklqwertyuiopzxcvbnmASDFGHJKLQWERTYUIOPZXCVBNM"

// target is what a label stands for: a pane, or the row on a line of it. A label
// is bound to its place: what is shown there is what it goes to.
type target struct {
	label string
	slot  int
	row   bool
	x, y  int // of the label
}

// jump labels the panes and the rows in sight, those of the focused pane first.
func (a *App) jump() {
	a.targets = nil
	for slot := range slots {
		if x, y, ok := a.numberOf(slot); ok {
			a.targets = append(a.targets, target{label: string(rune('1' + slot)), slot: slot, x: x, y: y})
		}
	}
	labels := strings.Split(rowLabels, "")
	foot := a.h - len(a.footer(a.w))
	for i := range slots {
		slot := (a.focus + i) % slots
		p, ok := a.pane(slot).(pane.Lister)
		r := a.layout.panes[slot]
		for y := 1; ok && y < r.h-1 && r.y+y < foot && len(labels) > 0; y++ {
			if !p.RowAt(y) {
				continue
			}
			a.targets = append(a.targets, target{label: labels[0], slot: slot, row: true, x: r.x + 1, y: r.y + y})
			labels = labels[1:]
		}
	}
}

// numberOf is where the number of a pane is: in its title, or in its tab.
func (a *App) numberOf(slot int) (x, y int, ok bool) {
	if a.layout.shape == tabbed {
		names := a.tabNames()
		x = 1
		for _, name := range names[:slot] {
			x += widget.Width(name) + 2
		}
		return x, a.layout.tabs.y, x < a.w
	}
	r := a.layout.panes[slot]
	return r.x + 2, r.y, r.w > 0
}

// jumping tells whether the next key is a label.
func (a *App) jumping() bool { return a.targets != nil }

// onLabel goes to what a label stands for; another key only ends it.
func (a *App) onLabel(key string) tea.Cmd {
	targets := a.targets
	a.targets = nil
	for _, t := range targets {
		if t.label != key && t.label != keymap.ByPosition(key) {
			continue
		}
		cmd := a.focusOn(t.slot)
		if t.row {
			r := a.layout.panes[t.slot]
			a.pane(t.slot).Click(t.x-r.x, t.y-r.y)
		}
		return cmd
	}
	return nil
}

// withLabels draws the labels over a frame.
func (a *App) withLabels(lines []string) []string {
	for _, t := range a.targets {
		lines = widget.Over(lines, []string{widget.Spans(1, widget.Span{Style: a.theme.BadgeWarn, Text: t.label})}, t.x, t.y)
	}
	return lines
}
