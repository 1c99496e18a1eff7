package node

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/hub"
	"github.com/cardtop/cardtop/internal/hub/cluster/journal"
	"github.com/cardtop/cardtop/internal/hub/cluster/oplog"
	"github.com/cardtop/cardtop/internal/hub/cluster/pass"
	"github.com/cardtop/cardtop/state"
)

// buffer keeps an answer in memory. It may hold secrets: wipe overwrites them.
type buffer struct {
	status int
	header http.Header
	body   []byte
}

func newBuffer() *buffer { return &buffer{header: make(http.Header)} }

// Header returns the answer's.
func (b *buffer) Header() http.Header { return b.header }

// WriteHeader sets the status.
func (b *buffer) WriteHeader(status int) {
	if b.status == 0 {
		b.status = status
	}
}

// Write adds to the body. What it had is wiped where it moves.
func (b *buffer) Write(p []byte) (int, error) {
	b.WriteHeader(http.StatusOK)
	if len(b.body)+len(p) > cap(b.body) {
		old := b.body
		b.body = append(make([]byte, 0, 2*len(old)+len(p)), old...)
		clear(old)
	}
	b.body = append(b.body, p...)
	return len(p), nil
}

// copyTo sends the answer on, and wipes it.
func (b *buffer) copyTo(w http.ResponseWriter) {
	defer clear(b.body)
	for name, values := range b.header {
		w.Header()[name] = values
	}
	w.WriteHeader(cmp.Or(b.status, http.StatusInternalServerError))
	_, _ = w.Write(b.body) // Who asked has gone.
}

// passed are the headers that matter to the leader.
func passed() []string {
	return []string{"Authorization", "Content-Type", "Accept", idempotencyKey}
}

const idempotencyKey = "X-Idempotency-Key"

// requestOf is a request on its way to the leader.
func requestOf(r *http.Request, body []byte) pass.Request {
	out := pass.Request{Method: r.Method, URI: r.URL.RequestURI(), Header: make(http.Header), From: r.RemoteAddr, Body: body}
	for _, name := range passed() {
		if v := r.Header.Values(name); len(v) > 0 {
			out.Header[name] = v
		}
	}
	return out
}

// serve answers a request of another hub. It runs in a goroutine of the connection to the
// others, which ends the program when it panics.
func serve(ctx context.Context, h http.Handler, in pass.Request) (out pass.Answer, err error) {
	defer func() {
		if recover() != nil {
			out, err = pass.Answer{Status: http.StatusInternalServerError, Header: make(http.Header)}, nil
		}
	}()
	r, err := http.NewRequestWithContext(ctx, in.Method, "http://hub"+in.URI, bytes.NewReader(in.Body))
	if err != nil {
		return pass.Answer{}, err
	}
	r.Header, r.RemoteAddr, r.RequestURI = in.Header, in.From, in.URI
	if len(in.Body) == 0 {
		r.Body = http.NoBody
	}
	b := newBuffer()
	h.ServeHTTP(b, r)
	return pass.Answer{Status: b.status, Header: b.header, Body: b.body}, nil
}

// handlerFor answers a person as the hub that asks has known them: by the token of their
// request, or by an SSH key.
func handlerFor(s *hub.Server, r pass.Request) http.Handler {
	if r.SSHKey == "" {
		return s
	}
	return s.As(hub.Visitor{Name: r.Name, Key: r.SSHKey})
}

// writes reports whether a request may change something.
func writes(r *http.Request) bool { return r.Method != http.MethodGet && r.Method != http.MethodHead }

// maxBody bounds the body of a request, in bytes. A longer one is passed so far, and
// refused there.
const maxBody = 64<<10 + 1

func readAll(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	return io.ReadAll(io.LimitReader(r.Body, maxBody))
}

// inMemory reports whether a reader may have the answer to a request: it is asked first.
func inMemory(r *http.Request) bool {
	if r.Method != http.MethodGet {
		return false
	}
	path := r.URL.EscapedPath()
	switch path {
	case "/v1/cards", "/v1/transactions", "/v1/wallet/balance", "/v1/wallet/deposits", "/hub/v1/about":
		return true
	case "/v1/3ds":
		return r.URL.Query().Get("status") == "pending"
	default:
		return strings.HasPrefix(path, "/v1/3ds/")
	}
}

// isStream reports whether a request is answered for as long as it is read.
func isStream(r *http.Request) bool { return r.URL.EscapedPath() == "/hub/v1/stream" }

// settled are the operations with an outcome that the hubs share.
type settled interface {
	Settled(since time.Time) []oplog.Record
}

// past is this machine's history and what other hubs did as leaders, which guardrails
// count too.
type past struct {
	engine.History
	log    settled
	clocks *clocks
}

// Shared says that the log of the hubs has what was done as well.
func (past) Shared() {}

// Hold calls a function with the records since a time, those of other leaders among
// them.
func (p past) Hold(since time.Time, use func([]state.Record) error) error {
	return p.History.Hold(since, func(own []state.Record) error {
		all := p.with(own, since)
		slices.SortStableFunc(all, func(a, b state.Record) int { return a.At.Compare(b.At) })
		return use(all)
	})
}

// Load returns the latest records, those of other leaders among them: rules count them
// too.
func (p past) Load(limit int) ([]state.Record, error) {
	own, err := p.History.Load(limit)
	if err != nil {
		return nil, err
	}
	all := p.with(own, time.Time{})
	slices.SortStableFunc(all, func(a, b state.Record) int { return b.At.Compare(a.At) })
	return all[:min(len(all), limit)], nil
}

// Fates returns the fates of operations by their keys, of those too that other leaders
// did.
func (p past) Fates(keys []api.IdempotencyKey, made time.Time) (map[api.IdempotencyKey]state.StatusAt, error) {
	fates, err := p.History.Fates(keys, made)
	if err != nil {
		return nil, err
	}
	if fates == nil {
		fates = make(map[api.IdempotencyKey]state.StatusAt)
	}
	for _, r := range p.settled(made) {
		if mine, known := fates[r.Op.Key]; known && (r.State.Undone() || !undone(mine.Status)) || !slices.Contains(keys, r.Op.Key) {
			continue
		}
		is := recordOf(r)
		fates[is.Key] = state.StatusAt{Status: is.Outcome, At: is.At}
	}
	return fates, nil
}

// settled returns the operations of the log that began at a time or later, all by this hub's clock: a cap's 24 hours
// are those of the hub that counts.
func (p past) settled(since time.Time) []oplog.Record {
	all := slices.Clone(p.log.Settled(p.clocks.earliest(since)))
	for i := range all {
		all[i].Op.Begun = p.clocks.here(all[i].Op.Lease, all[i].Op.Begun)
	}
	return slices.DeleteFunc(all, func(r oplog.Record) bool { return r.Op.Begun.Before(since) })
}

// with adds to this machine's records what other leaders did since a time.
func (p past) with(own []state.Record, since time.Time) []state.Record {
	last := make(map[api.IdempotencyKey]*state.Record, len(own))
	for i := range own {
		if known := last[own[i].Key]; known == nil || !own[i].At.Before(known.At) {
			last[own[i].Key] = &own[i]
		}
	}
	all := slices.Clone(own)
	for _, r := range p.settled(since) {
		mine := last[r.Op.Key]
		if mine != nil && (r.State.Undone() || !undone(mine.Outcome)) {
			continue
		}
		if mine != nil {
			// This hub gave it up, and another did it: its own record no longer holds.
			all = slices.DeleteFunc(all, func(o state.Record) bool { return o.Key == r.Op.Key })
		}
		all = append(all, recordOf(r))
	}
	return all
}

// undone reports whether a record says that nothing moved.
func undone(s state.OpStatus) bool {
	return s == state.OpStatusRefused || s == state.OpStatusNotSent || s == state.OpStatusResolvedNotDone
}

// recordOf is the record of an operation that another hub did.
func recordOf(r oplog.Record) state.Record {
	return state.Record{
		At: r.Op.Begun, Key: r.Op.Key, Action: r.Op.Kind, Card: r.Op.Card, Name: r.Op.Name, Label: r.Op.Label, Amount: cmp.Or(r.Moved, r.Op.Amount), Asked: r.Op.Amount, Rule: r.Op.Rule,
		By: state.Actor(r.Op.By), Outcome: journal.StatusOf(r.State), Tries: r.Tries,
	}
}
