package api

import (
	"context"
	"encoding/json"
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
