package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/hub"
	"github.com/cardtop/cardtop/internal/hub/cluster/lease"
	"github.com/cardtop/cardtop/internal/hub/cluster/pass"
	"github.com/cardtop/cardtop/internal/hub/cluster/replica"
	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
	"github.com/cardtop/cardtop/internal/push/endpoint"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
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

// claim tells who takes a code. It runs where the store is.
func (p *publisher) claim(c hub.Claim) {
	p.rest[place{replica.Claimed, string(c.Challenge)}] = sum{}
	p.publish(func(add func(replica.Item, error)) { add(replica.Put(string(c.Challenge), replica.Claim(c))) })
}

// ask tells of a request for an approval that is there, or waits no more. It runs where
// the store is.
func (p *publisher) ask(a hub.Asked, waits bool) {
	delete(p.asked, a.ID)
	if waits {
		p.asked[a.ID] = replica.Asked(a)
		delete(p.rest, place{replica.Waits, a.ID}) // It may wait again.
	}
	p.publish(p.followAsked)
}

// followAsked finds the requests that the others were not told of, and those that wait no
// more: they expired, or were asked of a leader before this one, who has forgotten them.
func (p *publisher) followAsked(add func(replica.Item, error)) {
	for id, a := range p.asked {
		at := place{replica.Waits, id}
		if _, told := p.rest[at]; !p.now().Before(a.Until) {
			delete(p.asked, id)
		} else if !told {
			p.rest[at] = sum{}
			add(replica.Put(id, a))
		}
	}
	p.forget(replica.Waits, func(id string) bool { _, waits := p.asked[id]; return waits }, add)
}

// ruleOff tells of a rule that is off until a person has it on, or that is on again. It runs
// where the store is.
func (p *publisher) ruleOff(r hub.RuleOff, off bool) {
	if delete(p.off, r.Name); off {
		p.off[r.Name] = replica.RuleOff(r)
		delete(p.rest, place{replica.Off, r.Name}) // It may be off for another reason.
	}
	p.publish(p.followOff)
}

// rulesOff are those that are off when this hub begins to lead.
func (p *publisher) rulesOff() []hub.RuleOff {
	all := make([]hub.RuleOff, 0, len(p.off))
	for _, r := range p.off {
		all = append(all, hub.RuleOff(r))
	}
	return all
}

// followOff finds the rules that the others were not told of, or no longer know to be off.
func (p *publisher) followOff(add func(replica.Item, error)) {
	for name, r := range p.off {
		at := place{replica.Off, name}
		if _, told := p.rest[at]; !told {
			p.rest[at] = sum{}
			add(replica.Put(name, r))
		}
	}
	p.forget(replica.Off, func(name string) bool { _, off := p.off[name]; return off }, add)
}

// followWork finds what changed of what is under way.
func (p *publisher) followWork(st *state.Store, add func(replica.Item, error)) {
	there := make(map[string]bool)
	for _, w := range hub.WorkOf(st) {
		there[string(w.Key)] = true
		p.few(string(w.Key), replica.Work(w), add)
	}
	p.forget(replica.Under, func(id string) bool { return there[id] }, add)
}

// forget tells of the objects of a kind that are no more.
func (p *publisher) forget(kind replica.Kind, there func(id string) bool, add func(replica.Item, error)) {
	for at := range p.rest {
		if at.kind == kind && !there(at.id) {
			delete(p.rest, at)
			add(replica.Item{Kind: kind, ID: at.id, Gone: true}, nil)
		}
	}
}

// receive opens the address of webhooks of a term; nothing where there is none. Only the
// hub that leads listens there, so that a proxy before them all finds it.
func (n *Node) receive() (address engine.Push, pushed <-chan kernel.Event, end func()) {
	if n.cfg.OpenPush == nil || n.cfg.Bus.Secret == nil {
		return nil, nil, func() {}
	}
	e, end := n.cfg.OpenPush(&signing{register: n.cfg.Bus.Secret, keys: n.cfg.Keys, url: n.cfg.PushURL})
	if e == nil {
		return nil, nil, end
	}
	return e, e.Events(), end
}

// signing is what webhooks of the hubs are signed with, sealed in a register that they
// share: the leader after this one verifies by it. It implements endpoint.Secrets for
// one term.
type signing struct {
	register lease.Register
	keys     *seal.Keys
	url      string // where they are delivered to
	revision uint64 // that was read or written last
}

// about is what the secret is sealed about.
func (s *signing) about() string { return "signing secret of webhooks to " + s.url }

// signingVersion is that of the value below.
const signingVersion = 1

type signingValue struct {
	Version int         `json:"v"`
	Sealed  seal.Sealed `json:"sealed"`
}

// Load implements endpoint.Secrets. One of another address does not open: there is none of
// this one.
func (s *signing) Load(ctx context.Context) (endpoint.Kept, error) {
	data, revision, err := s.register.Load(ctx)
	switch {
	case err != nil:
		return endpoint.Kept{}, err
	case revision == 0:
		return endpoint.Kept{}, endpoint.ErrNone
	}
	var v signingValue
	if err := json.Unmarshal(data, &v); err != nil || v.Version != signingVersion {
		return endpoint.Kept{}, errors.New("what the hubs share is of another version")
	}
	s.revision = revision
	plain, err := s.keys.Open(v.Sealed, s.about())
	if err != nil {
		return endpoint.Kept{}, fmt.Errorf("%w of this address: %w", endpoint.ErrNone, err)
	}
	defer clear(plain)
	return endpoint.Decode(plain)
}

// Save implements endpoint.Secrets. A term that is over changes nothing: the one after
// it has read what was there, or written.
func (s *signing) Save(ctx context.Context, kept endpoint.Kept) error {
	plain := kept.Encode()
	defer clear(plain)
	data, err := json.Marshal(signingValue{signingVersion, s.keys.Seal(plain, s.about())})
	if err != nil {
		return fmt.Errorf("encode the signing secret: %w", err)
	}
	next, err := s.register.Swap(ctx, s.revision, data)
	if err != nil {
		return fmt.Errorf("store the signing secret for all hubs: %w", err)
	}
	s.revision = next
	return nil
}
