package state

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cardcsv"
)

// LabelParts is what a label is made of.
type LabelParts struct {
	// N is the card's number, Label and Last4 what it is called now. A card
	// that is not issued yet has the number only.
	N            int
	Label, Last4 string
	// New says that the card is not issued yet.
	New bool
}

// Label fills a template: {n} is the number, {n:02} the number with at least
// two digits, {label} the label so far, {last4} the last digits.
func Label(template string, p LabelParts) (string, error) {
	var b strings.Builder
	rest := template
	for {
		text, after, found := strings.Cut(rest, "{")
		b.WriteString(text)
		if !found {
			return b.String(), nil
		}
		name, tail, closed := strings.Cut(after, "}")
		if !closed {
			return "", fmt.Errorf("{%s has no closing }", after)
		}
		value, ok := p.value(name)
		if !ok {
			return "", fmt.Errorf("{%s} is not known: {n}, {n:02}%s are", name, p.others())
		}
		b.WriteString(value)
		rest = tail
	}
}

func (p LabelParts) others() string {
	if p.New {
		return ""
	}
	return ", {label}, {last4}"
}

func (p LabelParts) value(name string) (string, bool) {
	digits, padded := strings.CutPrefix(name, "n:0")
	switch {
	case name == "n":
		return strconv.Itoa(p.N), true
	case padded && len(digits) == 1 && digits >= "1" && digits <= "9":
		return fmt.Sprintf("%0*d", int(digits[0]-'0'), p.N), true
	case name == "label" && !p.New:
		return p.Label, true
	case name == "last4" && !p.New:
		return p.Last4, true
	}
	return "", false
}

// IssueTemplate describes cards that differ by their number only.
type IssueTemplate struct {
	// Request is what they have in common; its label is the template.
	Request api.CreateCardRequest
	Count   int
	// Start is the first card's number.
	Start int
}

// Rows makes the requests.
func (t IssueTemplate) Rows() ([]IssueRow, error) {
	switch {
	case t.Count < 1:
		return nil, errors.New("at least one card")
	case t.Count > cardcsv.MaxRows:
		return nil, fmt.Errorf("at most %d cards at once", cardcsv.MaxRows)
	}
	rows := make([]IssueRow, 0, t.Count)
	for i := range t.Count {
		r := t.Request
		label, err := Label(t.Request.Label, LabelParts{N: t.Start + i, New: true})
		if err != nil {
			return nil, err
		}
		r.Label = label
		rows = append(rows, IssueRow{Request: r})
	}
	return rows, nil
}

// FetchSheet reads a file of cards to be issued.
type FetchSheet struct {
	Seq  Seq
	Path string
}

func (FetchSheet) effect() {}

// SheetLoaded is a file of cards to be issued, or why it could not be read.
type SheetLoaded struct {
	FetchSheet
	Meta
	Sheet cardcsv.File
	Err   error
}

func (ev SheetLoaded) apply(s *Store) (Topic, []Effect) { return s.Bulk.sheetLoaded(ev), nil }

// LoadSheet asks to read a file of cards to be issued.
type LoadSheet struct{ Path string }

func (LoadSheet) check(*Store) Verdict { return Verdict{} }

func (in LoadSheet) start(s *Store) (Topic, []Effect) { return TopicOps, s.Bulk.loadSheet(in.Path) }

// SheetFile is the file of cards to be issued that was asked for last.
type SheetFile struct {
	Path    string
	Loading bool
	Sheet   cardcsv.File
	// Problems are all that is wrong with it, by what is known now.
	Problems []cardcsv.Problem
	// Err tells why it could not be read.
	Err error

	seq Seq
}

// Sheet is the file that was asked for last.
func (bu *BulkTable) Sheet() SheetFile { return bu.sheet }

func (bu *BulkTable) loadSheet(path string) []Effect {
	bu.sheet = SheetFile{Path: path, Loading: true, seq: bu.nextSeq()}
	return []Effect{FetchSheet{Seq: bu.sheet.seq, Path: path}}
}

func (bu *BulkTable) sheetLoaded(ev SheetLoaded) Topic {
	if ev.Seq != bu.sheet.seq {
		return 0
	}
	bu.sheet.Loading, bu.sheet.Sheet, bu.sheet.Err = false, ev.Sheet, ev.Err
	bu.judgeSheet()
	return TopicOps
}

// judgeSheet looks for what is wrong with the file, which may be long: when it
// was read, and when the BINs or the guardrails are others.
func (bu *BulkTable) judgeSheet() { bu.sheet.Problems = bu.sheetProblems(bu.sheet.Sheet) }

// sheetProblems lists all that is wrong with a sheet, line by line: what cannot
// be read, and what the rows ask for that cannot be had. What they take
// together is for their plan to tell.
func (bu *BulkTable) sheetProblems(sheet cardcsv.File) []cardcsv.Problem {
	type place struct {
		line   int
		column string
	}
	known := make(map[place]bool)
	out := slices.Clone(sheet.Problems)
	for _, p := range out {
		known[place{p.Line, p.Column}] = true
	}
	for _, row := range slices.Concat(sheet.Rows, sheet.Incomplete) {
		for _, p := range bu.bins.rowProblems(row.Request) {
			// What is wrong with a column as a whole is told once.
			if !known[place{row.Line, p.Field}] && !known[place{cardcsv.HeaderLine, p.Field}] {
				out = append(out, cardcsv.Problem{Line: row.Line, Column: p.Field, Text: p.Reason})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b cardcsv.Problem) int { return a.Line - b.Line })
	return out
}
