package output

import (
	"bufio"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/cardtop/cardtop/state"
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
	held   [][]state.Cell // Until the widths are settled.
	widths []int
	// numbers are the columns that hold numbers alone.
	numbers []bool
}

// Row prints a row, or keeps it until the widths are settled.
func (t *table) Row(cells []state.Cell) error {
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

// End prints what was kept.
func (t *table) End() error {
	if t.widths == nil && len(t.held) > 0 {
		t.settle()
	}
	return t.out.Flush()
}

// settle finds the widths and prints the header and what was kept.
func (t *table) settle() {
	t.widths, t.numbers = make([]int, len(t.names)), make([]bool, len(t.names))
	head := make([]state.Cell, len(t.names))
	for i, name := range t.names {
		head[i].Text = strings.ToUpper(strings.ReplaceAll(name, "_", " "))
		t.widths[i], t.numbers[i] = ansi.StringWidth(head[i].Text), true
		for _, row := range t.held {
			t.widths[i] = max(t.widths[i], ansi.StringWidth(shown(row[i])))
			t.numbers[i] = t.numbers[i] && (row[i].Number || row[i].Text == "")
		}
	}
	t.fit()
	t.printed(head, true)
	for _, row := range t.held {
		t.line(row)
	}
	t.held = nil
}

// fit narrows the widest columns until the table fits the terminal.
func (t *table) fit() {
	const least = 6
	for t.screen.width > 0 {
		sum, widest := -gap, 0
		for i, w := range t.widths {
			if sum += w + gap; w > t.widths[widest] && !t.numbers[i] || t.numbers[widest] {
				widest = i
			}
		}
		if sum <= t.screen.width || t.widths[widest] <= least {
			return
		}
		t.widths[widest]--
	}
}

func (t *table) line(cells []state.Cell) { t.printed(cells, false) }

func (t *table) printed(cells []state.Cell, head bool) {
	var line strings.Builder
	for i, c := range cells {
		text := shown(c)
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
		case i == len(cells)-1:
			line.WriteString(text)
		default:
			line.WriteString(text + pad)
		}
		if i < len(cells)-1 {
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
func shown(c state.Cell) string {
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
func (c *card) Row(cells []state.Cell) error {
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
