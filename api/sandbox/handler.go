package sandbox

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// maxBody bounds the body of a request, in bytes (ASSUMED 24).
const maxBody = 1 << 20

// answer is a response before it is sent.
type answer struct {
	status int
	body   []byte
	header http.Header
	// err is sent instead of body, with the request's id.
	err   *wire.Error
	fault wire.Fault // while it is sent
}

// Handler serves the contract below /v1 and, to loopback callers only, the
// control below /sandbox.
func (s *Server) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path, isControl := strings.CutPrefix(r.URL.EscapedPath(), "/sandbox")
		id := newRequestID()
		var a answer
		var name string
		if isControl && (path == "" || path[0] == '/') {
			a, name = s.answerControl(w, r, path), "control"
		} else {
			a, name = s.answerContract(w, r)
			s.report.Record(name, a.status, s.clock.Now())
		}
		s.log.LogAttrs(r.Context(), slog.LevelDebug, "request",
			slog.String("route", name), slog.Int("status", a.status), slog.String("request_id", id))
		s.send(w, r, a, id)
	})
}

// answerContract authenticates before it routes (ASSUMED 1). It also returns the
// name of the route for the report.
func (s *Server) answerContract(w http.ResponseWriter, r *http.Request) (answer, string) {
	account, known := s.authenticate(r)
	if !known {
		return errorAnswer(wire.Unauthorized()), "unauthorized"
	}
	path, found := strings.CutPrefix(r.URL.EscapedPath(), "/v1")
	if !found {
		return errorAnswer(wire.NotFound("path")), "unknown"
	}
	rt, id, others := match(s.routes, r.Method, path)
	name, costs := "unknown", wire.CostNone
	if rt != nil {
		name, costs = rt.name(), rt.costs
	}
	if f := s.limits.Take(account, costs, s.clock.Now()); f != nil {
		return errorAnswer(f), name
	}
	if rt == nil {
		return noRoute(others), name
	}
	fault := s.faults.Draw(name, rt.list)
	if a, stops := s.applyFault(r.Context(), fault); stops {
		return a, name
	}
	req := &request{account: account, id: id, query: r.URL.RawQuery, scope: r.Method + " " + r.URL.EscapedPath()}
	a := s.perform(w, r, rt, req)
	if a.err == nil && fault.OfLists() {
		var err error
		if a.body, err = s.faults.Spoil(fault.Kind, a.body); err != nil {
			return s.answerError(r.Context(), err), name
		}
	}
	a.fault = fault
	return a, name
}

func (s *Server) authenticate(r *http.Request) (account string, known bool) {
	scheme, key, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return "", false
	}
	account, known = s.accounts[sha256.Sum256([]byte(key))]
	return account, known
}

func noRoute(others []string) answer {
	if len(others) == 0 {
		return errorAnswer(wire.NotFound("path"))
	}
	a := errorAnswer(&wire.Error{
		Status: http.StatusMethodNotAllowed, ID: "method_not_allowed",
		Message: "this path does not know the method",
	})
	a.header = http.Header{"Allow": {strings.Join(others, ", ")}}
	return a
}

// perform reads the body of a request and runs the endpoint.
func (s *Server) perform(w http.ResponseWriter, r *http.Request, rt *route, req *request) answer {
	ctx := r.Context()
	if rt.read != nil {
		var result any
		err := s.db.View(func() (err error) {
			result, err = rt.read(s, req)
			return err
		})
		if err != nil {
			return s.answerError(ctx, err)
		}
		body, err := wire.Encode(result)
		if err != nil {
			return s.answerError(ctx, err)
		}
		return answer{status: rt.status, body: body}
	}
	var err error
	if req.body, err = readBody(w, r); err != nil {
		return s.answerError(ctx, err)
	}
	if req.key = r.Header.Get("X-Idempotency-Key"); len(req.key) > maxKey {
		return errorAnswer(wire.Invalid("X-Idempotency-Key must have at most %d characters", maxKey))
	}
	status, body, err := s.runOnce(ctx, rt, req)
	if err != nil {
		return s.answerError(ctx, err)
	}
	return answer{status: status, body: body}
}

// readBody reads JSON of up to maxBody bytes. A request without a body needs no
// content type.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return nil, &wire.Error{
			Status: http.StatusRequestEntityTooLarge, ID: "body_too_large",
			Message: fmt.Sprintf("the body is larger than %d bytes", maxBody),
		}
	}
	if err != nil {
		return nil, wire.Invalid("the body could not be read")
	}
	contentType := r.Header.Get("Content-Type")
	if len(body) == 0 || contentType == "" {
		return body, nil
	}
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil || media != "application/json" && !strings.HasSuffix(media, "+json") {
		return nil, wire.Invalid("Content-Type must be application/json")
	}
	return body, nil
}

// answerError returns the answer of an error. One that is not the caller's fault is
// logged and answered as a 500 without its text.
func (s *Server) answerError(ctx context.Context, err error) answer {
	if known := (*wire.Error)(nil); errors.As(err, &known) {
		return errorAnswer(known)
	}
	if ctx.Err() == nil {
		s.log.LogAttrs(ctx, slog.LevelError, "request failed", slog.Any("error", err))
	}
	return errorAnswer(&wire.Error{Status: http.StatusInternalServerError, ID: "internal_error", Message: "internal error"})
}

// errorAnswer returns the answer of a refusal.
func errorAnswer(f *wire.Error) answer {
	a := answer{status: f.Status, header: http.Header{}, err: f}
	if f.RetryAfter > 0 {
		a.header.Set("Retry-After", strconv.Itoa(int(f.RetryAfter.Seconds())))
	}
	return a
}

// newRequestID returns an id that cannot be mistaken for a card number or a code:
// letters limit every run of digits to five.
func newRequestID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // It never returns an error.
	b[2], b[5] = b[2]|0xa0, b[5]|0xa0
	return "req_" + hex.EncodeToString(b[:])
}

// send writes the answer with the sandbox's own time.
func (s *Server) send(w http.ResponseWriter, r *http.Request, a answer, id string) {
	if a.fault.BreaksAnswer() {
		s.sendBroken(w, r, a)
		return
	}
	header := w.Header()
	for name, values := range a.header {
		header[name] = values
	}
	if header.Get("Content-Type") == "" {
		header.Set("Content-Type", "application/json")
	}
	header.Set("Date", s.clock.Now().Time().Format(http.TimeFormat))
	header.Set("X-Request-Id", id)
	header.Set("Cache-Control", "no-store")
	body := a.body
	if f := a.err; f != nil && r.Method != http.MethodHead {
		var err error
		if body, err = wire.Encode(wire.ErrorBody{Error: f.ID, Message: f.Message, Code: f.Status, RequestID: id}); err != nil {
			s.log.LogAttrs(r.Context(), slog.LevelError, "refusal not encoded", slog.Any("error", err))
		}
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(a.status)
	if a.fault.Kind == wire.FaultCutBody {
		body = body[:len(body)/2]
	}
	if _, err := w.Write(body); err != nil {
		s.log.LogAttrs(r.Context(), slog.LevelDebug, "response lost", slog.Any("error", err))
	}
}

// applyFault applies a fault that comes before the request is done. stops reports
// whether the request ends with the answer.
func (s *Server) applyFault(ctx context.Context, f wire.Fault) (a answer, stops bool) {
	switch f.Kind {
	case wire.FaultLatency:
		pause(ctx, f.Latency)
		return answer{}, false
	case wire.FaultLimit:
		return errorAnswer(wire.RateLimited(2 * unit.Second)), true
	case wire.FaultBareLimit:
		bare := wire.RateLimited(0)
		return errorAnswer(bare), true
	case wire.FaultError:
		return errorAnswer(&wire.Error{Status: http.StatusInternalServerError, ID: "internal_error", Message: "internal error"}), true
	case wire.FaultHTML:
		return answer{
			status: http.StatusBadGateway, header: http.Header{"Content-Type": {"text/html"}},
			body: []byte("<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n"),
		}, true
	case wire.FaultReset:
		return answer{fault: f}, true
	}
	return answer{}, false
}

// sendBroken closes the connection without an answer, at once or after a delay.
func (s *Server) sendBroken(w http.ResponseWriter, r *http.Request, a answer) {
	if a.fault.Kind == wire.FaultNoAnswer {
		const patience = 60_000
		wait := a.fault.Latency
		if wait == 0 {
			wait = patience
		}
		pause(r.Context(), wait)
	}
	if err := wire.BreakOff(w); err != nil {
		w.WriteHeader(http.StatusBadGateway)
	}
}

// pause waits for some milliseconds, or until ctx is done.
func pause(ctx context.Context, milliseconds int64) {
	timer := time.NewTimer(time.Duration(milliseconds) * time.Millisecond)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
