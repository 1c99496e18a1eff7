package sandbox

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// maxBody bounds what a request may carry (ASSUMED 24).
const maxBody = 1 << 20

// answer is a response before it is sent.
type answer struct {
	status int
	body   []byte
	header http.Header
	// failure is told instead of body, once the request's id is known.
	failure *failure
	fault   fault // what goes wrong while it is sent
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
			s.report.record(name, a.status, s.clock.now())
		}
		s.log.LogAttrs(r.Context(), slog.LevelDebug, "request",
			slog.String("route", name), slog.Int("status", a.status), slog.String("request_id", id))
		s.send(w, r, a, id)
	})
}

// answerContract authenticates before it routes (ASSUMED 1). It also gives the
// name of the route for the report.
func (s *Server) answerContract(w http.ResponseWriter, r *http.Request) (answer, string) {
	account, known := s.authenticate(r)
	if !known {
		return refuse(unauthorized()), "unauthorized"
	}
	path, found := strings.CutPrefix(r.URL.EscapedPath(), "/v1")
	if !found {
		return refuse(notFound("path")), "unknown"
	}
	rt, id, others := match(s.routes, r.Method, path)
	name := "unknown"
	if rt != nil {
		name = rt.name()
	}
	if f := s.limits.take(account, rt, s.clock.now()); f != nil {
		return refuse(f), name
	}
	if rt == nil {
		return unrouted(others), name
	}
	trouble := s.faults.draw(name)
	if a, stops := s.fail(r.Context(), trouble); stops {
		return a, name
	}
	req := &request{account: account, id: id, query: r.URL.RawQuery, scope: r.Method + " " + r.URL.EscapedPath()}
	a := s.perform(w, r, rt, req)
	a.fault = trouble
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

func unrouted(others []string) answer {
	if len(others) == 0 {
		return refuse(notFound("path"))
	}
	a := refuse(&failure{
		status: http.StatusMethodNotAllowed, id: "method_not_allowed",
		message: "this path does not know the method",
	})
	a.header = http.Header{"Allow": {strings.Join(others, ", ")}}
	return a
}

// perform reads the request's body and runs the endpoint.
func (s *Server) perform(w http.ResponseWriter, r *http.Request, rt *route, req *request) answer {
	ctx := r.Context()
	if rt.read != nil {
		result, err := rt.read(ctx, s, req)
		if err != nil {
			return s.failed(ctx, err)
		}
		body, err := encode(result)
		if err != nil {
			return s.failed(ctx, err)
		}
		return answer{status: rt.status, body: body}
	}
	var err error
	if req.body, err = readBody(w, r); err != nil {
		return s.failed(ctx, err)
	}
	if req.key = r.Header.Get("X-Idempotency-Key"); len(req.key) > maxKey {
		return refuse(invalid("X-Idempotency-Key must have at most %d characters", maxKey))
	}
	status, body, err := s.once(ctx, rt, req)
	if err != nil {
		return s.failed(ctx, err)
	}
	return answer{status: status, body: body}
}

// readBody admits JSON of up to maxBody bytes. A request without a body needs
// no content type.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return nil, &failure{
			status: http.StatusRequestEntityTooLarge, id: "body_too_large",
			message: fmt.Sprintf("the body is larger than %d bytes", maxBody),
		}
	}
	if err != nil {
		return nil, invalid("the body could not be read")
	}
	contentType := r.Header.Get("Content-Type")
	if len(body) == 0 || contentType == "" {
		return body, nil
	}
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil || media != "application/json" && !strings.HasSuffix(media, "+json") {
		return nil, invalid("Content-Type must be application/json")
	}
	return body, nil
}

// failed turns an error into a response. What the caller is not to blame for
// is logged and answered as a 500 that tells nothing.
func (s *Server) failed(ctx context.Context, err error) answer {
	if known := (*failure)(nil); errors.As(err, &known) {
		return refuse(known)
	}
	if ctx.Err() == nil {
		s.log.LogAttrs(ctx, slog.LevelError, "request failed", slog.Any("error", err))
	}
	return refuse(&failure{status: http.StatusInternalServerError, id: "internal_error", message: "internal error"})
}

// refuse makes the response of a failure.
func refuse(f *failure) answer {
	a := answer{status: f.status, header: http.Header{}, failure: f}
	if f.retryAfter > 0 {
		a.header.Set("Retry-After", strconv.Itoa(int(f.retryAfter.Seconds())))
	}
	return a
}

// newRequestID makes an id that nobody can take for a card number or a code:
// letters among its digits keep any run of these to five.
func newRequestID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // It never fails: the program would end instead.
	b[2], b[5] = b[2]|0xa0, b[5]|0xa0
	return "req_" + hex.EncodeToString(b[:])
}

// send writes the response with the server's own time.
func (s *Server) send(w http.ResponseWriter, r *http.Request, a answer, id string) {
	if a.fault.breaksAnswer() {
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
	header.Set("Date", s.clock.now().Time().Format(http.TimeFormat))
	header.Set("X-Request-Id", id)
	header.Set("Cache-Control", "no-store")
	body := a.body
	if f := a.failure; f != nil && r.Method != http.MethodHead {
		var err error
		if body, err = encode(errorBody{Error: f.id, Message: f.message, Code: f.status, RequestID: id}); err != nil {
			s.log.LogAttrs(r.Context(), slog.LevelError, "refusal not encoded", slog.Any("error", err))
		}
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(a.status)
	if a.fault.Kind == faultCutBody {
		body = body[:len(body)/2]
	}
	if _, err := w.Write(body); err != nil {
		s.log.LogAttrs(r.Context(), slog.LevelDebug, "response lost", slog.Any("error", err))
	}
}

// encode writes an answer's JSON without HTML escapes.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode answer: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
