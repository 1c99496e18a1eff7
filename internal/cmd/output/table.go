package output

import (
	"bufio"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/cardtop/cardtop/state/rows"
)

// settled is after how many rows the widths of the columns are settled: what
// comes later is fitted into them, so that a long list begins at once.
const settled = 100

// gap is between columns, in cells.
const gap = 2

// table prints a table that fits the terminal. Without one nothing is cut.
type table struct {
	out    *bufio.Writer
	names  []string
	screen screen
	held   [][]rows.Cell // Until the widths are settled.
	widths []int
	// numbers are the columns that hold numbers alone.
	numbers []bool
	// columns are those that are printed, by their places.
	columns []int
	// chosen reports whether the user named the columns: all are printed then.
	chosen bool
}

// Row prints a row, or keeps it until the widths are settled.
func (t *table) Row(cells []rows.Cell) error {
	if t.widths != nil {
		t.line(cells)
		return nil
	}
	if t.held = append(t.held, cells); len(t.held) == settled {
		t.settle()
	}
	return nil
}

// Flush has out what is settled.
func (t *table) Flush() error { return t.out.Flush() }

// End prints what was kept. On a terminal it says when there is nothing.
func (t *table) End() error {
	switch {
	case t.widths == nil && len(t.held) > 0:
		t.settle()
	case t.widths == nil && t.screen.width > 0:
		_, _ = t.out.WriteString("no results\n") // Flush reports its error.
	}
	return t.out.Flush()
}

// settle finds the widths and prints the header and what was kept.
func (t *table) settle() {
	t.widths, t.numbers = make([]int, len(t.names)), make([]bool, len(t.names))
	head := make([]rows.Cell, len(t.names))
	for i, name := range t.names {
		head[i].Text = strings.ToUpper(strings.ReplaceAll(name, "_", " "))
		t.widths[i], t.numbers[i] = ansi.StringWidth(head[i].Text), true
		for _, row := range t.held {
			t.widths[i] = max(t.widths[i], ansi.StringWidth(shown(row[i])))
			t.numbers[i] = t.numbers[i] && (row[i].Number || row[i].Text == "")
		}
	}
	t.leaveOut()
	t.fit()
	t.printed(head, true)
	for _, row := range t.held {
		t.line(row)
	}
	t.held = nil
}

// leaveOut leaves columns out until the table fits the terminal: what no row has a value
// of, times, the ids of other records, who did it, then what stands last, and in the end
// what happened, from its end on. Free text is narrowed before that.
func (t *table) leaveOut() {
	t.columns = make([]int, len(t.names))
	for i := range t.names {
		t.columns[i] = i
	}
	if t.chosen || t.screen.width == 0 {
		return
	}
	ends := func(suffix string) func(int) bool {
		return func(i int) bool { return strings.HasSuffix(t.names[i], suffix) }
	}
	for _, step := range []struct {
		goes  func(column int) bool
		width func(column int) int
	}{
		{t.empty, t.full},
		{ends("_at"), t.full},
		{ends("_id"), t.full},
		{func(i int) bool { return author(t.names[i]) }, t.full},
		{func(i int) bool { return !told(t.names[i]) }, t.least},
		{func(int) bool { return true }, t.least},
	} {
		t.leave(step.goes, step.width)
	}
}

// leave leaves out columns of a kind from the last one on, until those that stay fit by
// their widths. The first one and the record's own id stay.
func (t *table) leave(goes func(column int) bool, width func(column int) int) {
	own := t.own()
	for at := len(t.columns) - 1; at >= 0; at-- {
		i := t.columns[at]
		if (at > 0 || len(t.columns) == 2) && i != own && goes(i) && t.sum(width) > t.screen.width {
			t.columns = slices.Delete(t.columns, at, at+1)
		}
	}
}

// empty reports whether no row that is held has a value in a column.
func (t *table) empty(column int) bool {
	return !slices.ContainsFunc(t.held, func(row []rows.Cell) bool { return row[column].Text != "" })
}

// own is the column that the next command needs: the record's own id or key, or that of
// its card where no label names it; else the first one.
func (t *table) own() int {
	ids := []string{"id", "idempotency_key"}
	if !slices.Contains(t.names, "label") {
		ids = append(ids, "card_id")
	}
	for _, id := range ids {
		if i := slices.Index(t.names, id); i >= 0 {
			return i
		}
	}
	return 0
}

// told reports whether a column says in words what happened.
func told(name string) bool {
	return name == "action" || name == "outcome" || name == "text" || name == "error"
}

// author reports whether a column says who did it, and how.
func author(name string) bool { return name == "user" || name == "mode" || name == "via" }

// sum is the width of the table with columns of some widths.
func (t *table) sum(width func(column int) int) int {
	sum := -gap
	for _, i := range t.columns {
		sum += width(i) + gap
	}
	return sum
}

func (t *table) full(i int) int { return t.widths[i] }

// least is how far a column can be narrowed and still say what it says. Cut, a number, a
// time or an id says nothing.
func (t *table) least(i int) int {
	const text = 10
	name := t.names[i]
	if t.numbers[i] || name == "time" || strings.HasSuffix(name, "_at") || strings.HasSuffix(name, "id") || strings.HasSuffix(name, "_key") {
		return t.widths[i]
	}
	return min(t.widths[i], max(text, ansi.StringWidth(t.names[i])))
}

// fit narrows the widest columns until the table fits the terminal: as far as they say
// what they say, then further.
func (t *table) fit() {
	const tiny = 6
	for _, least := range []func(int) int{t.least, func(int) int { return tiny }} {
		for t.screen.width > 0 && t.sum(t.full) > t.screen.width {
			widest := -1
			for _, i := range t.columns {
				if t.widths[i] > least(i) && (widest < 0 || t.widths[i] > t.widths[widest]) {
					widest = i
				}
			}
			if widest < 0 {
				break
			}
			t.widths[widest]--
		}
	}
}

func (t *table) line(cells []rows.Cell) { t.printed(cells, false) }

func (t *table) printed(cells []rows.Cell, head bool) {
	var line strings.Builder
	for at, i := range t.columns {
		text, last := shown(cells[i]), at == len(t.columns)-1
		if t.screen.width > 0 {
			text = ansi.Truncate(text, t.widths[i], "…")
		}
		pad := strings.Repeat(" ", max(0, t.widths[i]-ansi.StringWidth(text)))
		if t.screen.colour {
			text = toned(text, head)
		}
		switch {
		case t.numbers[i]:
			line.WriteString(pad + text)
		case last:
			line.WriteString(text)
		default:
			line.WriteString(text + pad)
		}
		if !last {
			line.WriteString(strings.Repeat(" ", gap))
		}
	}
	out := line.String()
	if t.screen.width > 0 {
		out = ansi.Truncate(out, t.screen.width, "")
	}
	write(t.out, strings.TrimRight(out, " "), "\n")
}

// shown is a cell for people.
func shown(c rows.Cell) string {
	if c.Text == "" {
		return "-"
	}
	return c.Text
}

// toned colours words that say how something stands; headers are faint.
func toned(text string, head bool) string {
	const reset = "\x1b[0m"
	if head {
		return "\x1b[2m" + text + reset
	}
	switch text {
	case "active", "done", "confirmed", "completed", "settlement":
		return "\x1b[32m" + text + reset
	case "frozen", "pending", "authorization", "not-sent", "waiting":
		return "\x1b[33m" + text + reset
	case "terminated", "decline", "refused", "unknown", "expired":
		return "\x1b[31m" + text + reset
	}
	return text
}

// card prints one record, a field a line.
type card struct {
	out    *bufio.Writer
	names  []string
	screen screen
}

// Row prints the record.
func (c *card) Row(cells []rows.Cell) error {
	width := 0
	for _, name := range c.names {
		width = max(width, len(name))
	}
	for i, cell := range cells {
		name := strings.ReplaceAll(c.names[i], "_", " ")
		pad := strings.Repeat(" ", width-len(name)+gap)
		text := shown(cell)
		if c.screen.colour {
			name, text = toned(name, true), toned(text, false)
		}
		write(c.out, name, pad, text, "\n")
	}
	return nil
}

func (c *card) Flush() error { return c.out.Flush() }
func (c *card) End() error   { return c.out.Flush() }
