package api

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
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
	w := struct {
		Data       *[]T       `json:"data"`
		Pagination Pagination `json:"pagination"`
	}{Data: new([]T)}
	room := min(MaxPerPage, len(b)/rowBytes+1)
	*w.Data = make([]T, 0, room)
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	// A list without rows is decoded into a slice without room.
	if w.Data == nil || *w.Data == nil || len(*w.Data) == 0 && cap(*w.Data) == room {
		return errMissing("list", "data")
	}
	p.Data, p.Pagination = *w.Data, w.Pagination
	return nil
}

// rowBytes is about how long a row is; the room for rows is made by it.
const rowBytes = 192

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

// Read is a request for any resource of the contract, whose answer is passed on as it
// came.
type Read struct {
	Route string // template, such as /cards/{card_id}
	// Segment is the identifier in the place of the template's braces; empty for none.
	Segment string
	Query   url.Values
}

// ReadRaw sends a read and returns the body of its answer, which may hold secrets: the
// caller wipes it. Card details are not read this way.
func (c *Client) ReadRaw(ctx context.Context, r Read) (Secret, error) {
	at := r.Route
	if before, after, found := strings.Cut(r.Route, "{"); found {
		s, err := segment("resource", r.Segment)
		if err != nil {
			return Secret{}, err
		}
		_, rest, _ := strings.Cut(after, "}")
		at = before + s + rest
	}
	var body Secret
	err := c.do(ctx, request{method: http.MethodGet, route: r.Route, path: at, query: r.Query, sensitive: true}, func(b []byte) error {
		if !json.Valid(b) {
			return errMissing("answer", "json")
		}
		body = NewSecret(b)
		return nil
	})
	return body, err
}

// repeats decodes the pages of a list that is polled. Where nothing happens, each answer
// is the one before: it is told by its checksum and not decoded again.
type repeats[T any] struct {
	mu   sync.Mutex
	sum  [sha256.Size]byte
	page Page[T] // of that checksum
	held bool
}

// get requests a page. What it returns is the caller's, but for what rows point to, which
// is not changed.
func (l *repeats[T]) get(ctx context.Context, c *Client, r request) (Page[T], error) {
	var out Page[T]
	r.method = http.MethodGet
	if err := c.do(ctx, r, func(b []byte) (err error) { out, err = l.decode(b); return err }); err != nil {
		return Page[T]{}, err
	}
	return out, nil
}

func (l *repeats[T]) decode(body []byte) (Page[T], error) {
	sum := sha256.Sum256(body)
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.held || l.sum != sum {
		var page Page[T]
		if err := json.Unmarshal(body, &page); err != nil {
			return Page[T]{}, err
		}
		l.page, l.sum, l.held = page, sum, true
	}
	return Page[T]{Data: slices.Clone(l.page.Data), Pagination: l.page.Pagination}, nil
}
