package hub

import (
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/cardtop/cardtop/api"
)

// word returns a parameter that has to be one of some, or absent.
func word(q url.Values, name string, allowed ...string) (string, error) {
	v := q.Get(name)
	if !q.Has(name) || slices.Contains(allowed, v) {
		return v, nil
	}
	return "", invalid(name + " has no such value")
}

// page is a part of a list.
type page struct{ number, size int }

// pageOf returns which page is asked for.
func pageOf(q url.Values, size int) (page, error) {
	p := page{1, size}
	var err error
	if p.number, err = count(q, "page", 1, 1_000_000_000); err != nil {
		return p, err
	}
	p.size, err = count(q, "per_page", size, api.MaxPerPage)
	return p, err
}

func count(q url.Values, name string, otherwise, most int) (int, error) {
	if !q.Has(name) {
		return otherwise, nil
	}
	n, err := strconv.Atoi(q.Get(name))
	if err != nil || n < 1 || n > most {
		return 0, invalid(name + " is not a number from 1 to " + strconv.Itoa(most))
	}
	return n, nil
}

// cut returns the rows of the page.
func cut[T any](p page, rows []T) []T {
	start := min((p.number-1)*p.size, len(rows))
	return rows[start:min(start+p.size, len(rows))]
}

// moment parses a date or a time of ISO 8601. A plain date is the beginning of the day,
// or its end.
func moment(q url.Values, name string, end bool) (time.Time, error) {
	text := q.Get(name)
	if !q.Has(name) || text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), nil
		}
	}
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return time.Time{}, invalid(name + " is not a date or time of ISO 8601")
	}
	if end {
		t = t.AddDate(0, 0, 1).Add(-time.Nanosecond)
	}
	return t, nil
}

// amount parses an amount, USD; nil for none.
func amount(q url.Values, name string) (*api.USD, error) {
	if !q.Has(name) || q.Get(name) == "" {
		return nil, nil //nolint:nilnil // an absent amount is no error
	}
	u, err := api.ParseUSD(q.Get(name))
	if err != nil {
		return nil, invalid(name + " is not an amount")
	}
	return &u, nil
}

// stamp writes a time; null for none.
func stamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(time.RFC3339Nano)
}
