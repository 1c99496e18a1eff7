package dialog

import (
	"slices"
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// cursored is a table within a dialog whose cursor moves as in a list.
type cursored struct{ table *widget.Table }

// Move moves the cursor; false for another action.
func (c cursored) Move(a keymap.Action) bool {
	switch a {
	case keymap.Up:
		c.table.Move(-1)
	case keymap.Down:
		c.table.Move(1)
	case keymap.PageUp:
		c.table.Page(-1)
	case keymap.PageDown:
		c.table.Page(1)
	case keymap.First:
		c.table.Home()
	case keymap.Last:
		c.table.End()
	default:
		return false
	}
	return true
}

// rowList is a list within a dialog: a glyph, a name and what there is to say,
// as many rows as there is room for.
type rowList struct {
	cursored
	order []int
}

func newRowList() rowList {
	return rowList{cursored: cursored{widget.NewTable(widget.TableConfig{Gap: 1, Columns: []widget.Column{
		{Min: 1, Max: 1},
		{Min: 14, Weight: 2, Max: 40},
		{Min: 14, Weight: 3},
	}})}}
}

// draw gives at most h lines.
func (l *rowList) draw(t *theme.Theme, w, h int, row widget.DrawRow) []string {
	l.table.SetStyles(widget.TableStyles{Text: t.Text, Cursor: t.Selection, CursorIdle: t.Muted, Gutter: t.Mark, Empty: t.Muted})
	l.table.SetRows(len(l.order))
	l.table.SetSize(w, min(h, max(1, len(l.order))))
	return l.table.Draw(true, row)
}

// view draws the list in a box, between a head and a foot. Where it is short
// the last of the rows, of the keys and of the head go.
func (l *rowList) view(t *theme.Theme, title string, w, h int, head, foot, keys []string, row widget.DrawRow) []string {
	room := h - 2 - len(foot)
	keys = keys[:max(1, min(len(keys), room-len(head)-min(3, len(l.order))))]
	head = head[:min(len(head), max(1, room-len(keys)-1))]
	body := l.draw(t, w-2, max(0, h-2-len(head)-len(foot)-len(keys)), row)
	return scrolled(t, title, slices.Concat(head, body, foot, keys), w, l.table.Scroll())
}

// nameCell writes a card's name as the next column. The label is cut before
// the digits are: labels repeat, digits tell cards apart.
func nameCell(w *widget.RowWriter, style widget.Style, name string) {
	at := strings.LastIndex(name, " ••")
	if at < 0 {
		w.Cell(style, name)
		return
	}
	digits := name[at:]
	w.Span(style, widget.Truncate(name[:at], max(0, w.Width()-widget.Width(digits))))
	w.Span(style, digits)
	w.EndCell()
}
