// Package query is the small language that lists are filtered by: terms that
// all have to hold, such as `bal<20 status=active label~fb !2039`.
//
// A term is a word that is to be found anywhere, or a field, an operator and
// a value: = and != for all, ~ (holds) for text, < <= > >= for amounts in USD
// and for ages such as 90m or 2h30m, the same but = for figures. An exclamation
// mark negates a term, commas separate values of which one is enough, double
// quotes enclose blanks and operators in a value. A term in slashes,
// /fb.*0[1-3]/, is a regular expression for what a word is looked for in, and so
// is a value of ~. Letters count as the same in both cases.
package query

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
)

// Field is what a term can compare of a row. Exactly one of Text, Word, Money, Age
// and Figure is set.
type Field[T any] struct {
	// Name is how terms call it, Also other names.
	Name string
	Also []string
	// Text returns lower-case text.
	Text func(T) string
	// Word returns one of Words, in lower case; a beginning of one is enough. Alike is the word
	// that another means, such as that of the API; nil where there are no others.
	Word  func(T) string
	Words []string
	Alike func(value string) string
	// Money returns USD; false where it is in another currency.
	Money func(T) (amount api.USD, inUSD bool)
	// Age returns how long ago something was; false when it never was, which is
	// longer ago than anything.
	Age func(T) (time.Duration, bool)
	// Figure returns a number of a unit. It changes with the time.
	Figure func(T) Figure
	Unit   Unit
}

// Language is the fields of one list.
type Language[T any] struct {
	Fields []Field[T]
	// Holds reports whether what a term without a field looks for is anywhere in a
	// row.
	Holds func(row T, want *Needle) bool
	// In are the words of the language that hints and errors are in; nil for English.
	In *lang.Words
}

// Words is the language of lists that have no fields: of each row only its
// text is asked, in lower case.
func Words() Language[string] {
	return Language[string]{Holds: func(text string, want *Needle) bool { return want.In(text) }}
}

// Query is a parsed filter. The zero value matches every row.
type Query[T any] struct {
	terms []term[T]
	timed bool
	slow  bool
	// hint is what a term still needs that is being typed.
	hint string
}

// term is one condition.
type term[T any] struct {
	// source identifies a term: what was typed, in lower case unless it is an
	// expression.
	source string
	// word is what a term without a field and without ! looks for.
	word  string
	match func(T) bool
	// field is the one that is asked, ask what, where others can be asked it.
	field string
	ask   *Ask
}

// Ask is a parsed term, for what can evaluate it without the rows:
// one of a field, without ! and not an expression. Values, in lower case, are of
// text and words, and one of them is enough.
type Ask struct {
	Field, Op string
	Values    []string
	Amount    api.USD
	Age       time.Duration
	bound     int64 // of a figure
	expr      *regexp.Regexp
}

// Asks returns the terms that can be evaluated without the rows.
func (q *Query[T]) Asks() []Ask {
	var out []Ask
	for i := range q.terms {
		if ask := q.terms[i].ask; ask != nil {
			out = append(out, *ask)
		}
	}
	return out
}

// About returns the terms of some fields alone.
func (q *Query[T]) About(fields ...string) Query[T] {
	return q.only(func(field string) bool { return slices.Contains(fields, field) })
}

// Without returns the terms of all fields but some.
func (q *Query[T]) Without(fields ...string) Query[T] {
	return q.only(func(field string) bool { return !slices.Contains(fields, field) })
}

func (q *Query[T]) only(wanted func(field string) bool) (out Query[T]) {
	for _, t := range q.terms {
		if wanted(t.field) {
			out.terms = append(out.terms, t)
		}
	}
	return out
}

// Match reports whether a row holds every term.
func (q *Query[T]) Match(row T) bool {
	for i := range q.terms {
		if !q.terms[i].match(row) {
			return false
		}
	}
	return true
}

// All reports whether every row matches.
func (q *Query[T]) All() bool { return len(q.terms) == 0 }

// Timed reports whether what matches changes with the time alone.
func (q *Query[T]) Timed() bool { return q.timed }

// Slow reports whether a term is an expression: a row takes ten times as long as
// one of a word.
func (q *Query[T]) Slow() bool { return q.slow }

// Hint returns what the term being typed needs; empty when all are complete.
func (q *Query[T]) Hint() string { return q.hint }

// Narrows reports whether every match matches the other query as well: then only
// those rows need to be tested. It may report false for such a query.
func (q *Query[T]) Narrows(other *Query[T]) bool {
	for i := range other.terms {
		if !q.implies(&other.terms[i]) {
			return false
		}
	}
	return true
}

func (q *Query[T]) implies(t *term[T]) bool {
	for i := range q.terms {
		own := &q.terms[i]
		if own.source == t.source || t.word != "" && strings.Contains(own.word, t.word) {
			return true
		}
	}
	return false
}

// Error is which part of the text is wrong, in bytes, and why, in a
// few words with an example.
type Error struct {
	From, To int
	Text     string
	// Hint is what belongs there, while it is typed.
	Hint string
}

func (e *Error) Error() string { return e.Text }

// Asked reports whether a term is about one of some fields.
func (q *Query[T]) Asked(fields ...string) bool {
	return slices.ContainsFunc(q.terms, func(t term[T]) bool { return slices.Contains(fields, t.field) })
}

// Anywhere reports whether a term is about no field: it looks in all texts of a
// row.
func (q *Query[T]) Anywhere() bool { return q.Asked("") }

// Suggestion is a text that a filter may go on as.
type Suggestion struct {
	// Text is the whole filter with its last term completed.
	Text string
	// About describes the field that the term is of.
	About string
	// Open reports whether something has to follow: a value.
	Open bool
}

// Suggest returns what the last term of a filter may become: names of fields with
// their usual operator, or values of the field that is named. values are those
// that rows have for a field by its name, where they are known.
func (l *Language[T]) Suggest(text string, values func(field string) []string) []Suggestion {
	before, last := text, ""
	if all := tokens(text); len(all) > 0 && all[len(all)-1].to == len(text) {
		last = all[len(all)-1].text
		before = text[:len(text)-len(last)]
	}
	rest, not := strings.CutPrefix(last, "!")
	if not {
		before += "!"
	}
	name, op, value := split(rest)
	if op == "" {
		return l.suggestFields(before, strings.ToLower(rest))
	}
	f, ok := l.field(strings.ToLower(name))
	if !ok || f.Text == nil && f.Word == nil || f.takes(l.In, strings.TrimPrefix(op, "!")) != "" {
		return nil
	}
	known := f.Words
	if f.Text != nil {
		known = values(f.Name)
	}
	return suggestValues(before+name+op, value, f.about(l.In), known)
}

// suggestFields are the fields whose names begin with a text.
func (l *Language[T]) suggestFields(before, begin string) []Suggestion {
	var out []Suggestion
	for i := range l.Fields {
		f := &l.Fields[i]
		for _, name := range append([]string{f.Name}, f.Also...) {
			if !strings.HasPrefix(name, begin) || name != f.Name && begin == "" {
				continue
			}
			op := "<"
			switch {
			case f.Word != nil:
				op = "="
			case f.Text != nil:
				op = "~"
			}
			out = append(out, Suggestion{before + name + op, f.about(l.In), true})
		}
	}
	return out
}

// suggestValues are the values that go on as the last of those that commas separate.
func suggestValues(before, value, about string, known []string) []Suggestion {
	if at := strings.LastIndexByte(value, ','); at >= 0 && strings.Count(value[:at], `"`)%2 == 0 {
		before, value = before+value[:at+1], value[at+1:]
	}
	begin, quoted := strings.CutPrefix(strings.ToLower(value), `"`)
	var out []Suggestion
	for _, v := range known {
		if !strings.HasPrefix(strings.ToLower(v), begin) || strings.Contains(v, `"`) {
			continue
		}
		if quoted || strings.HasPrefix(v, "/") || strings.ContainsAny(v, " ,") {
			v = `"` + v + `"`
		}
		out = append(out, Suggestion{Text: before + v, About: about})
	}
	return out
}
