package wire

import (
	"bytes"
	"encoding/json"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// Form reads the fields of a JSON request body. A method that reads an optional
// field reports whether it is there. After a wrong field the others can still be
// read, so that callers check Err once.
type Form struct {
	fields map[string]json.RawMessage
	Err    error // of the first wrong field; nil or an *Error
}

// ParseForm parses a body, which has to be one JSON object. An empty body is an
// empty object.
func ParseForm(body []byte) (*Form, error) {
	body = bytes.TrimLeft(body, " \t\r\n")
	f := &Form{fields: map[string]json.RawMessage{}}
	if len(body) == 0 {
		return f, nil
	}
	if !utf8.Valid(body) || !json.Valid(body) {
		return nil, Invalid("the body is not valid JSON")
	}
	if body[0] != '{' {
		return nil, Invalid("the body must be a JSON object")
	}
	if err := json.Unmarshal(body, &f.fields); err != nil {
		return nil, Invalid("the body is not valid JSON")
	}
	return f, nil
}

// Fail sets Err to a validation error, unless it is set.
func (f *Form) Fail(format string, args ...any) {
	if f.Err == nil {
		f.Err = Invalid(format, args...)
	}
}

// Raw returns the JSON of a field. null counts as absent.
func (f *Form) Raw(name string) (json.RawMessage, bool) {
	value, set := f.fields[name]
	if !set || string(value) == "null" {
		return nil, false
	}
	return value, true
}

// Text returns a string.
func (f *Form) Text(name string) (string, bool) {
	raw, set := f.Raw(name)
	if !set {
		return "", false
	}
	var value string
	if json.Unmarshal(raw, &value) != nil {
		f.Fail("%s must be a string", name)
	}
	return value, true
}

// RequiredText returns a string that must be there and not be empty.
func (f *Form) RequiredText(name string) string {
	value, set := f.Text(name)
	switch {
	case !set:
		f.Fail("%s is required", name)
	case value == "":
		f.Fail("%s must not be empty", name)
	}
	return value
}

// Texts returns an array of strings that are not empty.
func (f *Form) Texts(name string) ([]string, bool) {
	raw, set := f.Raw(name)
	if !set {
		return nil, false
	}
	var values []*string
	if json.Unmarshal(raw, &values) != nil {
		f.Fail("%s must be an array of strings", name)
		return nil, true
	}
	list := make([]string, 0, len(values))
	for _, v := range values {
		if v == nil || *v == "" {
			f.Fail("%s must hold strings that are not empty", name)
			return nil, true
		}
		list = append(list, *v)
	}
	return list, true
}

// Bool returns true or false, which is also what is not there.
func (f *Form) Bool(name string) bool {
	raw, _ := f.Raw(name)
	switch string(raw) {
	case "true":
		return true
	case "", "false":
	default:
		f.Fail("%s must be true or false", name)
	}
	return false
}

// Money returns an amount of USD between least and most, both included, with at
// most two decimals (ASSUMED 3).
func (f *Form) Money(name string, least, most unit.Cents) (unit.Cents, bool) {
	raw, set := f.Raw(name)
	if !set {
		return 0, false
	}
	value, exact, err := unit.ParseCents(string(raw))
	if err != nil {
		f.Fail("%s must be a number", name)
		return 0, true
	}
	switch {
	case value < least, value > most, value == most && !exact:
		f.Fail("%s must be between %s and %s", name, least.Fixed(), most.Fixed())
	case !exact:
		f.Fail("%s must have at most two decimals", name)
	}
	return value, true
}

// RequiredMoney is Money for a field that must be there.
func (f *Form) RequiredMoney(name string, least, most unit.Cents) unit.Cents {
	value, set := f.Money(name, least, most)
	if !set {
		f.Fail("%s is required", name)
	}
	return value
}

// Integer returns an integer between least and most, both included.
func (f *Form) Integer(name string, least, most int64) (int64, bool) {
	raw, set := f.Raw(name)
	if !set {
		return 0, false
	}
	value, exact, err := unit.ParseCents(string(raw))
	if err != nil {
		f.Fail("%s must be a number", name)
		return 0, true
	}
	if !exact || value%100 != 0 || int64(value/100) < least || int64(value/100) > most {
		f.Fail("%s must be a whole number from %d to %d", name, least, most)
	}
	return int64(value / 100), true
}

// Query reads the parameters of a list. Unknown ones are ignored (ASSUMED 12).
type Query struct {
	values url.Values
	Err    error // of the first wrong parameter; nil or an *Error
}

// ParseQuery parses the query of a URL.
func ParseQuery(raw string) (*Query, error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, Invalid("the query is malformed")
	}
	return &Query{values: values}, nil
}

func (q *Query) fail(format string, args ...any) {
	if q.Err == nil {
		q.Err = Invalid(format, args...)
	}
}

// Text returns a parameter; empty means no filter.
func (q *Query) Text(name string) string { return q.values.Get(name) }

// Choice returns a parameter that must be one of the known values; without it,
// the first of them.
func (q *Query) Choice(name string, known ...string) string {
	value := q.Text(name)
	if !q.values.Has(name) {
		return known[0]
	}
	if value == "" || !slices.Contains(known, value) {
		q.fail("%s must be one of %s", name, strings.Join(slices.DeleteFunc(known, isEmpty), ", "))
	}
	return value
}

func isEmpty(s string) bool { return s == "" }

func (q *Query) integer(name string, standard, least, most int64) int64 {
	text := q.Text(name)
	if !q.values.Has(name) {
		return standard
	}
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil || value < least || value > most {
		q.fail("%s must be a whole number from %d to %d", name, least, most)
		return standard
	}
	return value
}

// Page is the page of a list that a request asks for.
type Page struct {
	Number, Size int64
}

// maxPage bounds the product of page and size to 64 bits.
const maxPage = math.MaxInt32

// Page returns the page of a list that has standardSize rows a page by default.
func (q *Query) Page(standardSize int64) Page {
	return Page{
		Number: q.integer("page", 1, 1, maxPage),
		Size:   q.integer("per_page", standardSize, 1, 100),
	}
}

// Offset returns how many rows are before the page.
func (p Page) Offset() int64 { return (p.Number - 1) * p.Size }

// Least returns a lower bound of signed amounts (ASSUMED 15), rounded up to whole
// cents.
func (q *Query) Least(name string) (unit.Cents, bool) {
	value, exact, set := q.money(name)
	if set && !exact {
		value++
	}
	return value, set
}

// Most returns an upper bound of signed amounts, rounded down to whole cents.
func (q *Query) Most(name string) (unit.Cents, bool) {
	value, _, set := q.money(name)
	return value, set
}

func (q *Query) money(name string) (value unit.Cents, exact, set bool) {
	text := q.Text(name)
	if !q.values.Has(name) {
		return 0, false, false
	}
	value, exact, err := unit.ParseCents(text)
	if err != nil {
		q.fail("%s must be a number", name)
		return 0, false, false
	}
	if value < -unit.MostCents || value > unit.MostCents {
		q.fail("%s must be between %s and %s", name, (-unit.MostCents).Fixed(), unit.MostCents.Fixed())
	}
	return value, exact, true
}

// From returns the first instant of a range, rounded up to milliseconds.
func (q *Query) From(name string) (unit.Instant, bool) {
	at, _, later, set := q.instant(name)
	if later {
		at++
	}
	return at, set
}

// To returns the last instant of a range; a plain date is the end of that day.
func (q *Query) To(name string) (unit.Instant, bool) {
	at, wholeDay, _, set := q.instant(name)
	if wholeDay {
		at += unit.Day - 1
	}
	return at, set
}

func (q *Query) instant(name string) (at unit.Instant, wholeDay, later, set bool) {
	text := q.Text(name)
	if !q.values.Has(name) {
		return 0, false, false, false
	}
	at, wholeDay, later, err := unit.ParseInstant(text)
	if err != nil {
		q.fail("%s must be an ISO 8601 date or timestamp", name)
		return 0, false, false, false
	}
	return at, wholeDay, later, true
}
