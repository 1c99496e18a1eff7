package wire

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

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
