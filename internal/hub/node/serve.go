package node

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub"
	"github.com/cardtop/cardtop/internal/hub/cluster/pass"
)

// ServeHTTP implements [http.Handler].
func (n *Node) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	leader, reader := n.leader.Load(), n.reader.Load()
	switch {
	case leader != nil && (reader == nil || !inMemory(r) || isReady(leader)):
		leader.ServeHTTP(w, r)
	case isStream(r) && reader != nil:
		reader.ServeHTTP(w, r)
	case isStream(r):
		n.refuse(w, r, http.StatusServiceUnavailable, "unavailable", "the hub has not read the account yet")
	case !n.knows(r):
		n.refuse(w, r, http.StatusUnauthorized, "unauthorized", "token missing or invalid")
	case reader != nil && inMemory(r):
		n.fromMemory(w, r, reader)
	default:
		n.pass(w, r)
	}
}

// isReady reports whether a leader has read the lists.
func isReady(s *hub.Server) bool {
	select {
	case <-s.Ready():
		return true
	default:
		return false
	}
}

// knows reports whether a request is of a person of the team. The leader asks again.
func (n *Node) knows(r *http.Request) bool {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	_, known := n.cfg.Hub.Team.Team().Find([]byte(token))
	return ok && strings.EqualFold(scheme, "Bearer") && known
}

// fromMemory answers what a leader has told, and passes on what it has not. When no hub
// leads the answer from memory is better than none.
func (n *Node) fromMemory(w http.ResponseWriter, r *http.Request, reader *hub.Server) {
	b := newBuffer()
	reader.ServeHTTP(b, r)
	if b.status >= http.StatusInternalServerError {
		if a, err := n.ask(r.Context(), requestOf(r, nil)); err == nil {
			clear(b.body)
			b = &buffer{a.Status, a.Header, a.Body}
		}
	}
	b.copyTo(w)
}

// pass answers as the hub that leads does. A write has an idempotency key from here on:
// whoever sends what was on the bus again does nothing twice.
func (n *Node) pass(w http.ResponseWriter, r *http.Request) {
	body, err := readAll(r)
	if err != nil {
		n.refuse(w, r, http.StatusBadRequest, "invalid_request", "the body could not be read")
		return
	}
	in := requestOf(r, body)
	if writes(r) && in.Header.Get(idempotencyKey) == "" {
		in.Header.Set(idempotencyKey, string(api.NewIdempotencyKey()))
	}
	a, err := n.ask(r.Context(), in)
	switch {
	case err == nil:
		(&buffer{a.Status, a.Header, a.Body}).copyTo(w)
	case errors.Is(err, pass.ErrNobody) && writes(r):
		n.refuse(w, r, http.StatusConflict, "not_sent", "nothing was sent: no hub leads now")
	case errors.Is(err, pass.ErrVersion) && writes(r):
		n.refuse(w, r, http.StatusConflict, "not_sent", "nothing was sent: "+pass.ErrVersion.Error())
	case writes(r):
		n.refuse(w, r, http.StatusGatewayTimeout, "unknown_outcome", "it may have acted: ask again with the same idempotency key")
	default:
		n.refuse(w, r, http.StatusServiceUnavailable, "unavailable", "no hub leads now")
	}
}

// refuse answers with an error in the documented form.
func (n *Node) refuse(w http.ResponseWriter, _ *http.Request, status int, id, message string) {
	rid := "req_" + string(api.NewIdempotencyKey())
	body, _ := json.Marshal(struct { // Texts and a number.
		Error     string `json:"error"`
		Message   string `json:"message"`
		Code      int    `json:"code"`
		RequestID string `json:"request_id"`
	}{id, message, status, rid})
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Request-Id", rid)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if status == http.StatusServiceUnavailable {
		h.Set("Retry-After", "1")
	}
	w.WriteHeader(status)
	_, _ = w.Write(body) // Who asked has gone.
}
