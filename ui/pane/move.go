package pane

import (
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/ui/widget"
)

// Move moves a table's cursor when the action is a movement, and reports
// whether it was.
func Move(t *widget.Table, a keymap.Action) bool {
	switch a {
	case keymap.Up:
		t.Move(-1)
	case keymap.Down:
		t.Move(1)
	case keymap.PageUp:
		t.Page(-1)
	case keymap.PageDown:
		t.Page(1)
	case keymap.First:
		t.Home()
	case keymap.Last:
		t.End()
	default:
		return false
	}
	return true
}
