package api

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
)

// Write is a request that changes something, built but not sent: what a dry run shows
// and a journal stores. Sending it again under the same key sends the same bytes.
type Write struct {
	Method string
	Route  string // template, such as /cards/{card_id}/fund
	Path   string // below the base path; its parts are identifiers and words
	Body   []byte // JSON; empty: no body
	// Sensitive means that the body may hold a secret or that the answer does:
	// neither is stored on disk, and the answer is never quoted.
	Sensitive bool
}

// String returns method and path.
func (w Write) String() string { return w.Method + " " + w.Path }

// Format writes String for every verb: a body can hold a secret.
func (w Write) Format(f fmt.State, _ rune) {
	_, _ = io.WriteString(f, w.String()) // fmt drops errors of its own state.
}

// LogValue returns method and route.
func (w Write) LogValue() slog.Value { return slog.StringValue(w.Method + " " + w.Route) }

// Digest tells requests apart that are sent under one key: 16 hex digits of the SHA-256 of
// method, path and body. It is stored where a body may not be, and empty for a write that was
// read without its body.
func (w Write) Digest() string {
	if w.Sensitive && len(w.Body) == 0 {
		return ""
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s\n%s", w.Method, w.Path, w.Body))
	return hex.EncodeToString(sum[:8])
}

// newWrite encodes a body, which may be nil. The encoding is deterministic: fields in
// their order, metadata by key.
func newWrite(method, route, at string, body any) (Write, error) {
	w := Write{Method: method, Route: route, Path: at}
	if body == nil {
		return w, nil
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		return Write{}, invalid("the body cannot be encoded")
	}
	w.Body = bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
	return w, nil
}

// cardWrite builds a write on one card.
func cardWrite(method, action string, id CardID, body any) (Write, error) {
	s, err := segment("card", id)
	if err != nil {
		return Write{}, err
	}
	return newWrite(method, "/cards/{card_id}"+action, "/cards/"+s+action, body)
}

// check returns an error for a write that no builder of this package returns: it may
// come from a file.
func (w Write) check() error {
	switch w.Method {
	case http.MethodPost, http.MethodPatch, http.MethodDelete:
	default:
		return invalid("the method is not that of a write")
	}
	below, rooted := strings.CutPrefix(w.Path, "/")
	if !rooted || slices.ContainsFunc(strings.Split(below, "/"), func(part string) bool { return !IsID(part) }) {
		return invalid("the path of the write is not valid")
	}
	if len(w.Body) > 0 && !json.Valid(w.Body) {
		return invalid("the body of the write is not json")
	}
	return nil
}

// Raw is a result together with the body that it was decoded from, for a server that
// passes the answer on. The body may hold a secret; the caller wipes it.
type Raw[T any] struct {
	Value T
	Body  Secret
}

// UnmarshalJSON decodes the result and copies the body.
func (r *Raw[T]) UnmarshalJSON(b []byte) error {
	if err := json.Unmarshal(b, &r.Value); err != nil {
		return err
	}
	r.Body = NewSecret(b)
	return nil
}

// answersEmpty reports whether the result accepts an answer without a body.
func (r *Raw[T]) answersEmpty() bool {
	_, empty := any(&r.Value).(mayBeEmpty)
	return empty
}

// mayBeEmpty marks a result type with an answer that may have no body.
type mayBeEmpty interface{ mayBeEmpty() }

// Send sends a write under a key and decodes the answer into T, the result type of the
// method that the write belongs to. It tries once: [Outcome] of the error says whether
// the write may be sent again, under the same key.
func Send[T any](ctx context.Context, c *Client, w Write, key IdempotencyKey) (T, error) {
	out, call := SendCall[T](ctx, c, w, key)
	return out, call.Err
}

// SendCall is [Send] that returns the call as well, with the request id and how long it
// took. The error is in the call.
func SendCall[T any](ctx context.Context, c *Client, w Write, key IdempotencyKey) (T, Call) {
	var zero, out T
	if err := w.check(); err != nil {
		return zero, Call{Err: err}
	}
	if !key.valid() {
		return zero, Call{Err: invalid("the idempotency key is missing or not printable")}
	}
	_, empty := any(&out).(mayBeEmpty)
	if raw, ok := any(&out).(interface{ answersEmpty() bool }); ok {
		empty = raw.answersEmpty()
	}
	call := c.call(ctx, request{
		method: w.Method, route: w.Route, path: w.Path, body: w.Body,
		key: key, sensitive: w.Sensitive, empty: empty,
	}, func(b []byte) error { return json.Unmarshal(b, &out) })
	if call.Err != nil {
		return zero, call
	}
	return out, call
}

// send is Send with the two results of a builder.
func send[T any](ctx context.Context, c *Client, key IdempotencyKey, w Write, err error) (T, error) {
	if err != nil {
		var zero T
		return zero, err
	}
	return Send[T](ctx, c, w, key)
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
	if err := c.do(ctx, r, func(b []byte) (err error) { out, err = salvageItem[T](b); return err }); err != nil {
		return zero, err
	}
	return out, nil
}

// about refuses an answer about another object than the one that was asked for: what follows would
// be done to that one. It passes on the answer and the error of a read.
func about[T any, P interface {
	*T
	identified
}](id string, out T, err error) (T, error) {
	var zero T
	if err == nil && P(&out).identifier() != id {
		wipeItems([]T{out})
		return zero, fmt.Errorf("%w: it was asked for %s and answers %s", ErrOther, id, P(&out).identifier())
	}
	return out, err
}

// IdempotencyKey makes repeats of one write act once. It is created once for each
// decision of the user and reused for every try.
type IdempotencyKey string

// NewIdempotencyKey returns a new key of at least 128 random bits.
func NewIdempotencyKey() IdempotencyKey { return IdempotencyKey(rand.Text()) }

// valid reports whether the key can be sent in a header.
func (k IdempotencyKey) valid() bool {
	return k != "" && len(k) <= maxID && !strings.ContainsFunc(string(k), func(r rune) bool {
		return r <= ' ' || r > '~'
	})
}
