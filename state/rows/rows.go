// Package rows is what a list shows, for other programs: columns and cells to
// be written as CSV, TSV or JSON.
package rows

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
)

// Rows are what a list shows, for other programs. They hold no secret and
// share no memory that the store changes.
type Rows struct {
	// What names them: cards, transactions.
	What    string
	Columns []string
	N       int
	// Row gives the cells of one. It may be called from another goroutine.
	Row func(i int) []Cell
	// Lacks says what the list has and these rows do not; zero when they are
	// whole.
	Lacks Partial
}

// Refusal is why rows cannot be written; empty when they can.
func (r *Rows) Refusal(w *lang.Words) string {
	if r.N == 0 {
		return w.T("nothing to export: the list is empty")
	}
	return ""
}

// Partial says what rows lack: Name in the name of a file, such as
// since-2026-11-21, Text in words.
type Partial struct{ Name, Text string }

// Since is the part of a list that was read back to a time; a zero one is not
// known. The name has the day in UTC, as the rows have their times.
func Since(back time.Time) Partial {
	if back.IsZero() {
		return Partial{Text: "older ones are not read yet"}
	}
	return Partial{Name: "since-" + back.UTC().Format(time.DateOnly), Text: "nothing older than " + back.Local().Format("2006-01-02 15:04")}
}

// IsWhole reports whether nothing is lacking.
func (p Partial) IsWhole() bool { return p == Partial{} }

// Cell is a value. A number is written as one, in plain digits; an empty text
// is nothing.
type Cell struct {
	Text   string
	Number bool
	// JSON is the value as JSON, where that is neither the text nor a number.
	JSON string
}

// Text is a cell of text.
func Text[T ~string](text T) Cell { return Cell{Text: string(text)} }

// Money is a cell of an amount in USD.
func Money(u api.USD) Cell { return Cell{Text: u.String(), Number: true} }

// Units is a cell of an amount in a currency of another cell.
func Units(u api.Units) Cell { return Cell{Text: u.String(), Number: true} }

// Time is a cell of a time in UTC; empty for the zero time.
func Time(t time.Time) Cell {
	if t.IsZero() {
		return Cell{}
	}
	return Cell{Text: t.UTC().Format(time.RFC3339)}
}

// Format is how rows are written.
type Format string

// The formats: with a header, with a header and as a spreadsheet takes cells
// that are pasted, as one array, an object a line.
const (
	CSV       Format = "CSV"
	TSV       Format = "TSV"
	JSON      Format = "JSON"
	JSONLines Format = "JSON lines"
)

// Counted is how many rows of what there are, in words.
func (r Rows) Counted() string {
	switch {
	case r.What == "history" || r.What == "timeline":
		return fmt.Sprintf("%d of the %s", r.N, r.What)
	case r.N == 1:
		return "1 " + strings.TrimSuffix(r.What, "s")
	}
	return fmt.Sprintf("%d %s", r.N, r.What)
}

// size is about how many bytes rows come to in a format. It counts no further
// than until they are more than the clipboard takes.
func (r Rows) size(f Format) (n int) {
	const quotes = len(`"":"",`)
	columns := 0
	for _, c := range r.Columns {
		columns += len(c) + quotes
	}
	table := f == CSV || f == TSV
	if table {
		n = columns - quotes*len(r.Columns)
	}
	for i := 0; i < r.N && n <= MaxCopied; i++ {
		for _, c := range r.Row(i) {
			n += len(c.Text) + 1
		}
		if !table {
			n += columns
		}
	}
	return n
}

// CopySize says how much of the clipboard rows take, and whether there is room.
func (r Rows) CopySize(w *lang.Words, f Format) (text string, fits bool) {
	n := r.size(f)
	if n > MaxCopied {
		return w.Tf("over its %d KiB", MaxCopied>>10), false
	}
	return w.Tf("about %d KiB", (n+1023)>>10), true
}

// MaxCopied bounds what is put on the clipboard, in bytes. It is the clipboard's
// own bound, which a test compares it with.
const MaxCopied = 32 << 10

// Count is a cell of a whole number.
func Count(n int) Cell { return Cell{Text: strconv.Itoa(n), Number: true} }

// Field is what is printed of a record under a name that scripts rely on.
type Field[T any] struct {
	Name, About string
	// Brief reports whether a table for people shows it.
	Brief bool
	Cell  func(T) Cell
}

// Names are what fields are called.
func Names[T any](fields []Field[T]) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return names
}

// Cells are the values of a record.
func Cells[T any](fields []Field[T], record T) []Cell {
	cells := make([]Cell, len(fields))
	for i, f := range fields {
		cells[i] = f.Cell(record)
	}
	return cells
}

// Flag is a cell of a truth value.
func Flag(b bool) Cell {
	text := strconv.FormatBool(b)
	return Cell{Text: text, JSON: text}
}

// List is a cell of several texts: separated by blanks where it is one text.
func List[T ~string](list []T) Cell {
	texts := make([]string, len(list)) // Not nil: an empty list is one.
	for i, t := range list {
		texts[i] = string(t)
	}
	return Cell{Text: strings.Join(texts, " "), JSON: encoded(texts)}
}

// Pairs is a cell of names and values, by name: name=value separated by blanks
// where it is one text, else an object.
func Pairs(m map[api.Text]api.Text) Cell {
	if len(m) == 0 {
		return Cell{JSON: "{}"}
	}
	var texts []string
	for name, value := range m {
		texts = append(texts, string(name)+"="+string(value))
	}
	slices.Sort(texts)
	return Cell{Text: strings.Join(texts, " "), JSON: encoded(m)}
}

// Maybe is a cell of an amount in USD that need not be known.
func Maybe(u *api.USD) Cell {
	if u == nil {
		return Cell{}
	}
	return Money(*u)
}

// MaybeCount is a cell of a count that need not be known.
func MaybeCount(n *int) Cell {
	if n == nil {
		return Cell{}
	}
	return Count(*n)
}

// Percent is a cell of a percentage that need not be known.
func Percent(f *float64) Cell {
	if f == nil {
		return Cell{}
	}
	return Cell{Text: strconv.FormatFloat(*f, 'f', -1, 64), Number: true}
}

// encoded returns a value as JSON; a map is in the order of its keys.
func encoded(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return "null"
	}
	return strings.TrimSpace(b.String())
}
