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

// Box draws a dialog's frame around its lines.
func Box(t *theme.Theme, title string, lines []string, w int) []string {
	return Scrolled(t, title, lines, w, widget.Scroll{})
}

// Scrolled is box for lines that are part of more.
func Scrolled(t *theme.Theme, title string, lines []string, w int, part widget.Scroll) []string {
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
	return Box(t, title, append(lines, widget.Spans(w-2)), w)
}

// KeyLines draws hints, such as "esc back", in as many lines as they take.
func KeyLines(t *theme.Theme, w int, hints ...string) []string {
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

// Pair draws a name and its value.
func Pair(t *theme.Theme, w int, name string, spans ...widget.Span) string {
	all := append([]widget.Span{{Style: t.Muted, Text: " " + name}}, spans...)
	return widget.Spans(w, all...)
}

// FactCells is the width of the names' column in a box of w cells.
func FactCells(w int) int {
	if w < 50 {
		return 13
	}
	return 16
}

// Fact draws a name and its value in columns.
func Fact(t *theme.Theme, w int, name string, spans ...widget.Span) string {
	all := append([]widget.Span{{Style: t.Muted, Text: " " + widget.Fit(name, FactCells(w)-2, widget.Left) + " "}}, spans...)
	return widget.Spans(w, all...)
}

// FactLines is fact for text that may take several lines.
func FactLines(t *theme.Theme, w int, name, style, text string) []string {
	room := max(8, w-FactCells(w)-1)
	var out []string
	for i, part := range widget.Wrap(text, room) {
		if i > 0 {
			name = ""
		}
		out = append(out, Fact(t, w, name, widget.Span{Style: style, Text: part}))
	}
	return out
}

// Paragraph wraps text over the full width.
func Paragraph(w int, style, text string) []string {
	var out []string
	for _, part := range widget.Wrap(text, max(8, w-2)) {
		out = append(out, widget.Spans(w, widget.Span{Style: style, Text: " " + part}))
	}
	return out
}

// ErrorLines wraps an error; one empty line when there is none.
func ErrorLines(t *theme.Theme, w int, text string) []string {
	var lines []string
	for _, l := range widget.Wrap(text, w-2) {
		lines = append(lines, widget.Spans(w, widget.Span{Style: t.Error, Text: " " + l}))
	}
	return lines
}

// BeforeAfter draws an amount before and after.
func BeforeAfter(t *theme.Theme, before, after api.USD) []widget.Span {
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

// WholeDollars is an amount in USD, without cents where there are none.
func WholeDollars(w *lang.Words, u api.USD) string {
	return w.Sum(w.Number(strings.TrimSuffix(u.Grouped(), ".00")))
}

// NameCells is the width of the names before balances.
const NameCells = 10

// Pad fills a name up to the width of a column.
func Pad(name string, cells int) string {
	return name + strings.Repeat(" ", max(1, cells-widget.Width(name)))
}

// TableStyles are those of a table in a dialog.
func TableStyles(t *theme.Theme) widget.TableStyles {
	return widget.TableStyles{
		Header: t.Header, Sorted: t.HeaderSorted, Text: t.Text, Cursor: t.Selection, CursorIdle: t.Muted, Gutter: t.Mark, Empty: t.Muted,
	}
}

// Scroller is the visible part of lines that are only read.
type Scroller struct{ widget.Scroll }

// Move scrolls, and reports false where everything is visible.
func (s *Scroller) Move(a keymap.Action) bool {
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

// Part returns the visible lines, at most room of them.
func (s *Scroller) Part(lines []string, room int) []string {
	s.Total, s.Visible = len(lines), min(len(lines), max(1, room))
	s.Offset = max(0, min(s.Offset, s.Total-s.Visible))
	return slices.Clip(lines[s.Offset : s.Offset+s.Visible])
}

// Cursored is a table with the cursor keys of a list.
type Cursored struct{ Table *widget.Table }

// Move moves the cursor and reports whether it did.
func (c Cursored) Move(a keymap.Action) bool {
	switch a {
	case keymap.Up:
		c.Table.Move(-1)
	case keymap.Down:
		c.Table.Move(1)
	case keymap.PageUp:
		c.Table.Page(-1)
	case keymap.PageDown:
		c.Table.Page(1)
	case keymap.First:
		c.Table.Home()
	case keymap.Last:
		c.Table.End()
	default:
		return false
	}
	return true
}

// RowList is a list of a glyph, a name and a text, in an order of its own.
type RowList struct {
	Cursored
	Order []int
}

// NewRowList makes an empty list.
func NewRowList() RowList {
	return RowList{Cursored: Cursored{widget.NewTable(widget.TableConfig{Gap: 1, Columns: []widget.Column{
		{Min: 1, Max: 1},
		{Min: 14, Weight: 2, Max: 40},
		{Min: 14, Weight: 3},
	}})}}
}

// draw returns at most h lines.
func (l *RowList) draw(t *theme.Theme, w, h int, row widget.DrawRow) []string {
	l.Table.SetStyles(TableStyles(t))
	l.Table.SetRows(len(l.Order))
	l.Table.SetSize(w, min(h, max(1, len(l.Order))))
	return l.Table.Draw(true, row)
}

// Draw draws the list in a box, between a head and a foot. Where it is too
// short, rows, keys and head lose their last lines.
func (l *RowList) Draw(t *theme.Theme, title string, w, h int, head, foot, keys []string, row widget.DrawRow) []string {
	room := h - 2 - len(foot)
	keys = keys[:max(1, min(len(keys), room-len(head)-min(3, len(l.Order))))]
	head = head[:min(len(head), max(1, room-len(keys)-1))]
	body := l.draw(t, w-2, max(0, h-2-len(head)-len(foot)-len(keys)), row)
	return Scrolled(t, title, slices.Concat(head, body, foot, keys), w, l.Table.Scroll())
}

// EffectLines draws card and wallet before and after.
func EffectLines(t *theme.Theme, s *state.Store, in kernel.Intent, w int) []string {
	p, ok := s.Preview(in)
	if !ok {
		return []string{Pair(t, w, Pad(t.Words.T("card"), NameCells), widget.Span{Style: t.Muted, Text: t.Words.T("the wallet is not read yet")}), widget.Spans(w)}
	}
	return previewLines(t, p, w)
}

// previewLines draws balances before and after, to the cent.
func previewLines(t *theme.Theme, p state.Preview, w int) []string {
	return []string{
		Pair(t, w, Pad(t.Words.T("card"), NameCells), BeforeAfter(t, p.CardBefore, p.CardAfter)...),
		Pair(t, w, Pad(t.Words.T("wallet"), NameCells), BeforeAfter(t, p.WalletBefore, p.WalletAfter)...),
	}
}

// StaleLines warns when the figures of a review may be out of date.
func StaleLines(t *theme.Theme, s *state.Store, in kernel.Intent, w int) []string {
	f := s.Figures(in)
	if !f.Stale {
		return nil
	}
	return Paragraph(w, t.Warn, t.Glyphs.Stale+" "+t.Words.Tf("stale: figures of %s, %s old", pane.When(t.Words, f.At, s.Now()), t.Words.AgeCoarse(max(0, s.Now().Sub(f.At)))))
}

// FrozenLines warns when the card to fund cannot spend, or not any more.
func FrozenLines(t *theme.Theme, s *state.Store, in kernel.Intent, w int) []string {
	fund, ok := in.(state.Write)
	ok = ok && fund.Kind == state.OpFund
	if why := s.Cards.ExpiredText(fund.Card); ok && why != "" {
		return Paragraph(w, t.Bad, why)
	}
	if c, _ := s.Cards.Get(fund.Card); !ok || c.Status != api.CardFrozen {
		return nil
	}
	return Paragraph(w, t.Warn, t.Words.T("frozen: declines until unfrozen"))
}

// SendingLine stands in place of the keys until there is a response.
func SendingLine(t *theme.Theme, w int) string {
	return widget.Spans(w, widget.Span{Style: t.Warn, Text: " " + t.Glyphs.Pending + " " + t.Words.T("sending…") + "  "},
		widget.Span{Style: t.Key, Text: "esc"}, widget.Span{Style: t.KeyText, Text: " " + t.Words.T("leaves it running")})
}
