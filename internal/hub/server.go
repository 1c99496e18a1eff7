// Package hub serves the card API to a team: the contract's paths below /v1, answered
// from one store and one key, and what the API does not have below /hub/v1. What a
// person may not see is in no answer.
package hub

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/engine/loop"
	"github.com/cardtop/cardtop/internal/hub/approval"
	"github.com/cardtop/cardtop/internal/hub/lease"
	"github.com/cardtop/cardtop/internal/hub/limit"
	"github.com/cardtop/cardtop/internal/hub/once"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
)

// Leases let one operation at a time move the money of a card.
type Leases interface {
	// Take takes the lease of a card; when another operation has it, it returns that
	// one and false.
	Take(card api.CardID, h lease.Holder) (other lease.Holder, taken bool)
	// Release lets it go if the operation of a key has it.
	Release(card api.CardID, key api.IdempotencyKey)
}

// Audit stores what people did.
type Audit interface {
	// Add returns when the record is on disk.
	Add(r state.Record) (state.Record, error)
}

// Config is what a hub is made of.
type Config struct {
	// Engine sends what the hub asks the service for. The journal is its own.
	Engine *engine.Engine
	// Store are the settings of the store, Pending the operations that an earlier run
	// left without an answer.
	Store   settings.Config
	Pending []state.Op
	Audit   Audit
	Team    *team.Live
	// Leases may be nil: then they are this hub's alone.
	Leases Leases
	Limits limit.Limits
	// Keep may be nil: then a restart forgets requests for approvals and claims.
	Keep Keeper
	// Mode is "live", "test" or "sandbox", for those who ask about the hub.
	Mode, Version string
	// Now is this machine's clock.
	Now func() time.Time
	// Tell prints a line for who runs the hub.
	Tell func(string)
	// Act and Suggest are the names of the rules of Store that act, or say what they would
	// do. Those that alert always do.
	Act, Suggest []string
	// Pushed is what webhooks tell of; nil where they are not received.
	Pushed <-chan kernel.Event
	// Several is set where the hub is one of several; nil is one alone.
	Several *Several
}

// Server is a hub. Its methods may be called from several goroutines.
type Server struct {
	cfg       Config
	calls     chan loop.Call
	stopped   chan struct{}
	ready     chan struct{} // closed when the lists were read once
	isReady   sync.Once
	limits    *limit.Table
	writes    *once.Table
	approvals *approval.Table[operation]
	cache     *cache
	hot       hotOrder
	pages     pages
	texts     codeTexts
	answered  answered
	waiting   []waiter // of the goroutine that owns the store
	streams   streams
	claims    claims
	presence  presence
	routes    []route
	link      string // what was last printed of the service
	pushed    string // what was last printed of webhooks
	rules     rules
}

// New makes a hub. It answers once Run runs.
func New(cfg Config) *Server {
	if cfg.Leases == nil {
		cfg.Leases = lease.New()
	}
	s := &Server{
		cfg: cfg, calls: make(chan loop.Call), stopped: make(chan struct{}), ready: make(chan struct{}),
		limits: limit.New(cfg.Limits, cfg.Now), writes: once.NewTable(cfg.Now),
		cache: newCache(cfg.Now), texts: make(codeTexts), streams: newStreams(), presence: newPresence(),
	}
	s.approvals, s.claims = approval.New(cfg.Now, s.saveApprovals), newClaims(s.saveClaims)
	s.answered.leased = make(map[api.IdempotencyKey]api.CardID)
	s.rules = newRules(cfg.Act, cfg.Suggest, cfg.rulesOff())
	s.routes = s.contract()
	return s
}

// Run polls and answers until the context ends, or the service refuses the key.
func (s *Server) Run(ctx context.Context) error {
	defer close(s.stopped)
	defer s.streams.closeAll()
	if err := s.restore(); err != nil {
		return err
	}
	cfg := s.cfg.Store
	cfg.Push = s.cfg.Pushed != nil
	store := state.New(cfg)
	store.Resume(s.cfg.Pending, s.cfg.Now())
	for _, op := range s.cfg.Pending {
		s.adopt(op)
	}
	var failed error
	err := loop.Run(ctx, loop.Config{
		Store: store, Do: s.do, Now: s.cfg.Now, Calls: s.calls, Events: s.events(),
		Changed: func(t kernel.Topic) ([]kernel.Intent, bool) {
			s.changed(store, t)
			failed = store.Poll.RefusedAtStart()
			return s.runRules(store, t), failed != nil
		},
	})
	if failed != nil {
		return failed
	}
	return err
}

// People is called when the team has changed: streams of those who are not in it any
// more end, and so do their requests for an approval.
func (s *Server) People() {
	s.streams.keep(s.cfg.Team.Team())
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for _, req := range s.endRemoved() {
		s.tellAsked(ctx, req)
	}
}

// request is one that a known person sent.
type request struct {
	*http.Request
	person *team.Person
	token  team.Hash
	// via is how the person is connected, before their address in the audit; empty for
	// HTTP.
	via string
	// id is the identifier in the path; empty for none.
	id string
	// path is below the version.
	path string
}

// from is the address that the request came from.
func (r *request) from() string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = string(api.Clean(r.RemoteAddr))
	}
	return r.via + host
}

// writeTimeout bounds how long an answer may take to send.
const writeTimeout = 30 * time.Second

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rc := http.NewResponseController(w)
	_ = rc.SetReadDeadline(s.cfg.Now().Add(bodyTimeout)) // A connection in memory has none.
	_ = rc.SetWriteDeadline(s.cfg.Now().Add(writeTimeout))
	token, ok := bearer(r)
	person, known := s.cfg.Team.Team().Find(token)
	if !ok || !known {
		w.Header().Set("Connection", "close") // Who has no token holds no connection.
		s.send(w, answer{err: refuse(http.StatusUnauthorized, "unauthorized", api.HubUnknownToken)})
		return
	}
	req := &request{Request: r, person: person, token: team.HashOf(token)}
	clear(token)
	s.answer(w, req)
}

// answer answers a request of a known person.
func (s *Server) answer(w http.ResponseWriter, req *request) {
	s.presence.note(req.person.Name, s.cfg.Now())
	if wait := s.limits.Take(req.person.Name, limit.Request); wait > 0 {
		s.send(w, answer{err: tooMany(wait)})
		return
	}
	if _, err := url.ParseQuery(req.URL.RawQuery); err != nil { // What cannot be read of it would not count.
		s.send(w, answer{err: invalid("the query of the address is not valid")})
		return
	}
	rt, others, strange := s.match(req)
	switch {
	case rt != nil && rt.stream != nil:
		rt.stream(w, req)
	case rt != nil:
		a, err := rt.answer(req)
		if err != nil {
			a = answer{err: readRefusal(err)}
		}
		s.send(w, a)
	case len(others) > 0:
		w.Header().Set("Allow", strings.Join(others, ", "))
		s.send(w, answer{err: refuse(http.StatusMethodNotAllowed, "method_not_allowed", "this path does not know the method")})
	case strange != "":
		s.send(w, answer{err: s.refuseStrange(req, strange)})
	default:
		s.send(w, answer{err: refuse(http.StatusNotFound, "not_found", "path not found")})
	}
}

// bearer returns the token of a request.
func bearer(r *http.Request) ([]byte, bool) {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	return []byte(token), ok && strings.EqualFold(scheme, "Bearer") && token != ""
}

const (
	headerTimeout = 5 * time.Second
	bodyTimeout   = 15 * time.Second
	idleTimeout   = 3 * time.Minute
	maxHeader     = 16 << 10
	// lastWords bounds how long requests under way may take when the hub ends.
	lastWords = 12 * time.Second
)

// Serve answers on a listener until the context ends: over TLS with a certificate,
// without one in the clear. Then writes under way have their time to end.
func (s *Server) Serve(ctx context.Context, l net.Listener, cert *tls.Certificate) error {
	return Serve(ctx, l, cert, s, s.EndStreams)
}

// Serve is Server.Serve for any handler. ends ends what would not end by itself.
func Serve(ctx context.Context, l net.Listener, cert *tls.Certificate, h http.Handler, ends func()) error {
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		// What it would print is about connections of others, at their will.
		ErrorLog:                     log.New(io.Discard, "", 0),
		DisableGeneralOptionsHandler: true,
	}
	if cert != nil {
		l = tls.NewListener(l, &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{*cert}, NextProtos: []string{"http/1.1"}})
	}
	l = documented{l}
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		ends()
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
		defer cancel()
		stopped <- server.Shutdown(last)
	})
	err := server.Serve(l)
	if !stop() && errors.Is(err, http.ErrServerClosed) {
		return <-stopped
	}
	return err
}
