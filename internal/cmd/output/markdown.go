package output

import (
	"bufio"
	"strings"

	"github.com/cardtop/cardtop/state/rows"
)

// markdown prints a table in Markdown. Text of others is text in it, whatever it
// holds.
type markdown struct {
	out   *bufio.Writer
	names []string
	held  [][]rows.Cell // Until it is known which columns hold numbers.
	begun bool
}

// Row prints a row, or keeps it until the columns are known.
func (m *markdown) Row(cells []rows.Cell) error {
	if m.begun {
		m.line(cells)
		return nil
	}
	if m.held = append(m.held, cells); len(m.held) == settled {
		m.begin()
	}
	return nil
}

// Flush has out what is printed.
func (m *markdown) Flush() error { return m.out.Flush() }

// End prints what was kept.
func (m *markdown) End() error {
	if !m.begun {
		m.begin()
	}
	return m.out.Flush()
}

// begin prints the header and what was kept. Numbers are aligned right.
func (m *markdown) begin() {
	head, rule := make([]rows.Cell, len(m.names)), "|"
	for i, name := range m.names {
		head[i].Text = strings.ReplaceAll(name, "_", " ")
		numbers := len(m.held) > 0
		for _, row := range m.held {
			numbers = numbers && (row[i].Number || row[i].Text == "")
		}
		if numbers {
			rule += "---:|"
		} else {
			rule += "---|"
		}
	}
	m.begun = true
	m.line(head)
	write(m.out, rule, "\n")
	for _, row := range m.held {
		m.line(row)
	}
	m.held = nil
}

func (m *markdown) line(cells []rows.Cell) {
	write(m.out, "|")
	for _, c := range cells {
		text := c.Text
		if !c.Number {
			text = plainMarkdown(text)
		}
		write(m.out, " ", text, " |")
	}
	write(m.out, "\n")
}

// plainMarkdown returns a text that reads in Markdown as it is. What could be a tag,
// an entity, a link, emphasis, code or the end of a cell is escaped.
func plainMarkdown(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			r = ' '
		case strings.ContainsRune("\\`*_{}[]<>|#~&!$", r):
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
