package widget

import (
	"slices"
	"strings"
)

// DrawRow writes the cells of row i, one call of Cell per column and in
// their order. It must not keep w.
type DrawRow func(i int, w *RowWriter)

// RowWriter writes one row of a table. Cells of dropped columns are skipped,
// columns not written are blank.
type RowWriter struct {
	t      *Table
	col    int
	at     int // cells written of the row
	left   int // cells left of an open cell
	open   bool
	ground Style
	under  bool // the cursor's row
	picked bool // drawn as such: one style from end to end
	start  int  // where the gutter stands in the buffer
}

// Row marks, one cell each: they show in any theme, also without colour.
const (
	cursorMark = "▸"
	rowMark    = "◆"
	bothMark   = "◈"
)

// Draw returns the table: exactly the height and width of SetSize. Its cost
// depends on the rows on screen only.
func (t *Table) Draw(focused bool, row DrawRow) []string { return t.draw(focused, row, false) }

// DrawMoved is Draw for an owner that knows that no row has changed since the table
// was last drawn: only the cursor and what is in sight may be others.
func (t *Table) DrawMoved(focused bool, row DrawRow) []string {
	return t.draw(focused, row, t.drawn.look == t.look(focused))
}

func (t *Table) draw(focused bool, row DrawRow, same bool) []string {
	if t.h == 0 {
		t.drawn = drawn{}
		return nil
	}
	now := &t.next
	now.begin(t, focused)
	if t.titled() {
		t.add(-1, t.drawHeader)
	}
	first, last := t.Range()
	drawRow := func(i int) {
		if line, ok := t.drawn.rowLine(i, t); ok && same && i != t.cursor && i != t.drawn.cursor {
			now.lines, now.rows = append(now.lines, line), append(now.rows, i)
			return
		}
		t.add(i, func(*Buf) {
			t.row.begin(i == t.cursor, focused)
			row(i, &t.row)
			t.row.end()
		})
	}
	if first > t.offset {
		drawRow(0)
	}
	for i := first; i < last; i++ {
		drawRow(i)
	}
	t.drawRest(max(last-t.offset, 0), last < t.lines())
	t.drawn, t.next = *now, t.drawn
	return slices.Clone(t.drawn.lines)
}

// drawRest draws the lines below so many rows; tail reports whether something is
// said below the last.
func (t *Table) drawRest(rows int, tail bool) {
	var empty []string
	if t.rows == 0 {
		empty = t.emptyLines()
	}
	for y := rows; y < t.Visible(); y++ {
		t.add(-1, func(b *Buf) {
			switch {
			case y < len(empty):
				t.drawText(b, empty[y])
			case y == rows && tail:
				t.drawText(b, t.tail)
			default:
				b.Pad("", t.w)
			}
			b.Newline()
		})
	}
}

// add draws the next line, which is that of a row, or of none for -1.
func (t *Table) add(row int, draw func(*Buf)) {
	t.buf.Reset()
	draw(&t.buf)
	line, by := t.buf.lineLike(t.buf.b, t.drawn.lines, len(t.next.lines), t.next.by)
	t.next.lines, t.next.rows, t.next.by = append(t.next.lines, line), append(t.next.rows, row), by
}

// drawn is a table as it was drawn.
type drawn struct {
	look   look
	lines  []string
	rows   []int // of each line, its row; -1 for none
	cursor int
	offset int
	by     int // how many lines the last line has moved by
}

// look is what all rows depend on, besides the columns.
type look struct {
	w, h, rows, sort      int
	desc, header, focused bool
	empty, tail           string
	styles                TableStyles
}

func (t *Table) look(focused bool) look {
	return look{t.w, t.h, t.rows, t.sort, t.desc, t.cfg.Header, focused, t.emptyText(), t.tail, t.cfg.Styles}
}

// begin begins to draw a table, in the memory of an earlier drawing.
func (d *drawn) begin(t *Table, focused bool) {
	*d = drawn{look: t.look(focused), lines: d.lines[:0], rows: d.rows[:0], cursor: t.cursor, offset: t.offset}
}

// rowLine returns the line of a row; false where it was not in sight.
func (d *drawn) rowLine(i int, t *Table) (string, bool) {
	at := i - d.offset + b2i(t.titled())
	if at < 0 || at >= len(d.rows) || d.rows[at] != i {
		return "", false
	}
	return d.lines[at], true
}

func (t *Table) emptyText() string {
	if t.rows > 0 || t.cfg.Empty == nil {
		return ""
	}
	return t.cfg.Empty()
}

// emptyLines is what stands for the rows, in as many lines as it takes. Where
// there is no room for all the last one shows that it is cut.
func (t *Table) emptyLines() []string {
	var lines []string
	for line := range strings.SplitSeq(t.emptyText(), "\n") {
		lines = append(lines, Wrap(line, t.w-gutter)...)
	}
	most := t.Visible()
	if most > 0 && len(lines) > most {
		lines = append(lines[:most-1], strings.Join(lines[most-1:], " "))
	}
	return lines
}

func (t *Table) drawText(b *Buf, text string) {
	b.Pad("", min(gutter, t.w))
	b.Fit("", t.cfg.Styles.Empty, text, t.w-gutter, Left)
}

func (t *Table) drawHeader(b *Buf) {
	st := t.cfg.Styles
	b.Pad(st.Header, min(gutter, t.w))
	at := gutter
	for i, c := range t.cfg.Columns {
		w := t.widths[i]
		if w == 0 {
			continue
		}
		if at > gutter {
			b.Pad(st.Header, t.cfg.Gap)
			at += t.cfg.Gap
		}
		at += w
		title := c.Title
		if st.Words != nil {
			title = st.Words.Title(title)
		}
		if i != t.sort {
			b.Fit(st.Header, st.Header, title, w, c.Align)
			continue
		}
		arrow := "▲"
		if t.desc {
			arrow = "▼"
		}
		b.Fit(st.Header, st.Sorted, Truncate(title, w-1)+arrow, w, c.Align)
	}
	b.Pad(st.Header, t.w-at)
	b.Newline()
}

func (r *RowWriter) begin(picked, focused bool) {
	st := &r.t.cfg.Styles
	// A table without the focus keeps the mark and gives up the bar: the
	// colours of its cells say more than where its cursor rests.
	r.col, r.at, r.left, r.open = 0, 0, 0, false
	r.under, r.picked = picked, picked && focused
	r.ground = st.Text
	mark, style := " ", st.Text
	switch {
	case r.picked:
		mark, style, r.ground = cursorMark, st.Cursor, st.Cursor
	case picked:
		mark, style = cursorMark, st.CursorIdle
	}
	if r.t.w < gutter {
		return
	}
	b := &r.t.buf
	b.Set(style)
	r.start = len(b.b)
	b.b = append(b.b, mark...)
	r.at = gutter
}

// Picked reports whether the row is under the cursor.
func (r *RowWriter) Picked() bool { return r.under }

// Mark puts a mark before the row, as one of several chosen. It is called
// before the first cell.
func (r *RowWriter) Mark() {
	if r.at != gutter || r.col != 0 {
		return
	}
	b := &r.t.buf
	b.b = b.b[:r.start]
	mark, style := rowMark, r.t.cfg.Styles.Gutter
	if r.under {
		mark = bothMark
	}
	if r.picked {
		style = r.ground
	}
	b.Raw(style, mark)
}

// Cell writes the next column. Under the cursor the row's own style is used
// instead, so that nothing breaks the bar.
func (r *RowWriter) Cell(style Style, text string) {
	w, align := r.next()
	if w > 0 {
		r.t.buf.Fit(r.ground, r.style(style), text, w, align)
	}
}

// Skip leaves the next column blank.
func (r *RowWriter) Skip() { r.Cell("", "") }

// SkipTo leaves the columns before one blank, as far as they are not written.
func (r *RowWriter) SkipTo(column int) {
	for r.col < column {
		r.Skip()
	}
}

// Span writes a part of the next column, which ends with EndCell: text in
// several styles, always aligned left.
func (r *RowWriter) Span(style Style, text string) {
	if !r.open {
		r.left, _ = r.next()
		r.open = true
	}
	r.left -= r.t.buf.Clip(r.style(style), text, r.left)
}

// EndCell ends a column written by Span.
func (r *RowWriter) EndCell() {
	if !r.open {
		r.left, _ = r.next()
	}
	r.t.buf.Pad(r.ground, r.left)
	r.left, r.open = 0, false
}

// Width returns the width of the column that is written next, 0 when it is
// dropped or there is none: its text need not be made.
func (r *RowWriter) Width() int {
	if r.col >= len(r.t.widths) {
		return 0
	}
	return r.t.widths[r.col]
}

// next steps to the next column and writes the gap before it.
func (r *RowWriter) next() (int, Align) {
	if r.open {
		r.EndCell()
	}
	w := r.Width()
	if w == 0 {
		r.col++
		return 0, Left
	}
	if r.at > gutter {
		r.t.buf.Pad(r.ground, r.t.cfg.Gap)
		r.at += r.t.cfg.Gap
	}
	r.at += w
	r.col++
	return w, r.t.cfg.Columns[r.col-1].Align
}

func (r *RowWriter) style(s Style) Style {
	if r.picked {
		return r.ground
	}
	return s
}

func (r *RowWriter) end() {
	if r.open {
		r.EndCell()
	}
	r.t.buf.Pad(r.ground, r.t.w-r.at)
	r.t.buf.Newline()
}
