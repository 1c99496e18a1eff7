// Package cardcsv reads a CSV file of cards to be issued: a header and a card
// a line.
package cardcsv

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
)

// File is what a file holds.
type File struct {
	Rows []Row
	// Problems are what is wrong with it. A file with any is not used: the
	// good rows would be issued again once the others are fixed.
	Problems []Problem

	// Incomplete are rows of which some column cannot be read; their others can
	// be checked.
	Incomplete []Row
}

// Problem is what is wrong with one line.
type Problem struct {
	Line int
	// Column is the one it is about; empty for the line as a whole.
	Column string
	Text   string
}

// The columns.
const (
	BIN        = "bin_id"
	Amount     = "amount"
	Label      = "label"
	Limit      = "spending_limit"
	AutoFreeze = "auto_freeze_at"
	Categories = "allowed_categories"
)

// MaxRows bounds the rows of one file.
const MaxRows = 10_000

// Row is one card to be issued.
type Row struct {
	// Line is where it stands in a file, from 1 on; 0 for none.
	Line    int
	Request api.CreateCardRequest
}

// HeaderLine is the line of the names of the columns.
const HeaderLine = 1

// metadataColumn begins the name of a column that holds metadata.
const metadataColumn = "metadata."

// allowed tells the columns there can be.
const allowed = BIN + ", " + Amount + ", " + Label + ", " + Limit + ", " + AutoFreeze + ", " + Categories

// fill puts a cell where its column belongs. known is false for a column that
// means nothing here; an error is of an amount.
func fill(r *api.CreateCardRequest, column, cell string) (known bool, err error) {
	key, meta := strings.CutPrefix(column, metadataColumn)
	switch {
	case meta && key != "":
		if r.Metadata == nil {
			r.Metadata = make(map[string]string)
		}
		r.Metadata[key] = cell
	case column == BIN:
		r.BIN = api.BINID(cell)
	case column == Amount:
		r.Amount, err = api.ParseTyped(cell)
	case column == Label:
		r.Label = cell
	case column == Limit:
		r.SpendingLimit, err = maybeUSD(cell)
	case column == AutoFreeze:
		r.AutoFreezeAt, err = maybeUSD(cell)
	case column == Categories:
		r.AllowedCategories = strings.FieldsFunc(cell, func(c rune) bool { return strings.ContainsRune(" ;|,", c) })
	default:
		return false, nil
	}
	return true, err
}

func maybeUSD(cell string) (*api.USD, error) {
	u, err := api.ParseTyped(cell)
	return &u, err
}

// Read reads a CSV file. Fields are separated by commas, or by semicolons
// when the header is. What is not filled in is not sent. Problems are in the words of a
// language.
func Read(w *lang.Words, data []byte) File {
	var s File
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		s.problem(HeaderLine, "", w.T("the file is UTF-16: save it as CSV UTF-8"))
		return s
	}
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord = -1 // Counted here, to go on after a line that is short.
	if head, _, _ := bytes.Cut(data, []byte("\n")); bytes.Count(head, []byte(";")) > bytes.Count(head, []byte(",")) {
		r.Comma = ';'
	}
	header, err := r.Read()
	if err != nil {
		s.problem(HeaderLine, "", w.T("the file has no header: bin_id,amount,label"))
		return s
	}
	s.checkHeader(w, header)
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		var bad *csv.ParseError
		if errors.As(err, &bad) {
			s.problem(bad.StartLine, "", quoteText(w, bad))
			continue
		}
		if err != nil {
			s.problem(0, "", err.Error())
			break
		}
		line, _ := r.FieldPos(0)
		if len(s.Rows) >= MaxRows {
			s.problem(line, "", w.Tf("at most %d cards at once", MaxRows))
			break
		}
		s.read(w, header, record, line)
	}
	if len(s.Rows) == 0 && len(s.Problems) == 0 {
		s.problem(HeaderLine, "", w.T("the file holds no card"))
	}
	return s
}

func (f *File) problem(line int, column, text string) {
	f.Problems = append(f.Problems, Problem{line, column, text})
}

// quoteText says what is wrong with the quotes of a line.
func quoteText(w *lang.Words, e *csv.ParseError) string {
	if errors.Is(e.Err, csv.ErrBareQuote) {
		return w.T("a quote within a field: write the field in quotes and the quote twice")
	}
	return w.T("a quote is not closed")
}

// checkHeader cleans the names of the columns and refuses those that mean
// nothing here: what was meant by them would be lost.
func (f *File) checkHeader(w *lang.Words, header []string) {
	seen := make(map[string]bool)
	for i, name := range header {
		name = strings.TrimSpace(name)
		if key, ok := cutFold(name, metadataColumn); ok && key != "" {
			name = metadataColumn + key
		} else {
			name = strings.ToLower(name)
		}
		header[i] = name
		// The text of a cell does not matter here, only where it goes.
		known, _ := fill(&api.CreateCardRequest{}, name, "0")
		switch {
		case !known:
			f.problem(HeaderLine, "", w.Tf("the column %q is not known: %s; metadata is written %s", api.Clean(name), allowed, metadataColumn+"team"))
		case seen[name]:
			f.problem(HeaderLine, string(api.Clean(name)), w.T("stands twice"))
		}
		seen[name] = true
	}
	for _, must := range []string{BIN, Amount} {
		if !seen[must] {
			f.problem(HeaderLine, must, w.T("the column is missing"))
		}
	}
}

// cutFold is strings.CutPrefix whatever the case.
func cutFold(s, prefix string) (rest string, found bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return "", false
	}
	return s[len(prefix):], true
}

// read takes one line. A line of empty fields is what spreadsheets leave
// behind.
func (f *File) read(w *lang.Words, header, record []string, line int) {
	if strings.TrimSpace(strings.Join(record, "")) == "" {
		return
	}
	if len(record) != len(header) {
		f.problem(line, "", w.Tf("has %s, the header %d", w.Tn(len(record), "%d field", "%d fields"), len(header)))
		return
	}
	before := len(f.Problems)
	row := Row{Line: line}
	for i, column := range header {
		cell := Live(record[i]) // As export wrote it.
		if column != Label {
			cell = strings.TrimSpace(cell)
		}
		switch {
		case cell != "":
			if _, err := fill(&row.Request, column, cell); err != nil {
				f.problem(line, column, w.Tf("%q is no amount: write it such as 1250.00", api.Clean(cell)))
			}
		case column == BIN || column == Amount:
			f.problem(line, column, w.T("is missing"))
		}
	}
	// Without its column a row lacks what the header has told of.
	whole := slices.Contains(header, BIN) && slices.Contains(header, Amount)
	if len(f.Problems) > before || !whole {
		f.Incomplete = append(f.Incomplete, row)
		return
	}
	f.Rows = append(f.Rows, row)
}

// ends are what ends a cell to one program or another, whatever separates the cells of a file: a part of a text
// behind one of them may be a cell of its own.
const ends = ";\t\r\n"

// formula are what a formula begins with, and what looks like it and is read as it.
const formula = "=+-@＝＋－＠"

// Inert returns a text of which no program makes a formula, as a cell of CSV: an apostrophe goes before each part that
// would be one. Live has the text back.
func Inert(text string) string { return parts(text, ends, inert) }

// InertTSV is Inert for TSV, where a comma in a cell is not quoted.
func InertTSV(text string) string { return parts(text, ends+",", inert) }

func inert(part string) string { return "'" + part }

// Live returns the text that Inert was made of.
func Live(text string) string {
	return parts(text, ends, func(part string) string { return strings.TrimPrefix(part, "'") })
}

// parts changes each part of a text between some ends that would be a formula.
func parts(text, ends string, change func(string) string) string {
	if !strings.ContainsAny(text, formula) {
		return text
	}
	var b strings.Builder
	for {
		at := strings.IndexAny(text, ends)
		part := text
		if at >= 0 {
			part = text[:at]
		}
		if isFormula(part) {
			part = change(part)
		}
		b.WriteString(part)
		if at < 0 {
			return b.String()
		}
		b.WriteByte(text[at])
		text = text[at+1:]
	}
}

// isFormula reports whether a program may read a cell as a formula: blanks and quotes before it do not keep it from
// that.
func isFormula(cell string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(cell, "\"' \u00a0"))
	return r != utf8.RuneError && strings.ContainsRune(formula, r)
}
