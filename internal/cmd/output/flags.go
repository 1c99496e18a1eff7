// Package output prints records: as a table for people, and as JSON, JSON lines,
// CSV or by a template for scripts, under the same names of fields.
package output

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/lang"
)

// Flags say how records are printed.
type Flags struct {
	json, jsonl, csv, md bool
	csvFor               string
	template             string
	fields               []string
}

// Add adds the flags.
func (f *Flags) Add(to *pflag.FlagSet) {
	to.BoolVar(&f.json, "json", false, "as JSON")
	to.BoolVar(&f.jsonl, jsonlFlag, false, "as JSON, an object a line")
	to.BoolVar(&f.csv, "csv", false, "as CSV")
	to.StringVar(&f.csvFor, "csv-for", "", "as CSV that a `PROGRAM` opens by a double click: excel, by the locale of this machine, or excel-comma, excel-semicolon")
	to.BoolVar(&f.md, "md", false, "as a table in Markdown")
	to.StringVar(&f.template, "template", "", "by a `TEMPLATE` for each, such as '{id} {status}'")
	to.StringSliceVar(&f.fields, "fields", nil, "only these `FIELDS`, separated by commas")
}

const jsonlFlag = "jsonl"

// excelForms are what --csv-for takes: Excel reads CSV by the locale of its machine, which may be another than this one's.
func excelForms(env func(string) string) map[string]func() (cells, decimal string) {
	return map[string]func() (cells, decimal string){
		"excel":           func() (cells, decimal string) { return lang.Separators(env) },
		"excel-comma":     func() (cells, decimal string) { return ",", "." },
		"excel-semicolon": func() (cells, decimal string) { return ";", "," },
	}
}

// AsJSON reports whether a command line asks for JSON: its errors are objects then,
// also that of a command line that cannot be read to its end.
func AsJSON(cmd *cobra.Command, args []string) bool {
	for _, name := range []string{"json", jsonlFlag} {
		if cmd != nil && cmd.Flags().Lookup(name) != nil {
			if on, err := cmd.Flags().GetBool(name); err == nil && on {
				return true
			}
		}
		if at := slices.Index(args, "--"+name); at >= 0 && !slices.Contains(args[:at], "--") {
			return true
		}
	}
	return false
}

// Aside returns where progress and other lines that only a person reads are printed: to standard error, unless errors
// are objects there and nobody reads along.
func (f *Flags) Aside(errs io.Writer) io.Writer {
	if (f.json || f.jsonl) && !cli.IsTerminal(errs) {
		return io.Discard
	}
	return errs
}

// check refuses what excludes each other.
func (f *Flags) check() error {
	var set []string
	for _, s := range []struct {
		name string
		on   bool
	}{{"--csv", f.csv}, {"--csv-for", f.csvFor != ""}, {"--json", f.json}, {"--jsonl", f.jsonl}, {"--md", f.md}, {"--template", f.template != ""}} {
		if s.on {
			set = append(set, s.name)
		}
	}
	if len(set) > 1 {
		return app.Usage(errors.New(strings.Join(set, " and ") + " exclude each other: choose one"))
	}
	if _, known := excelForms(os.Getenv)[f.csvFor]; f.csvFor != "" && !known {
		return app.Usage(errors.New("--csv-for takes excel, excel-comma or excel-semicolon"))
	}
	if f.template != "" && len(f.fields) > 0 {
		return app.Usage(errors.New("--template says itself which fields it prints: leave --fields out"))
	}
	return nil
}

// Table reports whether a table is printed, for people: on the terminal or in
// Markdown.
func (f *Flags) Table() bool {
	return !f.json && !f.jsonl && !f.csv && f.csvFor == "" && f.template == ""
}

// Free reports whether the command line says nothing of the form: people get sentences.
func (f *Flags) Free() bool { return f.Table() && !f.md && !f.Chosen() }

// Chosen reports whether fields were chosen, or a template.
func (f *Flags) Chosen() bool { return len(f.fields) > 0 || f.template != "" }

// Asks reports whether a field is printed because it was chosen, or is in the template.
func (f *Flags) Asks(field string) bool {
	return slices.ContainsFunc(f.fields, func(name string) bool { return strings.TrimSpace(name) == field }) || strings.Contains(f.template, "{"+field+"}")
}

// chosen returns the places of the fields that are asked for; nil for all.
func (f *Flags) chosen(names []string) ([]int, error) {
	var at []int
	for _, name := range f.fields {
		name = strings.TrimSpace(name)
		i := slices.Index(names, name)
		if i < 0 {
			return nil, app.Usage(fmt.Errorf("no field %q%s: %s", cli.Shown(name), config.DidYouMean(name, names), strings.Join(names, ", ")))
		}
		if slices.Contains(at, i) {
			return nil, app.Usage(fmt.Errorf("--fields has %s twice", name))
		}
		at = append(at, i)
	}
	return at, nil
}

// screen is what a table is printed on; zero for no terminal.
type screen struct {
	width  int // In cells.
	colour bool
}

// screenOf returns the terminal that a writer is.
func screenOf(w io.Writer, noColour bool) screen {
	file, ok := w.(*os.File)
	if !ok || !cli.IsTerminal(w) {
		return screen{}
	}
	width, _, err := term.GetSize(file.Fd())
	if err != nil || width <= 0 {
		width = 80
	}
	return screen{width, !noColour}
}
