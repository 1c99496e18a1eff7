package client

import (
	"context"
	"encoding/json"

	"github.com/cardtop/cardtop/api"
)

// Send sends a write under a key and decodes the answer into T, the result type of the
// builder that the write is of. It tries once, and returns the call with its error, the
// request id and how long it took: [api.Outcome] of the error says whether the write may
// be sent again, under the same key.
func Send[T any](ctx context.Context, c *Client, w api.Write, key api.IdempotencyKey) (T, api.Call) {
	var zero, out T
	if err := w.Check(); err != nil {
		return zero, api.Call{Err: err}
	}
	if !key.Valid() {
		return zero, api.Call{Err: api.Invalid("the idempotency key is missing or not printable")}
	}
	call := c.call(ctx, request{
		method: w.Method, route: w.Route, path: w.Path, body: w.Body,
		key: key, sensitive: w.Sensitive, empty: api.MayBeEmpty(&out),
	}, func(b []byte) error { return json.Unmarshal(b, &out) })
	if call.Err != nil {
		return zero, call
	}
	return out, call
}
