package export

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/state/rows"
)

// Stream writes rows one after the other, so that a list need not be in memory
// before its first row is out.
type Stream struct {
	out       *bufio.Writer
	end, none string // After the last row; where there is no row.
	put       func(cells []rows.Cell)
	rows      int
}

// NewStream returns a stream of rows with columns. What comes before the first
// row is written with it, or by End.
func NewStream(w io.Writer, columns []string, f rows.Format) (*Stream, error) {
	s := &Stream{out: bufio.NewWriter(w)}
	switch f {
	case rows.CSV:
		s.csv(columns, csvForm{between: ",", end: "\n", decimal: "."})
	case rows.TSV:
		s.tsv(columns)
	case rows.JSON, rows.JSONLines:
		s.json(columns, f)
	default:
		return nil, fmt.Errorf("no format is called %q", f)
	}
	return s, nil
}

// NewExcelStream returns a stream of CSV that Excel opens by a double click, with what its locale has between cells and
// in numbers.
func NewExcelStream(w io.Writer, columns []string, cells, decimal string) *Stream {
	s := &Stream{out: bufio.NewWriter(w)}
	s.csv(columns, csvForm{begin: bom, between: cells, end: "\r\n", decimal: decimal})
	return s
}

// Row writes a row.
func (s *Stream) Row(cells []rows.Cell) error {
	s.put(cells)
	s.rows++
	_, err := s.out.Write(nil) // It holds the first error.
	return err
}

// Flush returns when the rows are out.
func (s *Stream) Flush() error { return s.out.Flush() }

// End ends the rows.
func (s *Stream) End() error {
	end := s.end
	if s.rows == 0 {
		end = s.none
	}
	_, _ = s.out.WriteString(end) // Flush has its error.
	return s.out.Flush()
}

// csvForm is what differs between programs that open CSV.
type csvForm struct{ begin, between, end, decimal string }

// bom has Excel read UTF-8.
const bom = "\ufeff"

// csv writes a header and the rows. No cell is a formula to a program
// that opens it.
func (s *Stream) csv(columns []string, f csvForm) {
	line := slices.Clone(columns)
	put := func() { _, _ = s.out.WriteString(strings.Join(line, f.between) + f.end) } // Flush has its error.
	_, _ = s.out.WriteString(f.begin)
	put()
	s.put = func(cells []rows.Cell) {
		for at, c := range cells {
			if line[at] = strings.Replace(c.Text, ".", f.decimal, 1); !c.Number {
				line[at] = csvCell(cardcsv.Inert(c.Text))
			}
		}
		put()
	}
}

// tsv writes a header and the rows as a spreadsheet expects them when they
// are pasted. No cell is a formula, and none holds what ends a cell.
func (s *Stream) tsv(columns []string) {
	line := slices.Clone(columns)
	put := func() { _, _ = s.out.WriteString(strings.Join(line, "\t") + "\n") } // Flush has its error.
	put()
	s.put = func(cells []rows.Cell) {
		for at, c := range cells {
			line[at] = c.Text
			if !c.Number {
				line[at] = quotedCell(strings.Map(inCell, cardcsv.InertTSV(c.Text)))
			}
		}
		put()
	}
}

// json writes an object a row, its keys in the order of the columns.
func (s *Stream) json(columns []string, f rows.Format) {
	before, between, after := "", "", "\n"
	if f == rows.JSON {
		before, between, after, s.end, s.none = "[\n", ",\n", "", "\n]\n", "[]\n"
	}
	keys := make([]string, len(columns))
	for i, name := range columns {
		keys[i] = quoted(name) + ":"
	}
	s.put = func(cells []rows.Cell) {
		object := make([]string, 0, len(keys))
		for at, c := range cells {
			object = append(object, keys[at]+value(c))
		}
		if s.rows > 0 {
			before = between
		}
		_, _ = s.out.WriteString(before)                                        // Flush has its error.
		_, _ = s.out.WriteString("{" + strings.Join(object, ",") + "}" + after) // As above.
	}
}
