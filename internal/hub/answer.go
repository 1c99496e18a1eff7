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
	"sync"
	"sync/atomic"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/poll"
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

// pages are answers from memory, kept while nothing has changed: when many people are
// told of a change they ask for the same at once, and one of them has it made. None has a
// secret.
type pages struct {
	version atomic.Uint64 // of what memory has

	mu      sync.Mutex
	of      uint64 // the version of the entries
	entries map[string]*sharedAnswer
}

// sharedAnswer is an answer that is made by the first who asks for it.
type sharedAnswer struct {
	made   chan struct{} // is closed then
	answer answer
	ok     bool // others may have it too
}

// mostPages bounds the answers that are kept.
const mostPages = 256

// changed has everything read anew.
func (p *pages) changed() { p.version.Add(1) }

// claim returns the answer of a key, and whether the caller is the one who makes it.
func (p *pages) claim(key string) (a *sharedAnswer, mine bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	// What is read from now on is of this version or of a later one.
	if v := p.version.Load(); p.entries == nil || p.of != v || len(p.entries) >= mostPages {
		p.of, p.entries = v, make(map[string]*sharedAnswer)
	}
	if a := p.entries[key]; a != nil {
		return a, false
	}
	a = &sharedAnswer{made: make(chan struct{})}
	p.entries[key] = a
	return a, true
}

// done lets the others have the answer, or make their own where only the caller may
// have it.
func (p *pages) done(key string, a *sharedAnswer) {
	close(a.made)
	if a.ok {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.entries[key] == a {
		delete(p.entries, key)
	}
}

// find returns the answer of a key, which handle makes where nobody has.
func (p *pages) find(ctx context.Context, key string, handle func() (answer, error)) (a answer, kept bool, err error) {
	entry, mine := p.claim(key)
	if mine {
		defer p.done(key, entry) // Also when it panics.
		a, err = handle()
		entry.answer, entry.ok = a, err == nil && a.memory && !a.wipe
		return a, false, err
	}
	select {
	case <-entry.made:
	case <-ctx.Done():
		return a, false, ctx.Err()
	}
	if entry.ok {
		return entry.answer, true, nil
	}
	a, err = handle()
	return a, false, err
}

// remembered answers with what somebody of the same view was answered, while memory has
// the same. Its age is that of now.
func (s *Server) remembered(r *request, lane poll.Lane, handle func(*request) (answer, error)) (answer, error) {
	key := r.person.View() + "\x00" + r.URL.EscapedPath() + "\x00" + r.URL.RawQuery
	a, kept, err := s.pages.find(r.Context(), key, func() (answer, error) { return handle(r) })
	switch {
	case !kept:
	case s.reader():
		a.age = s.cfg.Several.Age(lane) // The store does not know it.
	default:
		err = s.read(r.Context(), func(st *state.Store) { a.age = s.ageOf(st, lane) })
	}
	return a, err
}
