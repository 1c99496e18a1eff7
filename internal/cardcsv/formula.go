package cardcsv

import (
	"strings"
	"unicode/utf8"
)

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
