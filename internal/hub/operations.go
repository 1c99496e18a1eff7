package hub

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/once"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
)

// operationBody is an operation that has no outcome, with what shows whether it acted.
type operationBody struct {
	ID     api.IdempotencyKey `json:"id"`
	Name   string             `json:"by"`
	What   string             `json:"operation"`
	Card   api.CardID         `json:"card_id,omitempty"`
	Label  string             `json:"label"`
	Amount api.USD            `json:"amount"`
	At     time.Time          `json:"at"`
	// State is "sending", "asking" while the hub asks again by itself, or "unsettled".
	State  string         `json:"state"`
	Status api.CardStatus `json:"card_status,omitempty"`
	// Balance is the card's, read since it began; Before and After are those of before it
	// and as it would leave them. Nil where not known.
	Balance *api.USD `json:"card_balance"`
	Before  *api.USD `json:"card_balance_before"`
	After   *api.USD `json:"card_balance_after"`
	// Suggests is "done" or "not-done" by these figures; empty where they say nothing.
	Suggests string `json:"suggests"`
}

// operationRow is an operation as it is now.
func operationRow(st *state.Store, op state.Op, label string) operationBody {
	row := operationBody{
		ID: op.Key, Name: op.By.Name, What: op.Kind.String(), Card: op.Card, Label: label, Amount: op.Amount, At: op.At.UTC(),
		State: phaseOf(op),
	}
	if op.Expected != (state.Preview{}) {
		row.Before, row.After = &op.Expected.CardBefore, &op.Expected.CardAfter
	}
	e, known := st.Ops.Evidence(op.ID)
	if known && !e.CardAt.IsZero() && !e.CardEarlier {
		row.Balance, row.Status = &e.Card, e.Status
	}
	switch e.Suggests {
	case state.SuggestsDone:
		row.Suggests = settleDone
	case state.SuggestsNotDone:
		row.Suggests = settleNotDone
	case state.SuggestsNothing:
	}
	return row
}

// phaseOf is how far an operation has come, in a word.
func phaseOf(op state.Op) string {
	return [...]string{state.Sending: "sending", state.Unknown: "asking", state.Unsettled: "unsettled"}[op.Phase]
}

// listOperations lists what has no outcome yet, of the cards that the person sees.
func (s *Server) listOperations(r *request) (answer, error) {
	out := listOf[operationBody]{Data: []operationBody{}}
	err := s.read(r.Context(), func(st *state.Store) {
		for _, op := range st.Ops.List() {
			if label, ok := seesWork(st, r.person, workOf(op)); ok {
				out.Data = append(out.Data, operationRow(st, op, label))
			}
		}
	})
	if err != nil {
		return answer{}, err
	}
	return jsonOf(out, -1)
}

// How an operation is settled.
const (
	settleRead    = "read" // its card is read again
	settleDone    = "done"
	settleNotDone = "not-done"
)

// settleOperation reads again what shows whether an operation acted, or takes the word of
// a lead for it. That is in the audit first.
func (s *Server) settleOperation(r *request) (answer, error) {
	body, err := readBody(r)
	if err != nil {
		return answer{}, err
	}
	var in struct {
		Settle string `json:"settle"`
	}
	if json.Unmarshal(body, &in) != nil || in.Settle != settleRead && in.Settle != settleDone && in.Settle != settleNotDone {
		return answer{}, invalid("settle is not read, done or not-done")
	}
	op, row, err := s.findOperation(r)
	switch {
	case err != nil:
		return answer{}, err
	case in.Settle == settleRead:
		return s.readOperation(r, op)
	case op.Phase != state.Unsettled:
		return answer{}, stillAsked()
	}
	record := state.Record{
		Action: "settle", Card: op.Card, Name: op.Name, Label: row.Label, Amount: op.Amount, Outcome: state.OpStatusResolvedNotDone,
		Method: http.MethodPost, Route: "/hub/v1/operations/{id}", By: r.actor(), Err: "the " + row.What + " that " + orText(op.By.Name, "the hub") + " asked for",
	}
	if in.Settle == settleDone {
		record.Outcome = state.OpStatusResolvedDone
	}
	if _, err := s.cfg.Audit.Add(record); err != nil {
		return answer{}, refuse(http.StatusInternalServerError, "audit_failed", "the audit cannot be written: nothing was settled")
	}
	return s.resolve(r, op, in.Settle)
}

// resolve settles an operation as a lead says, and tells whoever asks for it again.
func (s *Server) resolve(r *request, op state.Op, as string) (answer, error) {
	var refused error
	err := s.call(r.Context(), func(st *state.Store) (kernel.Topic, []kernel.Effect) {
		topics, effects, err := st.Dispatch(state.Resolve{Op: op.ID, Happened: as == settleDone})
		if err != nil {
			refused = stillAsked()
			return topics, effects
		}
		s.writes.Settle(op.Key, once.Outcome{Unknown: true, Err: &settledError{by: r.person.Name, done: as == settleDone}})
		s.cache.forget()
		return topics, effects
	})
	if err = errors.Join(err, refused); err != nil {
		return answer{}, err
	}
	return jsonOf(struct {
		ID      api.IdempotencyKey `json:"id"`
		Settled string             `json:"settled"`
	}{op.Key, as}, -1)
}

// settledError is that a person said what became of a write without an outcome.
type settledError struct {
	by   string // empty where it is not known any more
	done bool
}

// as is the word that it was settled with.
func (e *settledError) as() string {
	if e.done {
		return settleDone
	}
	return settleNotDone
}

func (e *settledError) Error() string {
	as := e.as()
	if e.by == "" { // A lead did, or what was read since.
		return "it was settled as " + as
	}
	return e.by + " settled it as " + as
}

// id is what the answer to whoever asks for it again is known by.
func (e *settledError) id() string {
	if e.done {
		return api.HubSettledDone
	}
	return api.HubSettledNotDone
}

// tellOutcome tells what became of a write of the person's. It sends nothing, whatever the
// key: who lost the answer and asks for it no more asks here.
func (s *Server) tellOutcome(r *request) (answer, error) {
	q := r.URL.Query()
	key := once.Key(r.token, q.Get("key"), q.Get("method"), q.Get("path"))
	open := false
	err := s.read(r.Context(), func(st *state.Store) {
		open = slices.ContainsFunc(st.Ops.List(), func(op state.Op) bool { return op.Key == key })
	})
	if err != nil {
		return answer{}, err
	}
	entry, known := s.writes.Find(key)
	if known && !open {
		o, ended := entry.Ended()
		var by *settledError
		switch {
		case !ended:
			open = true
		case errors.As(o.Err, &by):
			return settledOf(by)
		case !o.Unknown && o.Err == nil && o.Wait == 0:
			return jsonOf(api.HubOutcome{State: api.HubDone, Message: "the service did it"}, -1)
		}
	}
	if open {
		return jsonOf(api.HubOutcome{State: api.HubOpen}, -1)
	}
	return s.recordedOutcome(key)
}

// recordedOutcome tells what the journal and the history say of a key.
func (s *Server) recordedOutcome(key api.IdempotencyKey) (answer, error) {
	fates, err := s.cfg.Engine.Fates([]api.IdempotencyKey{key}, s.cfg.Now().Add(-keptKeys), nil)
	if err != nil {
		return answer{}, refuse(http.StatusInternalServerError, "internal_error", "the journal cannot be read")
	}
	switch fates[key] {
	case "":
		return jsonOf(api.HubOutcome{State: api.HubNone}, -1)
	case state.OpStatusDone:
		return jsonOf(api.HubOutcome{State: api.HubDone, Message: "the service did it"}, -1)
	case state.OpStatusRefused:
		return jsonOf(api.HubOutcome{State: api.HubNotDone, Message: "the service refused it"}, -1)
	case state.OpStatusNotSent:
		return jsonOf(api.HubOutcome{State: api.HubNotDone, Message: "the hub did not send it"}, -1)
	case state.OpStatusResolvedDone, state.OpStatusResolvedNotDone:
		return settledOf(&settledError{done: fates[key] == state.OpStatusResolvedDone})
	default:
		return jsonOf(api.HubOutcome{State: api.HubUnknown}, -1)
	}
}

// settledOf is the outcome of what a person settled.
func settledOf(by *settledError) (answer, error) {
	return jsonOf(api.HubOutcome{State: api.Text(by.as()), Message: api.Text(by.Error())}, -1)
}

// stillAsked is the answer while an operation may be answered by the service.
func stillAsked() *refusal {
	return refuse(http.StatusConflict, "still_asked", "the hub still asks for it with the same key, or has its answer by now: list the operations")
}

// findOperation finds the operation of a path.
func (s *Server) findOperation(r *request) (op state.Op, row operationBody, err error) {
	found := false
	err = s.read(r.Context(), func(st *state.Store) {
		for _, o := range st.Ops.List() {
			if label, ok := seesWork(st, r.person, workOf(o)); ok && string(o.Key) == r.id {
				op, row, found = o, operationRow(st, o, label), true
			}
		}
	})
	if err == nil && !found {
		err = notFound()
	}
	return op, row, err
}

// lookAgain is how often it is looked whether what was asked for is there.
const lookAgain = 50 * time.Millisecond

// readOperation has an operation's card read and answers with the figures, or with those
// of before when they do not come in time.
func (s *Server) readOperation(r *request, op state.Op) (answer, error) {
	var before time.Time
	err := s.call(r.Context(), func(st *state.Store) (kernel.Topic, []kernel.Effect) {
		e, _ := st.Ops.Evidence(op.ID)
		before = later(e)
		topics, effects, err := st.Dispatch(state.ReadAgain{Op: op.ID})
		if err != nil {
			return 0, nil // It has an outcome: it is not found below.
		}
		return topics, effects
	})
	if err != nil {
		return answer{}, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	ticks := time.NewTicker(lookAgain)
	defer ticks.Stop()
	for fresh := false; !fresh; {
		select {
		case <-ctx.Done():
			fresh = true // As far as it is known.
		case <-ticks.C:
			err := s.read(r.Context(), func(st *state.Store) {
				e, there := st.Ops.Evidence(op.ID)
				fresh = !there || later(e).After(before)
			})
			if err != nil {
				return answer{}, err
			}
		}
	}
	_, row, err := s.findOperation(r)
	if err != nil {
		return answer{}, err
	}
	return jsonOf(row, -1)
}

// later is when the evidence of an operation was read.
func later(e state.Evidence) time.Time {
	if e.WebhooksAt.After(e.CardAt) {
		return e.WebhooksAt
	}
	return e.CardAt
}
