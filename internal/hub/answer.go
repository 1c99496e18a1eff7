package hub

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/errtext"
)

// answer is a response before it is sent.
type answer struct {
	status int
	body   []byte
	// wipe reports whether the body has a secret and is overwritten when it is sent.
	wipe bool
	// age is how old what it says is; negative where nothing was remembered.
	age time.Duration
	// memory reports whether it is from the store alone, and the same for everybody of a
	// view.
	memory bool
	// requestID is the service's; empty for the hub's own.
	requestID string
	err       *refusal
}

// refusal is an error in the documented form.
type refusal struct {
	status     int
	id         string
	message    string
	retryAfter time.Duration
	requestID  string
}

func (e *refusal) Error() string { return e.id + ": " + e.message }

func refuse(status int, id, message string) *refusal {
	return &refusal{status: status, id: id, message: message}
}

func invalid(message string) *refusal {
	return refuse(http.StatusBadRequest, "invalid_request", message)
}

// notFound is the one answer for what does not exist and for what the person may not
// see.
func notFound() *refusal { return refuse(http.StatusNotFound, "not_found", "not found") }

func forbidden(message string) *refusal {
	return refuse(http.StatusForbidden, "forbidden", message)
}

func tooMany(wait time.Duration) *refusal {
	e := refuse(http.StatusTooManyRequests, "rate_limited", "too many requests")
	e.retryAfter = wait
	return e
}

// jsonOf returns an answer with a value.
func jsonOf(v any, age time.Duration) (answer, error) {
	body, err := encode(v)
	return answer{status: http.StatusOK, body: body, age: age}, err
}

// fromMemory is jsonOf for what is from the store alone.
func fromMemory(v any, age time.Duration) (answer, error) {
	a, err := jsonOf(v, age)
	a.memory = true
	return a, err
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// readRefusal is the answer to a read that the service did not answer. That the hub's
// own key is refused is no fault of the person's token.
func readRefusal(err error) *refusal {
	var own *refusal
	if errors.As(err, &own) {
		return own
	}
	var used *errtext.LimitError
	if errors.As(err, &used) {
		return tooMany(max(time.Second, used.Wait))
	}
	var e *api.Error
	if !errors.As(err, &e) {
		if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
			return refuse(http.StatusServiceUnavailable, "unavailable", "the hub has no answer of the service yet")
		}
		return refuse(http.StatusInternalServerError, "internal_error", "internal error")
	}
	switch {
	case errors.Is(err, api.ErrNotFound):
		return notFound()
	case errors.Is(err, api.ErrRateLimited):
		return tooMany(max(time.Second, e.RetryAfter))
	case e.Status == http.StatusUnauthorized:
		return refuse(http.StatusBadGateway, "upstream_key_refused", "the service refuses the hub's key")
	case errors.Is(err, api.ErrInvalid):
		return &refusal{status: http.StatusBadRequest, id: orText(e.ID, "invalid_request"), message: orText(string(e.Message), "the request is not valid"), requestID: string(e.RequestID)}
	}
	return refuse(http.StatusServiceUnavailable, "unavailable", "the service does not answer")
}

func orText(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// newRequestID returns an id that cannot be mistaken for a card number or a code.
func newRequestID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // It never returns an error.
	b[2], b[5] = b[2]|0xa0, b[5]|0xa0
	return "req_" + hex.EncodeToString(b[:])
}

// errorBody is the documented body of a 4xx or 5xx.
type errorBody struct {
	Error     string `json:"error"`
	Message   string `json:"message"`
	Code      int    `json:"code"`
	RequestID string `json:"request_id"`
}

// send writes an answer.
func (s *Server) send(w http.ResponseWriter, a answer) {
	id := orText(a.requestID, newRequestID())
	h := w.Header()
	if e := a.err; e != nil {
		id = orText(e.requestID, id)
		a.status, a.wipe, a.age = e.status, false, -1
		a.body, _ = encode(errorBody{e.id, e.message, e.status, id}) // Strings and a number.
		if e.retryAfter > 0 {
			h.Set("Retry-After", strconv.Itoa(int((e.retryAfter+time.Second-1)/time.Second)))
		}
	}
	setHeader(h, id)
	h.Set("Date", s.cfg.Now().UTC().Format(http.TimeFormat))
	h.Set("Content-Length", strconv.Itoa(len(a.body)))
	if a.age >= 0 && a.err == nil {
		h.Set("Age", strconv.Itoa(int(a.age/time.Second)))
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body) // Who asked has gone.
	if a.wipe {
		clear(a.body)
	}
}

// setHeader sets what the header of each answer has.
func setHeader(h http.Header, requestID string) {
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Request-Id", requestID)
}

// isNotFound reports whether an error says that something does not exist, or may not be
// seen.
func isNotFound(err error) bool {
	var e *refusal
	return errors.Is(err, api.ErrNotFound) || errors.As(err, &e) && e.status == http.StatusNotFound
}

// stamp writes a time; null for none.
func stamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(time.RFC3339Nano)
}
