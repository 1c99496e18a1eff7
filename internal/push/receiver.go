// Package push receives webhook deliveries. What they say is never believed: a
// delivery with a good signature only tells which lists are worth reading now.
package push

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	// bodyMost bounds a delivery, bytes.
	bodyMost = 64 << 10
	// readWithin bounds how long one may take to come.
	readWithin = 10 * time.Second
)

// Heartbeat is the type of the delivery that a program sends to itself, to know that
// its address is reached.
const Heartbeat = "cardtop.heartbeat"

// Delivery is what a webhook brought.
type Delivery struct {
	// Type is the event's name; empty where it has none that is known. Object is the
	// id of what it is about; empty where it has none.
	Type, Object string
	At           time.Time // this machine's clock
}

// Receiver is the handler of a webhook's address.
type Receiver struct {
	// Path is that of the address, escaped as in a request: nothing else is answered.
	Path string
	// Secret returns the signing secrets in force: the present one, and the one
	// before while it is replaced.
	Secret func() [][]byte
	// Header names the signature's header; empty for whichever has it.
	Header string
	// Deliver takes what came. It may not wait.
	Deliver func(Delivery)
	// Refuse is called for each delivery without a good signature; nil is not. It may
	// not wait.
	Refuse func()
	Now    func() time.Time

	seen seen
}

// ServeHTTP answers at once: 204 for a delivery with a good signature, also one that
// came before, and for a look at whether something is there; 401 for one without, 404 for
// another path, 405 for another method, 413 for too much.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.URL.EscapedPath() != r.Path {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	switch req.Method {
	case http.MethodPost:
		r.receive(w, req)
	case http.MethodGet, http.MethodHead, http.MethodOptions: // Services look before they deliver.
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("Allow", "POST, GET, HEAD, OPTIONS")
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

func (r *Receiver) receive(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, bodyMost))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	case err != nil:
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if !r.verified(req.Header, body) {
		w.WriteHeader(http.StatusUnauthorized)
		if r.Refuse != nil {
			r.Refuse()
		}
		return
	}
	w.WriteHeader(http.StatusNoContent)
	if r.seen.add(body) {
		d := parse(body)
		d.At = r.Now()
		r.Deliver(d)
	}
}

// verified reports whether one of the secrets signed a body. None signs nothing.
func (r *Receiver) verified(h http.Header, body []byte) bool {
	found := false
	for _, secret := range r.Secret() {
		found = len(secret) > 0 && signed(h, r.Header, secret, body) || found
	}
	return found
}

// parse reads an event as far as it can: its shape is not in the contract
// (ASSUMED 22). It was signed: of one that cannot be read all lists are read.
func parse(body []byte) (d Delivery) {
	var e struct {
		Type, Event json.RawMessage
		Data        json.RawMessage
	}
	if json.Unmarshal(body, &e) != nil {
		return d
	}
	if d.Type = text(e.Type); d.Type == "" {
		d.Type = text(e.Event)
	}
	var object struct{ ID json.RawMessage }
	if json.Unmarshal(e.Data, &object) == nil {
		d.Object = text(object.ID)
	}
	return d
}

// text is a JSON text; empty for anything else.
func text(raw json.RawMessage) (s string) {
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// Server returns the server of a receiver, with bounds for clients that are slow or
// send without end.
func Server(h http.Handler) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: readWithin, ReadTimeout: readWithin, WriteTimeout: readWithin, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 16 << 10,
	}
}

// seenKept bounds how many deliveries are remembered.
const seenKept = 4096

// seen remembers the latest deliveries by their bodies, so that one that comes twice
// is acted on once.
type seen struct {
	mu    sync.Mutex
	has   map[[sha256.Size]byte]bool
	order [][sha256.Size]byte // oldest first, from next on
	next  int
}

// add reports whether a body has not come before.
func (s *seen) add(body []byte) bool {
	sum := sha256.Sum256(body)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.has[sum] {
		return false
	}
	if s.has == nil {
		s.has = make(map[[sha256.Size]byte]bool, seenKept)
	}
	s.has[sum] = true
	if len(s.order) < seenKept {
		s.order = append(s.order, sum)
		return true
	}
	delete(s.has, s.order[s.next])
	s.order[s.next] = sum
	s.next = (s.next + 1) % seenKept
	return true
}

// DefaultHeader carries the signature where nothing says otherwise.
const DefaultHeader = "X-Signature"

// Sign returns the signature of a body: the HMAC-SHA256 in lowercase hex (contract:
// Events).
func Sign(secret, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// signed reports whether a header of a delivery is the signature of its body.
// Every header is compared when the name is empty, because the contract does not give
// it. Comparisons take the same time for every value of the right length.
func signed(h http.Header, name string, secret, body []byte) bool {
	want := []byte(Sign(secret, body))
	found := false
	for key, values := range h {
		if name != "" && !strings.EqualFold(key, name) {
			continue
		}
		for _, v := range values {
			// Some services name the algorithm before the digest.
			found = hmac.Equal([]byte(strings.TrimPrefix(v, "sha256=")), want) || found
		}
	}
	return found
}
