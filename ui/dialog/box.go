package dialog

import (
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// box draws a dialog's frame around its lines.
func box(t *theme.Theme, title string, lines []string, w int) []string {
	return scrolled(t, title, lines, w, widget.Scroll{})
}

// scrolled is box for lines that are part of more.
func scrolled(t *theme.Theme, title string, lines []string, w int, part widget.Scroll) []string {
	f := widget.Frame{
		Title: []widget.Span{{Style: t.TitleFocused, Text: title}}, Focused: true, Scroll: part,
		Styles: widget.FrameStyles{Border: t.Border, BorderFocused: t.BorderFocused, Thumb: t.Thumb},
	}
	return f.Draw(lines, w, len(lines)+2)
}

// Cover draws what replaces a dialog, or the screen, while account data is
// hidden.
func Cover(t *theme.Theme, title string, text []string, w int) []string {
	width := widget.Width(title) + 4
	for _, s := range text {
		width = max(width, widget.Width(s)+4)
	}
	w = min(w, width)
	lines := make([]string, 0, len(text)+2)
	lines = append(lines, widget.Spans(w-2))
	for _, s := range text {
		lines = append(lines, widget.Spans(w-2, widget.Span{Style: t.Text, Text: " " + s}))
	}
	return box(t, title, append(lines, widget.Spans(w-2)), w)
}

// keyLines draws hints, such as "esc back", in as many lines as they take.
func keyLines(t *theme.Theme, w int, hints ...string) []string {
	var lines []string
	var line []widget.Span
	for _, hint := range hints {
		key, does, _ := strings.Cut(hint, " ")
		gap := " "
		switch n := widget.SpansWidth(line); {
		case n > 0 && n+2+widget.Width(hint) > w:
			lines, line = append(lines, widget.Spans(w, line...)), nil
		case n > 0:
			gap = "  "
		}
		line = append(line, widget.Span{Style: t.Key, Text: gap + key}, widget.Span{Style: t.KeyText, Text: " " + does})
	}
	if len(line) > 0 {
		lines = append(lines, widget.Spans(w, line...))
	}
	return lines
}

// pair draws a name and its value.
func pair(t *theme.Theme, w int, name string, spans ...widget.Span) string {
	all := append([]widget.Span{{Style: t.Muted, Text: " " + name}}, spans...)
	return widget.Spans(w, all...)
}

// factCells is the width of the names' column in a box of w cells.
func factCells(w int) int {
	if w < 50 {
		return 13
	}
	return 16
}

// fact draws a name and its value in columns.
func fact(t *theme.Theme, w int, name string, spans ...widget.Span) string {
	all := append([]widget.Span{{Style: t.Muted, Text: " " + widget.Fit(name, factCells(w)-2, widget.Left) + " "}}, spans...)
	return widget.Spans(w, all...)
}

// facts is fact for text that may take several lines.
func facts(t *theme.Theme, w int, name, style, text string) []string {
	room := max(8, w-factCells(w)-1)
	var out []string
	for i, part := range widget.Wrap(text, room) {
		if i > 0 {
			name = ""
		}
		out = append(out, fact(t, w, name, widget.Span{Style: style, Text: part}))
	}
	return out
}

// paragraph wraps text over the full width.
func paragraph(w int, style, text string) []string {
	var out []string
	for _, part := range widget.Wrap(text, max(8, w-2)) {
		out = append(out, widget.Spans(w, widget.Span{Style: style, Text: " " + part}))
	}
	return out
}

// complaint wraps an error; one empty line when there is none.
func complaint(t *theme.Theme, w int, text string) []string {
	var lines []string
	for _, l := range widget.Wrap(text, w-2) {
		lines = append(lines, widget.Spans(w, widget.Span{Style: t.Error, Text: " " + l}))
	}
	return lines
}

// change draws an amount before and after.
func change(t *theme.Theme, before, after api.USD) []widget.Span {
	style := t.Strong
	if after < 0 {
		style = t.Bad
	}
	return []widget.Span{
		{Style: t.Text, Text: t.Words.Dollars(before)},
		{Style: t.Muted, Text: " " + t.Glyphs.Arrow + " "},
		{Style: style, Text: t.Words.Dollars(after)},
	}
}

// round is an amount in USD, without cents where there are none.
func round(w *lang.Words, u api.USD) string {
	return w.Sum(w.Number(strings.TrimSuffix(u.Grouped(), ".00")))
}

// nameCells is the width of the names before balances.
const nameCells = 10

// padded fills a name up to the width of a column.
func padded(name string, cells int) string {
	return name + strings.Repeat(" ", max(1, cells-widget.Width(name)))
}

// tableStyles are those of a table in a dialog.
func tableStyles(t *theme.Theme) widget.TableStyles {
	return widget.TableStyles{
		Header: t.Header, Sorted: t.HeaderSorted, Text: t.Text, Cursor: t.Selection, CursorIdle: t.Muted, Gutter: t.Mark, Empty: t.Muted,
	}
}

// scroller is the visible part of lines that are only read.
type scroller struct{ widget.Scroll }

// Move scrolls, and reports false where everything is visible.
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

// part returns the visible lines, at most room of them.
func (s *scroller) part(lines []string, room int) []string {
	s.Total, s.Visible = len(lines), min(len(lines), max(1, room))
	s.Offset = max(0, min(s.Offset, s.Total-s.Visible))
	return slices.Clip(lines[s.Offset : s.Offset+s.Visible])
}

// cursored is a table with the cursor keys of a list.
type cursored struct{ table *widget.Table }

// Move moves the cursor and reports whether it did.
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

// rowList is a list of a glyph, a name and a text, in an order of its own.
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

// draw returns at most h lines.
func (l *rowList) draw(t *theme.Theme, w, h int, row widget.DrawRow) []string {
	l.table.SetStyles(tableStyles(t))
	l.table.SetRows(len(l.order))
	l.table.SetSize(w, min(h, max(1, len(l.order))))
	return l.table.Draw(true, row)
}

// view draws the list in a box, between a head and a foot. Where it is too
// short, rows, keys and head lose their last lines.
func (l *rowList) view(t *theme.Theme, title string, w, h int, head, foot, keys []string, row widget.DrawRow) []string {
	room := h - 2 - len(foot)
	keys = keys[:max(1, min(len(keys), room-len(head)-min(3, len(l.order))))]
	head = head[:min(len(head), max(1, room-len(keys)-1))]
	body := l.draw(t, w-2, max(0, h-2-len(head)-len(foot)-len(keys)), row)
	return scrolled(t, title, slices.Concat(head, body, foot, keys), w, l.table.Scroll())
}

// effectLines draws card and wallet before and after.
func effectLines(t *theme.Theme, s *state.Store, in kernel.Intent, w int) []string {
	p, ok := s.Preview(in)
	if !ok {
		return []string{pair(t, w, padded(t.Words.T("card"), nameCells), widget.Span{Style: t.Muted, Text: t.Words.T("the wallet is not read yet")}), widget.Spans(w)}
	}
	return previewLines(t, p, w)
}

// previewLines draws balances before and after, to the cent.
func previewLines(t *theme.Theme, p state.Preview, w int) []string {
	return []string{
		pair(t, w, padded(t.Words.T("card"), nameCells), change(t, p.CardBefore, p.CardAfter)...),
		pair(t, w, padded(t.Words.T("wallet"), nameCells), change(t, p.WalletBefore, p.WalletAfter)...),
	}
}

// staleLines warns when the figures of a review may be out of date.
func staleLines(t *theme.Theme, s *state.Store, in kernel.Intent, w int) []string {
	f := s.Figures(in)
	if !f.Stale {
		return nil
	}
	return paragraph(w, t.Warn, t.Glyphs.Stale+" "+t.Words.Tf("stale: figures of %s, %s old", pane.When(t.Words, f.At, s.Now()), t.Words.AgeCoarse(max(0, s.Now().Sub(f.At)))))
}

// frozenLines warns when the card to fund cannot spend, or not any more.
func frozenLines(t *theme.Theme, s *state.Store, in kernel.Intent, w int) []string {
	fund, ok := in.(state.Write)
	ok = ok && fund.Kind == state.OpFund
	if why := s.Cards.ExpiredText(fund.Card); ok && why != "" {
		return paragraph(w, t.Bad, why)
	}
	if c, _ := s.Cards.Get(fund.Card); !ok || c.Status != api.CardFrozen {
		return nil
	}
	return paragraph(w, t.Warn, t.Words.T("frozen: declines until unfrozen"))
}

// sendingLine stands in place of the keys until there is a response.
func sendingLine(t *theme.Theme, w int) string {
	return widget.Spans(w, widget.Span{Style: t.Warn, Text: " " + t.Glyphs.Pending + " " + t.Words.T("sending…") + "  "},
		widget.Span{Style: t.Key, Text: "esc"}, widget.Span{Style: t.KeyText, Text: " " + t.Words.T("leaves it running")})
}
