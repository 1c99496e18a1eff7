package state

import (
	"fmt"
	"time"

	"github.com/cardtop/cardtop/api"
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
}

// TextCell is text.
func TextCell[T ~string](text T) Cell { return Cell{Text: string(text)} }

// MoneyCell is an amount in USD.
func MoneyCell(u api.USD) Cell { return Cell{Text: u.String(), Number: true} }

// TimeCell is a time in UTC; nothing for one that never was.
func TimeCell(t time.Time) Cell {
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

// ExportRows asks for rows in a format that is still to be chosen.
type ExportRows struct {
	Rows Rows
	// Rest is what can be read first, so that the rows are whole; nil for
	// nothing. Again gives the rows once it was. Wanted says that a person asked
	// for such rows, by a filter.
	Rest   *Rest
	Again  func() Rows
	Wanted bool
	// Sums are the rows' groups, which can be written instead; N is 0 where they
	// are in none.
	Sums Rows
}

// WriteRows asks for rows in a new file, or on the clipboard.
type WriteRows struct {
	Rows   Rows
	Format Format
	Copy   bool
}

// SaveRows writes rows to a new file, or only puts them into words for the
// clipboard.
type SaveRows struct {
	Rows   Rows
	Format Format
	Copy   bool
}

func (SaveRows) effect() {}

// RowsSaved says where rows were written, or their text, or why there is
// neither.
type RowsSaved struct {
	Meta
	SaveRows
	Path, Text string
	Err        error
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
func (r Rows) CopySize(f Format) (text string, fits bool) {
	n := r.size(f)
	if n > MaxCopied {
		return fmt.Sprintf("over its %d KiB", MaxCopied>>10), false
	}
	return fmt.Sprintf("about %d KiB", (n+1023)>>10), true
}

// MaxCopied bounds what is put on the clipboard, in bytes. It is the clipboard's
// own bound, which a test compares it with.
const MaxCopied = 32 << 10

// checkRows tells why rows cannot be exported.
func checkRows(r Rows) Verdict {
	if r.N == 0 {
		return Verdict{Reason: "nothing to export: the list is empty"}
	}
	return Verdict{}
}

func (ev RowsSaved) apply(s *Store) (Topic, []Effect) {
	n, level := fmt.Sprintf("%d of the %s", ev.Rows.N, ev.Rows.What), Good
	if lacks := ev.Rows.Lacks; !lacks.IsWhole() {
		n, level = n+", partial: "+lacks.Text, Warn
	}
	switch {
	case ev.Err != nil:
		s.Notices.tell(Bad, "the "+ev.Rows.What+" were not exported: "+ev.Err.Error())
	case !ev.Copy:
		s.Notices.tell(level, "written to "+ev.Path+": "+n)
	case len(ev.Text) > MaxCopied:
		s.Notices.tell(Warn, fmt.Sprintf("%s are %d KiB, the clipboard takes %d: filter, or write a file", n, (len(ev.Text)+1023)>>10, MaxCopied>>10))
	default:
		return TopicSecrets, s.Clip.copyText(CopyText{What: n + " as " + string(ev.Format), Text: ev.Text})
	}
	return TopicNotice, nil
}
