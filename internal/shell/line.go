package shell

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Line is a shell line with fields in braces, compiled. The value of a field
// comes from outside and is never part of what the shell parses: the line names
// a variable, quoted for its place, and a shell does not parse again what a
// variable holds. So no label can end a quotation, start a command or become
// two words.
type Line struct {
	// Fields are the names in braces, each once.
	Fields []string
	text   string
}

// fieldAt is a name in braces; in doubled ones it is text.
var fieldAt = regexp.MustCompile(`^(?:\{\{([A-Za-z][A-Za-z0-9_]*)\}\}|\{([A-Za-z][A-Za-z0-9_]*)\})`)

// caseWithin is what quoting cannot parse: a parenthesis that closes a pattern
// and not the one that is open.
var caseWithin = regexp.MustCompile(`(?s)\$\(.*\bcase\b`)

// variable is the name of the variable of a field.
func variable(field string) string { return "cardtop_" + field }

// Compile compiles a line. It refuses fields in what a shell parses twice, or
// where shells differ.
func Compile(text string) (Line, error) {
	var (
		line Line
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
				return Line{}, fmt.Errorf("has the field {%s} within %s: put it outside, or in $( )", m[2], in.refused())
			}
			out.WriteString(word)
			if !slices.Contains(line.Fields, m[2]) {
				line.Fields = append(line.Fields, m[2])
			}
		}
		rest = rest[len(m[0]):]
	}
	line.text = out.String()
	if len(line.Fields) > 0 && caseWithin.MatchString(text) {
		return Line{}, errors.New("has a field within case in $( ): put it into a script")
	}
	return line, nil
}

// quoting is what is open at a place of a shell line, each by what closes it,
// the innermost last.
type quoting []string

// The parts of a line that refuse fields, by what closes them.
const (
	arithmetic = "))" // is evaluated, and bash runs what an index holds
	backticks  = "`"  // are unquoted once more
	expansion  = "}"  // ${NAME:-WORD}
	escapes    = "$'" // are no quotation to some shells
)

func (q quoting) top() string {
	if len(q) == 0 {
		return ""
	}
	return q[len(q)-1]
}

// step parses the next token of the line and returns its length in bytes.
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

// word returns a reference to a variable that is one word, or a part of one, at
// this place.
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

// refused returns the part that refuses fields here; empty for none.
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
