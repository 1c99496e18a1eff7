package sandbox

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// query reads the parameters of a list. Unknown ones are ignored (ASSUMED 12);
// the first that is wrong is kept in err.
type query struct {
	values url.Values
	err    error
}

func parseQuery(raw string) (*query, error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, invalid("the query is malformed")
	}
	return &query{values: values}, nil
}

func (q *query) fail(format string, args ...any) {
	if q.err == nil {
		q.err = invalid(format, args...)
	}
}

// text reads a filter of free text, where empty is none.
func (q *query) text(name string) string { return q.values.Get(name) }

// choice reads one of the known values, or the first when there is none.
func (q *query) choice(name string, known ...string) string {
	value := q.text(name)
	if !q.values.Has(name) {
		return known[0]
	}
	if value == "" || !slices.Contains(known, value) {
		q.fail("%s must be one of %s", name, strings.Join(slices.DeleteFunc(known, isEmpty), ", "))
	}
	return value
}

func isEmpty(s string) bool { return s == "" }

func (q *query) integer(name string, standard, least, most int64) int64 {
	text := q.text(name)
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

// page is the part of a list that a request asks for.
type page struct {
	number, size int64
}

// maxPage keeps the product of page and size inside 64 bits.
const maxPage = math.MaxInt32

func (q *query) page(standardSize int64) page {
	return page{
		number: q.integer("page", 1, 1, maxPage),
		size:   q.integer("per_page", standardSize, 1, 100),
	}
}

func (p page) offset() int64 { return (p.number - 1) * p.size }

// least reads a lower bound of signed amounts (ASSUMED 15): the smallest amount
// of whole cents that reaches it.
func (q *query) least(name string) (unit.Cents, bool) {
	value, exact, set := q.money(name)
	if set && !exact {
		value++
	}
	return value, set
}

// most reads an upper bound of amounts.
func (q *query) most(name string) (unit.Cents, bool) {
	value, _, set := q.money(name)
	return value, set
}

func (q *query) money(name string) (value unit.Cents, exact, set bool) {
	text := q.text(name)
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

// from reads the first instant of a range.
func (q *query) from(name string) (unit.Instant, bool) {
	at, _, later, set := q.instant(name)
	if later {
		at++
	}
	return at, set
}

// to reads the last instant of a range; a plain date is that day to its end.
func (q *query) to(name string) (unit.Instant, bool) {
	at, wholeDay, _, set := q.instant(name)
	if wholeDay {
		at += unit.Day - 1
	}
	return at, set
}

func (q *query) instant(name string) (at unit.Instant, wholeDay, later, set bool) {
	text := q.text(name)
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
