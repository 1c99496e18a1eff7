package dialog

import (
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// rowList is a list within a dialog: a glyph, a name and what there is to say,
// as many rows as there is room for.
type rowList struct {
	table *widget.Table
	order []int
}

func newRowList() rowList {
	return rowList{table: widget.NewTable(widget.TableConfig{Gap: 1, Columns: []widget.Column{
		{Min: 1, Max: 1},
		{Min: 14, Weight: 2, Max: 40},
		{Min: 10, Weight: 3},
	}})}
}

// move scrolls; false for another key. Where something is typed letters do
// not scroll.
func (l *rowList) move(keys *keymap.Map, key string, typing bool) bool {
	if typing && len(key) == 1 {
		return false
	}
	act, _ := keys.Resolve(key, keymap.Lists)
	switch act {
	case keymap.Up:
		l.table.Move(-1)
	case keymap.Down:
		l.table.Move(1)
	case keymap.PageUp:
		l.table.Page(-1)
	case keymap.PageDown:
		l.table.Page(1)
	case keymap.First:
		l.table.Home()
	case keymap.Last:
		l.table.End()
	default:
		return false
	}
	return true
}

// draw gives at most h lines.
func (l *rowList) draw(t *theme.Theme, w, h int, row widget.DrawRow) []string {
	l.table.SetStyles(widget.TableStyles{Text: t.Text, Cursor: t.Selection, CursorIdle: t.Muted, Gutter: t.Mark, Empty: t.Muted})
	l.table.SetRows(len(l.order))
	l.table.SetSize(w, min(h, max(1, len(l.order))))
	return l.table.Draw(true, row)
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

// framed is box for lines of which a part scrolls.
func framed(t *theme.Theme, title string, lines []string, w int, part widget.Scroll) []string {
	if part.Total <= part.Visible {
		part = widget.Scroll{}
	}
	return scrolled(t, title, lines, w, part)
}
