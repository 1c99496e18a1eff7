package api

import (
	"context"
	"encoding/json"
	"iter"
	"net/url"
	"strconv"
)

// Pagination places a page in its list. A field that the list does not have
// is 0: lists of transactions have no TotalPages, other lists have nothing.
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

// UnmarshalJSON decodes a page. A body without data is not an empty list: an
// answer of another shape must not look as if everything were gone.
func (p *Page[T]) UnmarshalJSON(b []byte) error {
	var w struct {
		Data       *[]T       `json:"data"`
		Pagination Pagination `json:"pagination"`
	}
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	if w.Data == nil {
		return missing("list", "data")
	}
	p.Data, p.Pagination = *w.Data, w.Pagination
	return nil
}

// MaxPerPage is the longest page of the paginated lists (contract, Limits).
const MaxPerPage = 100

// maxPages ends an iteration that a server would keep going for ever. It is
// the hour's whole budget of requests.
const maxPages = 10_000

// pages reads page after page, from the first one asked for. It ends after
// the last page that the server counts; when the server counts none, after a
// short page; always after an empty page or one that is not the page asked
// for. Rows that move between pages while they are read may come twice or
// not at all: callers key them by id.
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
			if last(p, page, perPage) {
				return
			}
		}
	}
}

func last[T any](p Page[T], page, perPage int) bool {
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

// setPage writes page and per_page into a query; 0 leaves the default.
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

// set writes a query parameter unless it is empty.
func set[T ~string](q url.Values, name string, value T) {
	if value != "" {
		q.Set(name, string(value))
	}
}

// oneOf refuses a value outside its enumeration; empty means not set.
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

// list reads a list that is not paginated (contract: pagination not shown).
func list[T any](ctx context.Context, c *Client, r request) ([]T, error) {
	p, err := get[Page[T]](ctx, c, r)
	return p.Data, err
}

// firstError gives the first problem, as it is: errors.Join would hide its
// type from a plain assertion.
func firstError(problems ...error) error {
	for _, err := range problems {
		if err != nil {
			return err
		}
	}
	return nil
}
