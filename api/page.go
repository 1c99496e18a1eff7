package api

import (
	"context"
	"encoding/json"
	"iter"
	"net/url"
	"strconv"
)

// Pagination is the place of a page in its list. A field that the list does not have
// is 0: lists of transactions have no TotalPages, other lists have none of them.
type Pagination struct {
	Page       int `json:"page"`
	PerPage    int `json:"per_page"`
	Total      int `json:"total"`
	TotalPages int `json:"total_pages"`
}

// Page is one page of a list.
type Page[T any] struct {
	Data       []T        `json:"data"`
	Pagination Pagination `json:"pagination"`
}

// UnmarshalJSON decodes a page. A body without data is an error, not an empty list:
// otherwise an answer of another shape would look as if everything were gone.
func (p *Page[T]) UnmarshalJSON(b []byte) error {
	var w struct {
		Data       *[]T       `json:"data"`
		Pagination Pagination `json:"pagination"`
	}
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	if w.Data == nil {
		return errMissing("list", "data")
	}
	p.Data, p.Pagination = *w.Data, w.Pagination
	return nil
}

// MaxPerPage is the longest page of the paginated lists (contract, Limits).
const MaxPerPage = 100

// maxPages bounds an iteration over pages, against a server that never ends it. It is
// the budget of an hour.
const maxPages = 10_000

// pages iterates over pages, beginning with first. It ends after the last page by the
// server's count; without a count, after a short page; always after an empty page or
// one with another number than requested. Rows that move between pages meanwhile may
// come twice or not at all: callers identify them by id.
func pages[T any](first, perPage int, fetch func(page int) (Page[T], error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		first = max(first, 1)
		for page := first; page < first+maxPages; page++ {
			p, err := fetch(page)
			if err != nil {
				var zero T
				yield(zero, err)
				return
			}
			if at := p.Pagination.Page; at != 0 && at != page {
				return
			}
			for _, row := range p.Data {
				if !yield(row, nil) {
					return
				}
			}
			if isLast(p, page, perPage) {
				return
			}
		}
	}
}

func isLast[T any](p Page[T], page, perPage int) bool {
	n := p.Pagination
	if n.PerPage > 0 {
		perPage = n.PerPage
	}
	switch {
	case len(p.Data) == 0:
		return true
	case n.TotalPages > 0:
		return page >= n.TotalPages
	case n.Total > 0:
		return page*perPage >= n.Total
	}
	return len(p.Data) < perPage
}

// setPage sets page and per_page in a query; 0 is the service's default.
func setPage(q url.Values, page, perPage int) error {
	if page < 0 {
		return invalid("page is below 1")
	}
	if perPage < 0 || perPage > MaxPerPage {
		return invalid("per_page is not in 1-%d", MaxPerPage)
	}
	if page > 0 {
		q.Set("page", strconv.Itoa(page))
	}
	if perPage > 0 {
		q.Set("per_page", strconv.Itoa(perPage))
	}
	return nil
}

// set sets a query parameter unless it is empty.
func set[T ~string](q url.Values, name string, value T) {
	if value != "" {
		q.Set(name, string(value))
	}
}

// oneOf returns an error for a value outside its enumeration; "" is not set.
func oneOf[T ~string](name string, value T, allowed ...T) error {
	if value == "" {
		return nil
	}
	for _, a := range allowed {
		if a == value {
			return nil
		}
	}
	return invalid("%s has no value %q", name, string(value))
}

// list requests a list without pagination.
func list[T any](ctx context.Context, c *Client, r request) ([]T, error) {
	p, err := get[Page[T]](ctx, c, r)
	return p.Data, err
}

// firstError returns the first error unchanged: errors.Join would hide its type from a
// plain assertion.
func firstError(problems ...error) error {
	for _, err := range problems {
		if err != nil {
			return err
		}
	}
	return nil
}
