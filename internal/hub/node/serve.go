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
func (n *Node) ServeHTTP(w http.ResponseWriter, r *http.Request) { asker{node: n}.ServeHTTP(w, r) }

// As returns a handler of the requests of somebody on SSH.
func (n *Node) As(v hub.Visitor) http.Handler { return asker{n, v} }

// asker answers a person: the visitor, or whoever has the token of a request.
type asker struct {
	node    *Node
	visitor hub.Visitor
}

// ServeHTTP implements [http.Handler].
func (a asker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := a.node
	leader, reader := n.leader.Load(), n.reader.Load()
	switch {
	case leader != nil && (reader == nil || !inMemory(r) || isReady(leader)):
		a.of(leader).ServeHTTP(w, r)
	case isStream(r) && reader != nil:
		a.of(reader).ServeHTTP(w, r)
	case isStream(r):
		n.refuse(w, r, http.StatusServiceUnavailable, "unavailable", "the hub has not read the account yet")
	case !a.known(r):
		n.refuse(w, r, http.StatusUnauthorized, "unauthorized", api.HubUnknownToken)
	case reader != nil && inMemory(r):
		a.fromMemory(w, r, reader)
	default:
		a.pass(w, r)
	}
}

// of is a hub as it answers the person.
func (a asker) of(s *hub.Server) http.Handler {
	if a.visitor.Key == "" {
		return s
	}
	return s.As(a.visitor)
}

// request is a request on its way to the leader.
func (a asker) request(r *http.Request, body []byte) pass.Request {
	out := requestOf(r, body)
	if a.visitor.Key != "" {
		out.Name, out.SSHKey = a.visitor.Name, a.visitor.Key
		delete(out.Header, "Authorization") // It opens nothing.
	}
	return out
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

// known reports whether a request is of a person of the team. The leader asks again.
func (a asker) known(r *http.Request) bool {
	people := a.node.cfg.Hub.Team.Team()
	if a.visitor.Key != "" {
		_, known := a.visitor.Person(people)
		return known
	}
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	_, known := people.Find([]byte(token))
	return ok && strings.EqualFold(scheme, "Bearer") && known
}

// fromMemory answers what a leader has told, and passes on what it has not. When no hub
// leads the answer from memory is better than none.
func (a asker) fromMemory(w http.ResponseWriter, r *http.Request, reader *hub.Server) {
	b := newBuffer()
	a.of(reader).ServeHTTP(b, r)
	if b.status >= http.StatusInternalServerError {
		if told, err := a.node.ask(r.Context(), a.request(r, nil)); err == nil {
			clear(b.body)
			b = &buffer{told.Status, told.Header, told.Body}
		}
	}
	b.copyTo(w)
}

// pass answers as the hub that leads does. A write has an idempotency key from here on:
// whoever sends what was on the bus again does nothing twice.
func (a asker) pass(w http.ResponseWriter, r *http.Request) {
	n := a.node
	body, err := readAll(r)
	if err != nil {
		n.refuse(w, r, http.StatusBadRequest, "invalid_request", "the body could not be read")
		return
	}
	in := a.request(r, body)
	if writes(r) && in.Header.Get(idempotencyKey) == "" {
		in.Header.Set(idempotencyKey, string(api.NewIdempotencyKey()))
	}
	told, err := n.ask(r.Context(), in)
	switch {
	case err == nil:
		(&buffer{told.Status, told.Header, told.Body}).copyTo(w)
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
