// Package export writes the rows of a list for other programs.
package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cardtop/cardtop/state/rows"
)

// Write writes rows in a format.
func Write(w io.Writer, list rows.Rows, f rows.Format) error {
	out, err := NewStream(w, list.Columns, f)
	if err != nil {
		return err
	}
	for i := range list.N {
		if err := out.Row(list.Row(i)); err != nil {
			return err
		}
	}
	return out.End()
}

// quotedCell quotes a cell that starts with a quote, which would continue in the next
// one.
func quotedCell(cell string) string {
	if !strings.HasPrefix(cell, `"`) {
		return cell
	}
	return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
}

// inCell replaces what would end a cell with blanks.
func inCell(r rune) rune {
	if r == '\t' || r == '\n' || r == '\r' {
		return ' '
	}
	return r
}

// csvCell quotes a cell that holds what separates cells, to one program or another.
func csvCell(cell string) string {
	if !strings.ContainsAny(cell, ",;\t\r\n\"") && !strings.HasPrefix(cell, " ") {
		return cell
	}
	return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
}

// value writes a cell; nothing is null.
func value(c rows.Cell) string {
	switch {
	case c.JSON != "":
		return c.JSON
	case c.Text == "":
		return "null"
	case c.Number && json.Valid([]byte(c.Text)):
		return c.Text
	}
	return quoted(c.Text)
}

func quoted(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Folder is where exports go.
type Folder struct {
	// Dir is the folder; empty is the working directory.
	Dir string
	// Fallback is used when Dir cannot be written to; empty when there
	// is none.
	Fallback string
	Now      func() time.Time
}

// sameSecond bounds how many exports of one second get a name.
const sameSecond = 100

// Path returns the folder as an absolute path.
func (f Folder) Path() string {
	path, err := filepath.Abs(f.Dir)
	if err != nil {
		return f.Fallback
	}
	return path
}

// Save writes rows to a new file, for this user alone, and returns the path.
func (f Folder) Save(list rows.Rows, format rows.Format) (path string, err error) {
	file, err := f.create(f.Dir, list, format)
	if err != nil && f.Fallback != "" {
		file, err = f.create(f.Fallback, list, format)
	}
	if err != nil {
		return "", err
	}
	err = Write(file, list, format)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return "", err
	}
	return filepath.Abs(file.Name())
}

// Text returns rows as text.
func (Folder) Text(list rows.Rows, format rows.Format) (string, error) {
	var b strings.Builder
	err := Write(&b, list, format)
	return b.String(), err
}

// create makes a new file. Its name marks rows that are not
// whole.
func (f Folder) create(dir string, list rows.Rows, format rows.Format) (*os.File, error) {
	suffix := map[rows.Format]string{rows.CSV: ".csv", rows.TSV: ".tsv", rows.JSON: ".json", rows.JSONLines: ".jsonl"}[format]
	name := "cardtop-" + list.What + "-" + f.Now().UTC().Format("20060102-150405")
	if lacks := list.Lacks; !lacks.IsWhole() {
		suffix = strings.TrimSuffix("-partial-"+lacks.Name, "-") + suffix
	}
	for n := range sameSecond {
		path := filepath.Join(dir, name+suffix)
		if n > 0 {
			path = filepath.Join(dir, fmt.Sprintf("%s-%d%s", name, n, suffix))
		}
		file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) //nolint:gosec // a name of our own making
		if !errors.Is(err, os.ErrExist) {
			return file, err
		}
	}
	return nil, errors.New("too many exports in one second")
}
