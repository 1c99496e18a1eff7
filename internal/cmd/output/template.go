package output

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/state/copytext"
	"github.com/cardtop/cardtop/state/rows"
)

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
