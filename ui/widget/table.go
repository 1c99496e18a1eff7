package widget

import "slices"

// Words translate the titles of a table.
type Words interface{ Title(text string) string }

// TableStyles are the styles of a table.
type TableStyles struct {
	Words      Words // nil for titles as they are
	Header     Style
	Sorted     Style // the header of the sorted column
	Text       Style // gaps and padding of a row
	Cursor     Style // the row under the cursor, when the table has the focus
	CursorIdle Style // only the row's mark, when it has not
	Gutter     Style // the marks before a row
	Empty      Style
}

// TableConfig is what a table is made of.
type TableConfig struct {
	Columns []Column
	Gap     int  // cells between columns
	Header  bool // the first line holds the titles, unless it is the only one
	Pinned  bool // the first row stays on top when the others scroll
	// Empty returns the text for a table without rows, in one or more lines; nil for none.
	Empty  func() string
	Styles TableStyles
}

// Table is a virtual table: it knows how many rows there are and draws only
// those on screen, so that its cost does not grow with their number. The
// cursor is an index; the owner maps it to an id and sets it again after the
// rows changed. It is not safe for concurrent use.
type Table struct {
	cfg    TableConfig
	widths []int
	w, h   int
	rows   int
	cursor int
	offset int
	sort   int // column, -1 for none
	desc   bool
	tail   string // said below the last row; empty: nothing
	buf    Buf
	row    RowWriter
	// drawn is the table as it was last drawn, next as it is being drawn.
	drawn, next drawn
}

// gutter is the cell before the first column that holds a row's marks.
const gutter = 1

// NewTable returns a table without rows and size.
func NewTable(cfg TableConfig) *Table {
	t := &Table{cfg: cfg, sort: -1}
	t.row.t = t
	t.SetSize(0, 0)
	return t
}

// SetStyles replaces the styles.
func (t *Table) SetStyles(s TableStyles) { t.cfg.Styles = s }

// SetHeader says whether the first line holds the titles, where there is another
// for a row.
func (t *Table) SetHeader(on bool) {
	t.cfg.Header = on
	t.follow()
}

// SetColumns replaces the columns.
func (t *Table) SetColumns(columns []Column) {
	t.cfg.Columns, t.drawn.look = columns, look{}
	t.widths = Layout(columns, t.w-gutter, t.cfg.Gap)
}

// SetGap sets the cells between columns.
func (t *Table) SetGap(n int) {
	t.cfg.Gap = n
	t.SetColumns(t.cfg.Columns)
}

// ColumnCells returns the width in cells that the columns share.
func (t *Table) ColumnCells() int { return max(t.w-gutter, 0) }

// SetTail sets what is said below the last row. It scrolls with the rows, and
// the cursor passes it by.
func (t *Table) SetTail(text string) {
	t.tail = text
	t.follow()
}

// SetSize sets the width in cells and the height in lines, header included.
func (t *Table) SetSize(w, h int) {
	t.w, t.h = max(w, 0), max(h, 0)
	t.widths = Layout(t.cfg.Columns, t.w-gutter, t.cfg.Gap)
	t.follow()
}

// SetRows sets how many rows there are; the cursor stays within them.
func (t *Table) SetRows(n int) {
	t.rows = max(n, 0)
	t.SetCursor(t.cursor)
}

// SetSort shows an arrow on the title of a column; -1 shows none.
func (t *Table) SetSort(column int, descending bool) { t.sort, t.desc = column, descending }

// Rows returns how many rows there are.
func (t *Table) Rows() int { return t.rows }

// Cursor returns the row under the cursor, false when there are no rows.
func (t *Table) Cursor() (int, bool) { return t.cursor, t.rows > 0 }

// Offset returns the first row on screen.
func (t *Table) Offset() int { return t.offset }

// SetCursor moves the cursor to a row, or to the nearest there is, and
// scrolls just far enough to show it.
func (t *Table) SetCursor(i int) {
	t.cursor = max(min(i, t.rows-1), 0)
	t.follow()
}

// Move moves the cursor by d rows.
func (t *Table) Move(d int) { t.SetCursor(t.cursor + d) }

// Page moves the cursor and the view by d pages, keeping the cursor's line.
func (t *Table) Page(d int) {
	step := d * max(t.Visible()-t.pinned(), 1)
	t.offset += step
	t.SetCursor(t.cursor + step)
}

// Home moves the cursor to the first row.
func (t *Table) Home() { t.SetCursor(0) }

// End moves the cursor to the last row.
func (t *Table) End() { t.SetCursor(t.rows - 1) }

// ScrollTo makes a row the first on screen; the cursor stays on screen.
func (t *Table) ScrollTo(offset int) {
	t.offset = offset
	t.clampOffset()
	if v := t.Visible(); v > 0 {
		t.cursor = max(min(t.cursor, t.offset+v-1, t.rows-1), t.row0(), 0)
	}
}

// Visible returns how many rows fit on screen.
func (t *Table) Visible() int { return max(t.h-b2i(t.titled()), 0) }

// titled reports whether the titles are on screen: a line alone is a row's.
func (t *Table) titled() bool { return t.cfg.Header && t.h > 1 }

// Scroll returns the part on screen, for the frame around the table.
func (t *Table) Scroll() Scroll {
	return Scroll{Offset: t.offset, Visible: t.Visible(), Total: t.lines()}
}

// Range returns the rows on screen as [first, last); the pinned one, where
// others are above, is not among them.
func (t *Table) Range() (first, last int) {
	return t.row0(), min(t.offset+t.Visible(), t.rows)
}

// pinned is how many lines the first row keeps for itself. Where one line is all
// there is it is the cursor's.
func (t *Table) pinned() int { return b2i(t.cfg.Pinned && t.Visible() > 1) }

// row0 is the first row that scrolls, of those on screen.
func (t *Table) row0() int {
	if t.offset == 0 {
		return 0
	}
	return t.offset + t.pinned()
}

// RowAt returns the row on line y of the table, false when there is none.
func (t *Table) RowAt(y int) (int, bool) {
	y -= b2i(t.titled())
	i := t.offset + y
	if y == 0 && t.pinned() > 0 {
		i = 0
	}
	return i, y >= 0 && y < t.Visible() && i < t.rows
}

// ColumnAt returns the column at cell x, false between columns. The gap
// after a column belongs to it, so that a click near a title counts.
func (t *Table) ColumnAt(x int) (int, bool) {
	at := gutter
	for i, w := range t.widths {
		if w == 0 {
			continue
		}
		if x >= at && x < at+w+t.cfg.Gap {
			return i, true
		}
		at += w + t.cfg.Gap
	}
	return 0, false
}

// lines are the rows and what is said below them. Where one line is all there
// is it is a row's.
func (t *Table) lines() int {
	return t.rows + b2i(t.tail != "" && t.rows > 0 && t.Visible() > 1)
}

// follow scrolls just far enough to have the cursor on screen.
func (t *Table) follow() {
	if v := t.Visible(); v > 0 {
		below := t.cursor
		if t.cursor == t.rows-1 {
			below = t.lines() - 1
		}
		t.offset = max(min(t.offset, max(t.cursor-t.pinned(), 0)), below-v+1)
	}
	t.clampOffset()
}

func (t *Table) clampOffset() {
	t.offset = max(min(t.offset, t.lines()-t.Visible()), 0)
}

// Column describes one column of a table.
type Column struct {
	// Title is translated where it is drawn.
	Title string
	// Min is the width in cells that the column needs to be worth showing.
	Min int
	// Want is the width that the column takes, where there is room for it,
	// before any grows further; 0 is Min.
	Want int
	// Max bounds the width a column grows to; 0 is no bound.
	Max int
	// Weight is the share of the free width; 0 keeps the column at Min.
	Weight int
	Align  Align
	// Priority 0 is never dropped; among others the highest goes first.
	Priority int
}

// Layout returns the width of each column for a total of w cells with gap
// cells between two; a dropped column is 0 wide. The sum with the gaps never
// exceeds w.
func Layout(columns []Column, w, gap int) []int {
	widths := make([]int, len(columns))
	for i, c := range columns {
		widths[i] = max(c.Min, 1)
	}
	for total(widths, gap) > w {
		drop, highest := 0, 0
		for i, c := range columns {
			if widths[i] > 0 && c.Priority > 0 && c.Priority >= highest {
				drop, highest = i, c.Priority
			}
		}
		if highest == 0 {
			break
		}
		widths[drop] = 0
	}
	for i := len(widths) - 1; i >= 0; i-- {
		if over := total(widths, gap) - w; over > 0 {
			widths[i] = max(widths[i]-over, 0)
		}
	}
	free := max(w-total(widths, gap), 0)
	wanted := slices.Clone(columns)
	for i, c := range columns {
		wanted[i].Max, wanted[i].Weight = max(c.Want, 1), max(c.Weight, 1)
	}
	grow(columns, widths, grow(wanted, widths, free))
	return widths
}

// grow shares free cells by weight until none is left or no column may grow, and returns those that are left.
func grow(columns []Column, widths []int, free int) int {
	for free > 0 {
		weights := 0
		for i, c := range columns {
			if c.canGrow(widths[i]) {
				weights += c.Weight
			}
		}
		if weights == 0 {
			break
		}
		share := free
		for i, c := range columns {
			if !c.canGrow(widths[i]) || free == 0 {
				continue
			}
			add := min(max(share*c.Weight/weights, 1), free)
			if c.Max > 0 {
				add = min(add, c.Max-widths[i])
			}
			widths[i] += add
			free -= add
		}
	}
	return free
}

func (c Column) canGrow(w int) bool {
	return w > 0 && c.Weight > 0 && (c.Max == 0 || w < c.Max)
}

// total returns the width of the shown columns and the gaps between them.
func total(widths []int, gap int) int {
	sum, shown := 0, 0
	for _, w := range widths {
		if w > 0 {
			sum += w
			shown++
		}
	}
	return sum + gap*max(shown-1, 0)
}
