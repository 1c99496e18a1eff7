package config

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// shellLine is a line with fields in braces, made ready for a shell. What a
// field holds comes from outside and is never part of the line that the shell
// reads: the line names a variable, quoted for where it stands, and shells do
// not read again what a variable holds. So no label can end a quotation, begin
// a command or become two words.
type shellLine struct {
	text   string
	fields []string // each once
}

// fieldAt is a name in braces; in doubled ones it is text.
var fieldAt = regexp.MustCompile(`^(?:\{\{([A-Za-z][A-Za-z0-9_]*)\}\}|\{([A-Za-z][A-Za-z0-9_]*)\})`)

// caseWithin is what the quoting below does not follow: a parenthesis that
// closes a pattern, and not the one that is open.
var caseWithin = regexp.MustCompile(`(?s)\$\(.*\bcase\b`)

// variable is what a shell calls a field.
func variable(field string) string { return "cardtop_" + field }

// compileLine makes a line ready. It refuses fields within what a shell reads
// twice, or what shells do not agree about.
func compileLine(text string) (shellLine, error) {
	var (
		line shellLine
		out  strings.Builder
		in   quoting
	)
	for rest := text; rest != ""; {
		m := fieldAt.FindStringSubmatch(rest)
		switch {
		case m == nil || strings.HasSuffix(text[:len(text)-len(rest)], "$"): // ${NAME} is the shell's.
			n := in.step(rest)
			out.WriteString(rest[:n])
			rest = rest[n:]
			continue
		case m[1] != "":
			out.WriteString("{" + m[1] + "}")
		default:
			word, ok := in.word(variable(m[2]))
			if !ok {
				return shellLine{}, fmt.Errorf("has the field {%s} within %s: put it outside, or in $( )", m[2], in.refused())
			}
			out.WriteString(word)
			if !slices.Contains(line.fields, m[2]) {
				line.fields = append(line.fields, m[2])
			}
		}
		rest = rest[len(m[0]):]
	}
	line.text = out.String()
	if len(line.fields) > 0 && caseWithin.MatchString(text) {
		return shellLine{}, errors.New("has a field within case in $( ): put it into a script")
	}
	return line, nil
}

// quoting is what is open at a place of a shell line, the innermost last, by
// what closes it.
type quoting []string

// The parts of a line that a field cannot be within, by what closes them.
const (
	arithmetic = "))" // is computed, and bash runs what an index holds
	backticks  = "`"  // are unquoted once more
	expansion  = "}"  // ${NAME:-WORD}
	escapes    = "$'" // are for some shells no quotation of their own
)

func (q quoting) top() string {
	if len(q) == 0 {
		return ""
	}
	return q[len(q)-1]
}

// step takes what is next in the line, and gives how many bytes that is.
func (q *quoting) step(rest string) int {
	top := q.top()
	opens := func(with, closes string) bool {
		if !strings.HasPrefix(rest, with) {
			return false
		}
		*q = append(*q, closes)
		return true
	}
	if top == "'" || top == escapes {
		switch {
		case rest[0] == '\'':
			*q = (*q)[:len(*q)-1]
		case rest[0] == '\\' && top == escapes:
			return min(2, len(rest))
		}
		return 1
	}
	switch {
	case rest[0] == '\\':
		return min(2, len(rest))
	case top != "" && strings.HasPrefix(rest, top):
		*q = (*q)[:len(*q)-1]
		return len(top)
	case opens("$((", arithmetic):
		return 3
	case opens("$(", ")"), opens("${", expansion), top != `"` && opens("((", arithmetic):
		return 2
	case opens("`", backticks), opens(`"`, `"`), top == `"`:
		return 1
	case opens("$'", escapes):
		return 2
	case opens("'", "'"), opens("(", ")"):
	}
	return 1
}

// word refers to a variable so that it is one word, or a part of one, where
// the line has come to.
func (q quoting) word(variable string) (word string, ok bool) {
	ref := "${" + variable + "}"
	switch {
	case q.refused() != "":
		return "", false
	case q.top() == `"`:
		return ref, true
	case q.top() == "'":
		return `'"` + ref + `"'`, true
	default:
		return `"` + ref + `"`, true
	}
}

// refused is what a field cannot be within; empty where it can be.
func (q quoting) refused() string {
	for _, open := range q {
		switch open {
		case arithmetic:
			return "(( ))"
		case backticks:
			return "` `"
		case expansion:
			return "${ }"
		case escapes:
			return "$' '"
		}
	}
	return ""
}
