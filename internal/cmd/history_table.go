package cmd

import (
	"bufio"
	"cmp"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/state"
)

// historyColumn is a column of the table of records.
type historyColumn struct {
	title string
	// drop orders what is left out where a terminal is narrow, lowest first; 0 stays.
	// least is how far it may be cut, in cells; 0 is not at all.
	drop, least int
	text        func(state.Record) string
	width       int
}

// shortTimesBelow is the width of a terminal below which times have no year and no
// seconds.
const shortTimesBelow = 80

func historyColumns(width int) []historyColumn {
	at := time.RFC3339
	if width > 0 && width < shortTimesBelow {
		at = "01-02 15:04"
	}
	return []historyColumn{
		{title: "TIME", text: func(r state.Record) string { return r.At.Format(at) }},
		{title: "MODE", drop: 4, text: func(r state.Record) string { return r.Mode }},
		{title: "ACTION", text: func(r state.Record) string { return r.Action }},
		{title: "CARD", least: 8, text: func(r state.Record) string { return cmp.Or(r.Name, string(r.Card)) }},
		{title: "AMOUNT", drop: 5, text: func(r state.Record) string { return amountText(r.Amount) }},
		{title: "OUTCOME", text: func(r state.Record) string { return r.Outcome }},
		{title: "USER", drop: 2, text: userText},
		{title: "REQUEST", drop: 1, text: func(r state.Record) string { return string(r.RequestID) }},
		{title: "ERROR", drop: 3, least: 16, text: func(r state.Record) string { return r.Err }},
	}
}

// printRecords prints records as a table that fits a terminal of a width; 0 is
// none, and then nothing is left out.
func printRecords(to io.Writer, records []state.Record, width int) error {
	columns := historyColumns(width)
	for i := range columns {
		c := &columns[i]
		c.width = len(c.title)
		for _, r := range records {
			c.width = max(c.width, ansi.StringWidth(cli.Printable(c.text(r))))
		}
	}
	if width > 0 {
		columns = fitted(columns, width)
	}
	out := bufio.NewWriter(to)
	line := func(of func(historyColumn) string) {
		var b strings.Builder
		for i, c := range columns {
			cell := ansi.Truncate(cli.Printable(of(c)), c.width, "…")
			b.WriteString(cell)
			if i < len(columns)-1 {
				b.WriteString(strings.Repeat(" ", c.width-ansi.StringWidth(cell)+historyGap))
			}
		}
		text := b.String()
		if width > 0 {
			text = ansi.Truncate(strings.TrimRight(text, " "), width, "")
		}
		_, _ = out.WriteString(text + "\n") // Flush tells.
	}
	line(func(c historyColumn) string { return c.title })
	for _, r := range records {
		line(func(c historyColumn) string { return c.text(r) })
	}
	return out.Flush()
}

// historyGap is between two columns, in cells.
const historyGap = 2

// fitted cuts the widest columns that may be, and leaves out those that matter least,
// until the table fits.
func fitted(columns []historyColumn, width int) []historyColumn {
	columns = slices.Clone(columns)
	for {
		over := -historyGap - width
		spare := 0
		for _, c := range columns {
			over += c.width + historyGap
			if c.least > 0 {
				spare += max(0, c.width-c.least)
			}
		}
		if over <= 0 {
			return columns
		}
		if spare >= over {
			cut(columns, over)
			return columns
		}
		next := -1
		for i, c := range columns {
			if c.drop > 0 && (next < 0 || c.drop < columns[next].drop) {
				next = i
			}
		}
		if next < 0 {
			cut(columns, spare)
			return columns // The end of a line is cut.
		}
		columns = slices.Delete(columns, next, next+1)
	}
}

// cut takes cells off the columns that may be cut, the widest first.
func cut(columns []historyColumn, n int) {
	for range n {
		widest := -1
		for i, c := range columns {
			if c.least > 0 && c.width > c.least && (widest < 0 || c.width > columns[widest].width) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		columns[widest].width--
	}
}
