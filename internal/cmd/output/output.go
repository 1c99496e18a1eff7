package output

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/storage/export"
	"github.com/cardtop/cardtop/state/rows"
)

// Records prints records of one kind, one after the other.
type Records[T any] struct {
	fields []rows.Field[T]
	to     printer
}

// printer prints rows in one form.
type printer interface {
	Row(cells []rows.Cell) error
	// Flush returns when the rows are out, as far as they can be yet.
	Flush() error
	// End ends the list.
	End() error
}

// New makes what prints records with fields. Its errors are of wrong usage.
func New[T any](p cli.Program, f Flags, fields []rows.Field[T]) (*Records[T], error) {
	return open(p, f, fields, false)
}

// Open is New for a single record, which is no list.
func open[T any](p cli.Program, f Flags, fields []rows.Field[T], single bool) (*Records[T], error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	at, err := f.chosen(rows.Names(fields))
	if err != nil {
		return nil, err
	}
	if at != nil {
		var some []rows.Field[T]
		for _, i := range at {
			some = append(some, fields[i])
			some[len(some)-1].Brief = true
		}
		fields = some
	}
	r := &Records[T]{fields: fields}
	switch {
	case f.csv:
		r.to, err = export.NewStream(p.Out, rows.Names(fields), rows.CSV)
	case f.csvFor != "":
		cells, decimal := excelForms(os.Getenv)[f.csvFor]()
		r.to = export.NewExcelStream(p.Out, rows.Names(fields), cells, decimal)
	case f.jsonl, f.json && single:
		r.to, err = export.NewStream(p.Out, rows.Names(fields), rows.JSONLines)
	case f.json:
		r.to, err = export.NewStream(p.Out, rows.Names(fields), rows.JSON)
	case f.template != "":
		r.to, err = newTemplate(p.Out, f.template, rows.Names(fields))
	case f.md:
		r.fields = brief(fields)
		r.to = &markdown{out: bufio.NewWriter(p.Out), names: rows.Names(r.fields)}
	case single:
		r.to = &card{out: bufio.NewWriter(p.Out), names: rows.Names(fields), screen: screenOf(p.Out, p.Env.NoColor)}
	default:
		r.fields = brief(fields)
		r.to = &table{out: bufio.NewWriter(p.Out), names: rows.Names(r.fields), screen: screenOf(p.Out, p.Env.NoColor), chosen: f.Chosen()}
	}
	return r, err
}

// brief are the fields that a table shows.
func brief[T any](fields []rows.Field[T]) []rows.Field[T] {
	var out []rows.Field[T]
	for _, f := range fields {
		if f.Brief {
			out = append(out, f)
		}
	}
	return out
}

// Put prints a record; Flush or End have it out.
func (r *Records[T]) Put(record T) error { return printed(r.to.Row(rows.Cells(r.fields, record))) }

// Flush returns when what was put is out.
func (r *Records[T]) Flush() error { return printed(r.to.Flush()) }

// End ends the records.
func (r *Records[T]) End() error { return printed(r.to.End()) }

func printed(err error) error {
	if err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

// List prints whole lists.
func List[T any](p cli.Program, f Flags, fields []rows.Field[T], records []T) error {
	out, err := New(p, f, fields)
	if err != nil {
		return err
	}
	for _, r := range records {
		if err := out.Put(r); err != nil {
			return err
		}
	}
	return out.End()
}

// One makes what prints a single record. Making it first finds wrong usage
// before anything is asked for.
func One[T any](p cli.Program, f Flags, fields []rows.Field[T]) (print func(T) error, err error) {
	out, err := open(p, f, fields, true)
	if err != nil {
		return nil, err
	}
	return func(record T) error {
		if err := out.Put(record); err != nil {
			return err
		}
		return out.End()
	}, nil
}

// write writes text and keeps no error: the flush that follows has it.
func write(w *bufio.Writer, texts ...string) {
	for _, t := range texts {
		_, _ = io.WriteString(w, t) // Flush has the error.
	}
}
