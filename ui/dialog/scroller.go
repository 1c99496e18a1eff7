package dialog

import (
	"slices"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/ui/widget"
)

// scroller is which part is shown of lines that are only read.
type scroller struct{ widget.Scroll }

// Move scrolls; false where all is in sight.
func (s *scroller) Move(a keymap.Action) bool {
	if s.Total <= s.Visible {
		return false
	}
	switch a {
	case keymap.Down:
		s.Offset++
	case keymap.Up:
		s.Offset--
	case keymap.PageDown:
		s.Offset += s.Visible
	case keymap.PageUp:
		s.Offset -= s.Visible
	case keymap.First:
		s.Offset = 0
	case keymap.Last:
		s.Offset = s.Total
	default:
		return false
	}
	return true
}

// part gives those of the lines that are shown, at most room of them.
func (s *scroller) part(lines []string, room int) []string {
	s.Total, s.Visible = len(lines), min(len(lines), max(1, room))
	s.Offset = max(0, min(s.Offset, s.Total-s.Visible))
	return slices.Clip(lines[s.Offset : s.Offset+s.Visible])
}
