package output

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"text/template"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/state"
)

// byTemplate prints each record by a template. A field is text as in CSV;
// those that are lists or objects in JSON are those.
type byTemplate struct {
	out   *bufio.Writer
	names []string
	form  *template.Template
}

// newTemplate reads a template. One that has a field that is not there is
// refused before the first record, by what it does with an empty one.
func newTemplate(w io.Writer, text string, names []string, empty []state.Cell) (printer, error) {
	form, err := template.New("--template").Option("missingkey=error").Parse(text)
	if err != nil {
		return nil, app.Usage(fmt.Errorf("--template: %s", reason(err)))
	}
	t := &byTemplate{bufio.NewWriter(w), names, form}
	if err := form.Execute(io.Discard, t.data(empty)); err != nil {
		return nil, app.Usage(t.explain(err))
	}
	return t, nil
}

// unknown is how package template names a key that a map lacks.
var unknown = regexp.MustCompile(`map has no entry for key "([^"]*)"`)

// explain returns an error of a template in plain words.
func (t *byTemplate) explain(err error) error {
	if m := unknown.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Errorf("--template: no field %q%s: %s", m[1], config.DidYouMean(m[1], t.names), strings.Join(t.names, ", "))
	}
	return fmt.Errorf("--template: %s", reason(err))
}

// reason is the last part of an error of package template: what is before are
// places in it.
func reason(err error) string {
	text := err.Error()
	if at := strings.LastIndex(text, ": "); at >= 0 {
		text = text[at+2:]
	}
	return text
}

func (t *byTemplate) data(cells []state.Cell) map[string]any {
	data := make(map[string]any, len(cells))
	for i, c := range cells {
		data[t.names[i]] = c.Text
		var value any
		if c.JSON != "" && json.Unmarshal([]byte(c.JSON), &value) == nil {
			data[t.names[i]] = value
		}
	}
	return data
}

// Row prints a record and a newline.
func (t *byTemplate) Row(cells []state.Cell) error {
	if err := t.form.Execute(t.out, t.data(cells)); err != nil {
		return t.explain(err)
	}
	write(t.out, "\n")
	return nil
}

func (t *byTemplate) Flush() error { return t.out.Flush() }
func (t *byTemplate) End() error   { return t.out.Flush() }
