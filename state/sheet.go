package state

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
)

// Sheet is a CSV file of cards to be issued: a header and a card a line.
type Sheet struct {
	Rows []IssueRow
	// Problems are what is wrong with it. A sheet with any is not used: once it
	// is mended the good rows would be issued twice.
	Problems []SheetProblem

	// odd are rows of which some column cannot be read; the others can be
	// judged.
	odd []IssueRow
}

// SheetProblem is what is wrong with one line.
type SheetProblem struct {
	Line int
	// Column is the one it is about; empty for the line as a whole.
	Column string
	Text   string
}

// sheetProblems lists all that is wrong with a sheet, line by line: what cannot
// be read, and what the rows ask for that cannot be had. What they take
// together is for their plan to tell.
func (bu *BulkTable) sheetProblems(sheet Sheet) []SheetProblem {
	type place struct {
		line   int
		column string
	}
	known := make(map[place]bool)
	out := slices.Clone(sheet.Problems)
	for _, p := range out {
		known[place{p.Line, p.Column}] = true
	}
	for _, row := range slices.Concat(sheet.Rows, sheet.odd) {
		for _, p := range bu.bins.rowProblems(row.Request) {
			// What is wrong with a column as a whole is told once.
			if !known[place{row.Line, p.Field}] && !known[place{headerLine, p.Field}] {
				out = append(out, SheetProblem{row.Line, p.Field, p.Reason})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b SheetProblem) int { return a.Line - b.Line })
	return out
}

// headerLine is the line of the names of the columns.
const headerLine = 1

// metadataColumn begins the name of a column that holds metadata.
const metadataColumn = "metadata."

// allowed tells the columns there can be.
const allowed = FieldBIN + ", " + FieldAmount + ", " + FieldLabel + ", " + FieldLimit + ", " + FieldAutoFreeze + ", " +
	FieldCategories + "; metadata is written " + metadataColumn + "team"

// fill puts a cell where its column belongs. known is false for a column that
// means nothing here.
func fill(r *api.CreateCardRequest, column, cell string) (known bool, err error) {
	key, meta := strings.CutPrefix(column, metadataColumn)
	switch {
	case meta && key != "":
		if r.Metadata == nil {
			r.Metadata = make(map[string]string)
		}
		r.Metadata[key] = cell
	case column == FieldBIN:
		r.BIN = api.BINID(cell)
	case column == FieldAmount:
		r.Amount, err = readUSD(cell)
	case column == FieldLabel:
		r.Label = cell
	case column == FieldLimit:
		r.SpendingLimit, err = maybeUSD(cell)
	case column == FieldAutoFreeze:
		r.AutoFreezeAt, err = maybeUSD(cell)
	case column == FieldCategories:
		r.AllowedCategories = strings.FieldsFunc(cell, func(c rune) bool { return strings.ContainsRune(" ;|,", c) })
	default:
		return false, nil
	}
	return true, err
}

func readUSD(cell string) (api.USD, error) {
	u, err := api.ParseUSD(cell)
	if err != nil {
		return 0, errors.New("is no amount: write it such as 1250.00")
	}
	return u, nil
}

func maybeUSD(cell string) (*api.USD, error) {
	u, err := readUSD(cell)
	return &u, err
}

// ReadSheet reads a CSV file. Fields are separated by commas, or by semicolons
// when the header is. What is not filled in is not sent.
func ReadSheet(data []byte) Sheet {
	var s Sheet
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		s.problem(headerLine, "", "the file is UTF-16: save it as CSV UTF-8")
		return s
	}
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord = -1 // Counted here, to go on after a line that is short.
	if head, _, _ := bytes.Cut(data, []byte("\n")); bytes.Count(head, []byte(";")) > bytes.Count(head, []byte(",")) {
		r.Comma = ';'
	}
	header, err := r.Read()
	if err != nil {
		s.problem(headerLine, "", "the file has no header: bin_id,amount,label")
		return s
	}
	s.checkHeader(header)
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		var bad *csv.ParseError
		if errors.As(err, &bad) {
			s.problem(bad.StartLine, "", quoteText(bad))
			continue
		}
		if err != nil {
			s.problem(0, "", err.Error())
			break
		}
		line, _ := r.FieldPos(0)
		if len(s.Rows) >= mostRows {
			s.problem(line, "", fmt.Sprintf("at most %d cards at once", mostRows))
			break
		}
		s.read(header, record, line)
	}
	if len(s.Rows) == 0 && len(s.Problems) == 0 {
		s.problem(headerLine, "", "the file holds no card")
	}
	return s
}

func (s *Sheet) problem(line int, column, text string) {
	s.Problems = append(s.Problems, SheetProblem{line, column, text})
}

// quoteText says what is wrong with the quotes of a line.
func quoteText(e *csv.ParseError) string {
	if errors.Is(e.Err, csv.ErrBareQuote) {
		return "a quote within a field: write the field in quotes and the quote twice"
	}
	return "a quote is not closed"
}

// checkHeader cleans the names of the columns and refuses those that mean
// nothing here: what was meant by them would be lost.
func (s *Sheet) checkHeader(header []string) {
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
			s.problem(headerLine, "", fmt.Sprintf("the column %q is not known: %s", api.Clean(name), allowed))
		case seen[name]:
			s.problem(headerLine, string(api.Clean(name)), "stands twice")
		}
		seen[name] = true
	}
	for _, must := range []string{FieldBIN, FieldAmount} {
		if !seen[must] {
			s.problem(headerLine, must, "the column is missing")
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
func (s *Sheet) read(header, record []string, line int) {
	if strings.TrimSpace(strings.Join(record, "")) == "" {
		return
	}
	if len(record) != len(header) {
		s.problem(line, "", fmt.Sprintf("has %s, the header %d", plural(len(record), "field", "fields"), len(header)))
		return
	}
	before := len(s.Problems)
	row := IssueRow{Line: line}
	for i, column := range header {
		cell := record[i]
		if column != FieldLabel {
			cell = strings.TrimSpace(cell)
		}
		switch {
		case cell != "":
			if _, err := fill(&row.Request, column, cell); err != nil {
				s.problem(line, column, fmt.Sprintf("%q %v", api.Clean(cell), err))
			}
		case column == FieldBIN || column == FieldAmount:
			s.problem(line, column, "is missing")
		}
	}
	// Without its column a row lacks what the header has told of.
	whole := slices.Contains(header, FieldBIN) && slices.Contains(header, FieldAmount)
	if len(s.Problems) > before || !whole {
		s.odd = append(s.odd, row)
		return
	}
	s.Rows = append(s.Rows, row)
}
