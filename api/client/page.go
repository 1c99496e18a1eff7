package client

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/cardtop/cardtop/api"
)

func setRoute(unread []api.Unread, route string) {
	for i := range unread {
		unread[i].Route = route
	}
}

// list requests a list.
func list[T any](ctx context.Context, c *Client, r request) (api.Page[T], error) {
	return getPage(ctx, c, r, api.DecodePage[T])
}

// getPage requests a list and tells the observer what of it could not be read.
func getPage[T any](ctx context.Context, c *Client, r request, decode func([]byte) (api.Page[T], error)) (api.Page[T], error) {
	var page api.Page[T]
	r.method, r.unread = http.MethodGet, &page.Unread
	err := c.do(ctx, r, func(b []byte) (err error) {
		page, err = decode(b)
		page.Unread = slices.Clone(page.Unread) // Of a repeated page it is shared.
		setRoute(page.Unread, r.route)
		return err
	})
	switch {
	case err != nil:
		return api.Page[T]{}, err
	case page.Withheld != "":
		return api.Page[T]{}, &api.Error{Method: r.method, Route: r.route, Status: http.StatusForbidden, Message: page.Withheld, Kind: api.ErrWithheld}
	}
	return page, nil
}

// ReadRaw sends a read and returns the body of its answer, which may hold secrets: the
// caller wipes it. Card details are not read this way.
func (c *Client) ReadRaw(ctx context.Context, r api.Read) (api.Secret, error) {
	at := r.Route
	if before, after, found := strings.Cut(r.Route, "{"); found {
		s, err := api.Segment("resource", r.Segment)
		if err != nil {
			return api.Secret{}, err
		}
		_, rest, _ := strings.Cut(after, "}")
		at = before + s + rest
	}
	var body api.Secret
	err := c.do(ctx, request{method: http.MethodGet, route: r.Route, path: at, query: r.Query, sensitive: true}, func(b []byte) error {
		if !json.Valid(b) {
			return api.MissingField("answer", "json")
		}
		body = api.NewSecret(b)
		return nil
	})
	return body, err
}

// repeats decodes the pages of a list that is polled. Where nothing happens, each answer
// is the one before: it is told by its checksum and not decoded again.
type repeats[T any] struct {
	mu   sync.Mutex
	sum  [sha256.Size]byte
	page api.Page[T] // of that checksum
	held bool
}

// get requests a page. What it returns is the caller's, but for what rows point to, which
// is not changed.
func (l *repeats[T]) get(ctx context.Context, c *Client, r request) (api.Page[T], error) {
	return getPage(ctx, c, r, l.decode)
}

func (l *repeats[T]) decode(body []byte) (api.Page[T], error) {
	sum := sha256.Sum256(body)
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.held || l.sum != sum {
		var page api.Page[T]
		if err := json.Unmarshal(body, &page); err != nil {
			return api.Page[T]{}, err
		}
		l.page, l.sum, l.held = page, sum, true
	}
	page := l.page
	page.Data = slices.Clone(page.Data)
	return page, nil
}

// get requests one object.
func get[T any](ctx context.Context, c *Client, r request) (T, error) {
	var zero, out T
	r.method = http.MethodGet
	if err := c.do(ctx, r, func(b []byte) error { return json.Unmarshal(b, &out) }); err != nil {
		return zero, err
	}
	return out, nil
}

// getItem reads an object of which lists have a part. A field that cannot be read and is not
// needed is left out.
func getItem[T any](ctx context.Context, c *Client, r request) (T, error) {
	var zero, out T
	r.method = http.MethodGet
	if err := c.do(ctx, r, func(b []byte) (err error) { out, err = api.DecodeItem[T](b); return err }); err != nil {
		return zero, err
	}
	return out, nil
}
