package output

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/storage/export"
	"github.com/cardtop/cardtop/state/copytext"
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

// byTemplate prints each record by a template: text with names of fields in
// braces. A field is text as in CSV. Go's own templates would make the program a
// fifth larger: they call methods by their names, so that the linker has to keep
// all there are.
type byTemplate struct {
	out   *bufio.Writer
	parts []copytext.Part
	at    []int // of each part that is a field, its place in a record
}

// newTemplate reads a template. One with a field that is not there is refused
// before the first record.
func newTemplate(w io.Writer, text string, names []string) (printer, error) {
	text = strings.NewReplacer(`\t`, "\t", `\n`, "\n", `\\`, `\`).Replace(text)
	if strings.LastIndexByte(text, '{') > strings.LastIndexByte(text, '}') {
		return nil, app.Usage(errors.New("--template: a { is not closed: fields are written as {" + names[0] + "}"))
	}
	t := &byTemplate{out: bufio.NewWriter(w), parts: copytext.Parse(text)}
	for _, p := range t.parts {
		if p == (copytext.Part{}) {
			return nil, app.Usage(fmt.Errorf("--template: {} names no field: %s", strings.Join(names, ", ")))
		}
		at := slices.Index(names, string(p.Field))
		if p.Field != "" && at < 0 {
			name := string(p.Field)
			return nil, app.Usage(fmt.Errorf("--template: no field %q%s: %s", name, config.DidYouMean(name, names), strings.Join(names, ", ")))
		}
		t.at = append(t.at, at)
	}
	return t, nil
}

// Row prints a record and a newline.
func (t *byTemplate) Row(cells []rows.Cell) error {
	for i, p := range t.parts {
		if t.at[i] < 0 {
			write(t.out, p.Text)
		} else {
			write(t.out, cells[t.at[i]].Text)
		}
	}
	write(t.out, "\n")
	return nil
}

func (t *byTemplate) Flush() error { return t.out.Flush() }
func (t *byTemplate) End() error   { return t.out.Flush() }

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
