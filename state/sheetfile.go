package state

import (
	"slices"

	"github.com/cardtop/cardtop/internal/cardcsv"
)

// LoadSheet asks to read a file of cards to be issued.
type LoadSheet struct{ Path string }

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
