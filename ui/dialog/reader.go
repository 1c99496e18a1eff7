package dialog

import (
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/ui/theme"
)

// Reader is embedded by boxes that are only read: they scroll, and enter and
// esc close them.
type Reader struct {
	Inert
	Theme *theme.Theme
	Scroller
}

// Act closes the box.
func (*Reader) Act(a keymap.Action) Result {
	return Result{Close: a == keymap.Cancel || a == keymap.Confirm}
}

// Draw draws lines that scroll above a foot and the keys, in a box of w cells.
func (r *Reader) Draw(title string, w, h int, lines, foot []string, keys ...string) []string {
	if len(lines) > h-3-len(foot) {
		keys = append(keys, "↑↓ "+r.Theme.Words.T("scroll"))
	}
	foot = append(foot, KeyLines(r.Theme, w-2, keys...)...)
	return Scrolled(r.Theme, title, append(r.Part(lines, h-2-len(foot)), foot...), w, r.Scroll)
}
