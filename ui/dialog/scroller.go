package dialog

import (
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/ui/widget"
)

// scroller is which part is shown of lines that are only read.
type scroller struct{ widget.Scroll }

// key scrolls when the key moves in lists.
func (s *scroller) key(keys *keymap.Map, key string) {
	switch a, _ := keys.Resolve(key, keymap.Lists); a {
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
	}
}

// fit takes how many lines there are, and room for how many.
func (s *scroller) fit(total, room int) {
	s.Total, s.Visible = total, min(total, max(1, room))
	s.Offset = max(0, min(s.Offset, s.Total-s.Visible))
}
