package api

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
)

// The methods of writes.
const (
	methodPost   = "POST"
	methodPatch  = "PATCH"
	methodDelete = "DELETE"
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
		return Write{}, Invalid("the body cannot be encoded")
	}
	w.Body = bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
	return w, nil
}

// cardWrite builds a write on one card.
func cardWrite(method, action string, id CardID, body any) (Write, error) {
	s, err := Segment("card", id)
	if err != nil {
		return Write{}, err
	}
	return newWrite(method, "/cards/{card_id}"+action, "/cards/"+s+action, body)
}

// Check returns an error for a write that no builder of this package returns: it may
// come from a file.
func (w Write) Check() error {
	switch w.Method {
	case methodPost, methodPatch, methodDelete:
	default:
		return Invalid("the method is not that of a write")
	}
	below, rooted := strings.CutPrefix(w.Path, "/")
	if !rooted || slices.ContainsFunc(strings.Split(below, "/"), func(part string) bool { return !IsID(part) }) {
		return Invalid("the path of the write is not valid")
	}
	if len(w.Body) > 0 && !json.Valid(w.Body) {
		return Invalid("the body of the write is not json")
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

func (r *Raw[T]) mayBeEmpty() bool { return MayBeEmpty(&r.Value) }

// MayBeEmpty reports whether a result, given by its address, accepts an answer without a body.
func MayBeEmpty(result any) bool {
	r, ok := result.(interface{ mayBeEmpty() bool })
	return ok && r.mayBeEmpty()
}

// IdempotencyKey makes repeats of one write act once. It is created once for each
// decision of the user and reused for every try.
type IdempotencyKey string

// NewIdempotencyKey returns a new key of at least 128 random bits.
func NewIdempotencyKey() IdempotencyKey { return IdempotencyKey(rand.Text()) }

// Valid reports whether the key can be sent in a header.
func (k IdempotencyKey) Valid() bool {
	return k != "" && len(k) <= maxID && !strings.ContainsFunc(string(k), func(r rune) bool {
		return r <= ' ' || r > '~'
	})
}
