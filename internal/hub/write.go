package hub

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/lease"
	"github.com/cardtop/cardtop/internal/hub/once"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
)

// operation is a write that a person may send.
type operation struct {
	state.ForwardWrite
	// all reports whether the person sees all cards.
	all bool
}

// write sends a write once and answers as the service did.
func (s *Server) write(r *request, kind state.OpKind) (answer, error) {
	op, given, err := s.operationOf(r, kind)
	if err == nil {
		err = s.restored(r.Context())
	}
	if err != nil {
		return answer{}, err
	}
	entry, found := s.writes.Begin(op.Key, op.Write.Body)
	switch found {
	case once.Reused:
		return answer{}, reused()
	case once.Waiting, once.Settled:
		return s.await(r.Context(), entry, &op)
	case once.New:
	}
	if given {
		if _, err := s.doneBefore(op.Key, entry); err != nil {
			return answer{}, err
		}
		if s.approvals.Holds(op.Key, sha256.Sum256(op.Write.Body)) {
			s.writes.Forget(entry, once.Outcome{Err: reused()})
			return answer{}, reused()
		}
	}
	if err := s.seeToWrite(r, &op); err != nil {
		s.writes.Forget(entry, once.Outcome{Err: err})
		return answer{}, err
	}
	why, err := s.waitsForLead(r, &op)
	if why != "" {
		err = s.askApproval(r, op, why)
	}
	if err != nil {
		s.writes.Forget(entry, once.Outcome{Err: err})
		return answer{}, err
	}
	if err := s.begin(r.Context(), &op, entry); err != nil {
		return answer{}, err
	}
	return s.await(r.Context(), entry, &op)
}

// seeToWrite reads the card of a write again for a person who does not see all: another
// program may have given it a label since the list was read.
func (s *Server) seeToWrite(r *request, op *operation) error {
	if op.Card == "" || op.all {
		return nil
	}
	_, now, err := s.readCard(r.Context(), op.Card)
	if err != nil {
		return readRefusal(err)
	}
	if !r.person.Sees(string(now.Label)) {
		return notFound()
	}
	op.Label, op.Name = string(now.Label), now.Name()
	return nil
}

// routeOf is the template of a write, as the client has it.
func routeOf(kind state.OpKind) string {
	switch kind {
	case state.OpIssue:
		return "/cards"
	case state.OpUpdate, state.OpTerminate:
		return "/cards/{card_id}"
	case state.OpSubscribe:
		return "/webhooks"
	case state.OpUnsubscribe:
		return "/webhooks/{webhook_id}"
	case state.OpWithdraw:
		return "/cards/{card_id}/withdraw"
	default:
		return "/cards/{card_id}/" + kind.String()
	}
}

// operationOf makes the operation of a request, after it was checked that the person
// may do it. given reports whether the key is the person's and not one made here.
func (s *Server) operationOf(r *request, kind state.OpKind) (op operation, given bool, err error) {
	op.Kind, op.By, op.all = kind, r.actor(), r.person.SeesAll()
	if kind != state.OpIssue && kind != state.OpSubscribe && kind != state.OpUnsubscribe {
		c, err := s.see(r.Context(), r.person, r.id)
		if err != nil {
			return op, false, err
		}
		op.Card, op.Name, op.Label = api.CardID(r.id), c.name, c.label
	}
	body, err := readBody(r)
	if err != nil {
		return op, false, err
	}
	op.Write = writeTo(r.Method, r.id, kind, body)
	if err := s.particulars(r.person, &op); err != nil {
		return op, false, err
	}
	key := r.Header.Get("X-Idempotency-Key")
	given = key != ""
	if !given {
		key = string(api.NewIdempotencyKey())
	}
	if len(key) > 255 || strings.ContainsFunc(key, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return op, false, invalid("X-Idempotency-Key is too long, or not printable")
	}
	op.Key = once.Key(r.token, key, r.Method, op.Write.Path)
	return op, given, nil
}

// writeTo is the request of a write about what has an id.
func writeTo(method, id string, kind state.OpKind, body []byte) api.Write {
	if kind == state.OpFreeze || kind == state.OpUnfreeze || kind == state.OpTerminate || kind == state.OpUnsubscribe {
		body = nil
	}
	path := strings.Replace(routeOf(kind), "{card_id}", id, 1)
	path = strings.Replace(path, "{webhook_id}", id, 1)
	return api.Write{Method: method, Route: routeOf(kind), Path: path, Body: body, Sensitive: kind == state.OpSubscribe}
}

// particulars reads what the hub has to know of a body, and refuses what the person may
// not ask for. The rest is for the service to say.
func (s *Server) particulars(p *team.Person, op *operation) error {
	body, err := parseFields(op.Write.Body)
	if err != nil {
		return err
	}
	switch op.Kind {
	case state.OpFund, state.OpWithdraw, state.OpIssue:
		if op.Amount, err = body.amount(); err != nil {
			return err
		}
	default:
	}
	if op.Kind != state.OpIssue && op.Kind != state.OpUpdate {
		return nil
	}
	label, named, err := body.label()
	switch {
	case err != nil:
		return err
	case (named || op.Kind == state.OpIssue) && !p.Sees(label):
		return forbidden("the label is not one of yours")
	case op.Kind == state.OpIssue:
		op.Label, op.Name = label, "a card "+orText(label, "without label")
	}
	return nil
}

// doneBefore refuses a key that an earlier run of the hub knew: its answer is gone, and
// the service may have forgotten the key. begun reports that it was begun.
func (s *Server) doneBefore(key api.IdempotencyKey, entry *once.Entry) (begun bool, err error) {
	fates, err := s.cfg.Engine.Fates([]api.IdempotencyKey{key}, s.cfg.Now().Add(-keptKeys), nil)
	if err != nil {
		err = refuse(http.StatusInternalServerError, "internal_error", "the journal cannot be read: nothing was sent")
		s.writes.Forget(entry, once.Outcome{Err: err})
		return false, err
	}
	switch fates[key] {
	case "", state.OpStatusRefused, state.OpStatusNotSent:
		return false, nil
	case state.OpStatusResolvedDone, state.OpStatusResolvedNotDone:
		err := &settledError{done: fates[key] == state.OpStatusResolvedDone}
		s.writes.Settle(key, once.Outcome{Unknown: true, Err: err})
		return true, unknown(err)
	case state.OpStatusDone:
		s.writes.Settle(key, once.Outcome{Unknown: true, Err: errDone})
		return true, unknown(errDone)
	default:
		s.writes.Settle(key, once.Outcome{Unknown: true, Err: errBefore})
		return true, unknown(errBefore)
	}
}

// keptKeys is how far back keys are looked for.
const keptKeys = 24 * time.Hour

var errBefore = errors.New("this key was used before the hub was restarted: read the card, nothing was sent now")

// errDone is that its outcome is known, and its answer gone.
var errDone = errors.New("it was done, and its answer is not kept any more: read the card, nothing was sent now")

// reused is the answer to a key that came with another body.
func reused() *refusal {
	return refuse(http.StatusBadRequest, "idempotency_key_reused", "the idempotency key came with another body")
}

// begin takes the lease of the card and starts the operation. When it does not, who waits
// for the entry is told why.
func (s *Server) begin(ctx context.Context, op *operation, entry *once.Entry) error {
	leased := op.Kind == state.OpFund || op.Kind == state.OpWithdraw || op.Kind == state.OpTerminate
	if leased {
		holder := lease.Holder{Key: op.Key, Name: op.By.Name, What: op.Kind.String()}
		if other, taken := s.cfg.Leases.Take(op.Card, holder); !taken {
			err := busy(other.What, other.Name)
			s.writes.Forget(entry, once.Outcome{Err: err})
			return err
		}
	}
	var refused error
	err := s.call(ctx, func(st *state.Store) (kernel.Topic, []kernel.Effect) {
		for _, other := range st.Ops.List() {
			if leased && other.Card == op.Card && other.Key != op.Key && other.Kind.MovesWallet() {
				refused = busy(other.Kind.String(), other.By.Name)
				return 0, nil
			}
		}
		topics, effects, err := st.Dispatch(op.ForwardWrite)
		if err != nil {
			refused = refuse(http.StatusForbidden, "forbidden", err.Error())
			return topics, effects
		}
		if leased {
			s.answered.mu.Lock()
			s.answered.leased[op.Key] = op.Card
			s.answered.mu.Unlock()
		}
		return topics, effects
	})
	if err = errors.Join(err, refused); err != nil {
		s.writes.Forget(entry, once.Outcome{Err: err})
		if leased {
			s.cfg.Leases.Release(op.Card, op.Key)
		}
	}
	return err
}

func busy(what, name string) *refusal {
	if name != "" {
		name = " by " + name
	}
	return refuse(http.StatusConflict, "busy", "a "+what+" of this card"+name+" is under way")
}

// await answers when the outcome of a write is there.
func (s *Server) await(ctx context.Context, entry *once.Entry, op *operation) (answer, error) {
	select {
	case <-entry.Done():
	case <-ctx.Done():
		return answer{}, unknown(ctx.Err())
	case <-s.stopped:
		select {
		case <-entry.Done():
		default:
			return answer{}, unknown(errors.New("the hub is stopping"))
		}
	}
	secret := op.Kind == state.OpSubscribe
	take := entry.Outcome
	if secret {
		take = entry.Reveal
	}
	o := take()
	defer o.Body.Wipe()
	switch {
	case o.Unknown:
		return answer{}, unknown(o.Err)
	case o.Err != nil || o.Wait > 0:
		s.writes.Forget(entry, o)
		return answer{}, writeRefusal(o, op)
	}
	body := append([]byte(nil), o.Body.Bytes()...)
	if secret && len(body) == 0 {
		return answer{}, unknown(errors.New("it was done, and its answer was told once"))
	}
	return answer{status: o.Status, body: body, wipe: secret, age: -1, requestID: string(o.RequestID)}, nil
}

// unknown is the answer to a write that may have acted.
func unknown(err error) *refusal {
	e := refuse(http.StatusGatewayTimeout, "unknown_outcome", "it may have acted: ask again with the same idempotency key")
	var of *api.Error
	var settled *settledError
	switch {
	case errors.As(err, &settled):
		e.id, e.message = settled.id(), settled.Error()
	case errors.As(err, &of):
		e.requestID = string(of.RequestID)
	case err != nil && !errors.Is(err, context.Canceled):
		e.message = "it may have acted: " + err.Error()
	}
	return e
}

// writeRefusal is the answer to a write that was not done.
func writeRefusal(o once.Outcome, op *operation) *refusal {
	if o.Wait > 0 {
		return tooMany(o.Wait)
	}
	if own := (*refusal)(nil); errors.As(o.Err, &own) {
		return own // It was refused before it was begun.
	}
	if why := guardWhy(o.Err); why != "" {
		if !op.all {
			why = "a guardrail of the team refuses this amount" // Its sums are of all cards.
		}
		return refuse(http.StatusForbidden, "guardrail", why)
	}
	var e *api.Error
	switch {
	case !errors.As(o.Err, &e):
		return refuse(http.StatusConflict, "not_sent", "nothing was sent: the hub could not write it down")
	case e.Status == http.StatusUnauthorized:
		return refuse(http.StatusForbidden, "upstream_key_refused", "the service refuses the hub's key")
	case e.Status == 0:
		return refuse(http.StatusConflict, "not_sent", "nothing was sent: the service cannot be reached")
	case e.Status == http.StatusTooManyRequests:
		return &refusal{status: e.Status, id: orText(e.ID, "rate_limited"), message: orText(string(e.Message), "too many requests"), retryAfter: max(time.Second, e.RetryAfter), requestID: string(e.RequestID)}
	}
	return &refusal{status: e.Status, id: orText(e.ID, "refused"), message: orText(string(e.Message), "the service refused it"), requestID: string(e.RequestID)}
}
