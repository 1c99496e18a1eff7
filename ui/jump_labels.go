package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/ui/layout"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// rowLabels are the labels of rows, those of the home row first. Panes have
// their numbers.
const rowLabels = "asdfghjklqwertyuiopzxcvbnmASDFGHJKLQWERTYUIOPZXCVBNM"

// jumpLabel stands for a pane, or for the row on a line of it. It is bound to
// its place: it goes to what is shown there.
type jumpLabel struct {
	text string
	slot int
	row  bool
	x, y int // of the label
}

// jumpLabels are those on the screen; nil for none.
type jumpLabels []jumpLabel

// shown reports whether the next key is a label.
func (l jumpLabels) shown() bool { return l != nil }

// find returns the label that a key chooses.
func (l jumpLabels) find(key string) (jumpLabel, bool) {
	i := slices.IndexFunc(l, func(t jumpLabel) bool { return t.text == key || t.text == keymap.ByPosition(key) })
	if i < 0 {
		return jumpLabel{}, false
	}
	return l[i], true
}

// over draws the labels over a frame.
func (l jumpLabels) over(lines []string, style widget.Style) []string {
	for _, t := range l {
		lines = widget.Over(lines, []string{widget.Spans(1, widget.Span{Style: style, Text: t.text})}, t.x, t.y)
	}
	return lines
}

// showLabels labels the panes and the rows in sight, those of the focused pane
// first.
func (a *App) showLabels() {
	a.labels = nil
	for slot := range layout.Slots {
		if x, y, ok := a.numberOf(slot); ok {
			a.labels = append(a.labels, jumpLabel{text: string(rune('1' + slot)), slot: slot, x: x, y: y})
		}
	}
	rows := strings.Split(rowLabels, "")
	foot := a.h - len(a.footer(a.w))
	for i := range layout.Slots {
		slot := (a.focus + i) % layout.Slots
		p, ok := a.pane(slot).(pane.Lister)
		r := a.layout.Panes[slot]
		for y := 1; ok && y < r.H-1 && r.Y+y < foot && len(rows) > 0; y++ {
			if !p.RowAt(y) {
				continue
			}
			a.labels = append(a.labels, jumpLabel{text: rows[0], slot: slot, row: true, x: r.X + 1, y: r.Y + y})
			rows = rows[1:]
		}
	}
}

// numberOf is where the number of a pane is: in its title, or in its tab.
func (a *App) numberOf(slot int) (x, y int, ok bool) {
	if a.layout.Shape == layout.Tabbed {
		names := a.tabNames()
		if x = 1; slot >= len(names) {
			return 0, 0, false
		}
		for _, name := range names[:slot] {
			x += widget.Width(name) + 2
		}
		return x, a.layout.Tabs.Y, x < a.w
	}
	r := a.layout.Panes[slot]
	return r.X + 2, r.Y, r.W > 0
}

// onLabel goes to the label that a key chooses; another key only removes them.
func (a *App) onLabel(key string) tea.Cmd {
	t, ok := a.labels.find(key)
	a.labels = nil
	if !ok {
		return nil
	}
	cmd := a.focusOn(t.slot)
	if t.row {
		r := a.layout.Panes[t.slot]
		a.pane(t.slot).Click(t.x-r.X, t.y-r.Y)
	}
	return cmd
}
