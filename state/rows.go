package state

import (
	"fmt"

	"github.com/cardtop/cardtop/state/rows"
)

// What a list shows, for other programs.
type (
	Rows    = rows.Rows
	Cell    = rows.Cell
	Partial = rows.Partial
	Format  = rows.Format
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
	case len(ev.Text) > rows.MaxCopied:
		s.Notices.tell(Warn, fmt.Sprintf("%s are %d KiB, the clipboard takes %d: filter, or write a file", n, (len(ev.Text)+1023)>>10, rows.MaxCopied>>10))
	default:
		return TopicSecrets, s.Clip.copyText(CopyText{What: n + " as " + string(ev.Format), Text: ev.Text})
	}
	return TopicNotice, nil
}
