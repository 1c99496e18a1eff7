package engine

import (
	"errors"
	"fmt"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/guard"
)

// History stores the results of operations, for all dashboards of a profile.
type History interface {
	// Add returns when the record is on disk, and returns it as it was written.
	Add(r state.Record) (state.Record, error)
	// Load returns the latest records, the newest first, at most limit of them.
	Load(limit int) ([]state.Record, error)
	// Hold calls a function with the records since a time, the oldest first, while no
	// other dashboard is in Hold.
	Hold(since time.Time, use func([]state.Record) error) error
	// Fates returns the last fate of operations begun since a time, by their keys.
	Fates(keys []api.IdempotencyKey, since time.Time) (map[api.IdempotencyKey]state.StatusAt, error)
}

// recordOf starts the record of an operation.
func recordOf(op state.Op) state.Record {
	r := state.Record{
		Action: op.Kind.Verb(), Card: op.Card, Name: op.Name, Label: op.Label, Amount: op.Amount, Asked: op.Amount, Tries: op.Tries, Key: op.Key, Plan: op.Bulk, Rule: op.Rule, By: op.By, LimitBefore: op.LimitBefore,
	}
	if op.Write != nil {
		r.Method, r.Route, r.Digest = op.Write.Method, op.Write.Route, op.Write.Digest()
	}
	return r
}

// note records the result of a try; nil when the history has it already.
func (e *Engine) note(op state.Op, ev state.OpDone, call api.Call, outcome api.Result) (told *state.Record, lost string) {
	if !e.newWord(op.Key, outcome) {
		return nil, ""
	}
	r := recordOf(op)
	r.Outcome, r.RequestID, r.Took = outcome.String(), call.RequestID, call.Took
	if call.Err != nil {
		r.Err = errtext.Explain(nil, call.Err)
		if outcome == api.Refused && (call.Status == 0 || op.Bulk != "" && errors.Is(call.Err, api.ErrRateLimited)) {
			r.Outcome = state.OpStatusNotSent // A row that a limit held up is sent again.
		}
		if errors.Is(call.Err, api.ErrApprovalRequired) {
			r.Outcome = state.OpStatusWaits
		}
		return e.remember(r)
	}
	if r.Card == "" {
		r.Card = ev.Card
	}
	if c := ev.Returned; c != nil && op.Kind == state.OpIssue {
		r.Name = cardlist.Name(c.Label, c.Last4)
	}
	r.SetAnswer(&op, ev)
	r.CardBefore, r.CardAfter, r.WalletAfter = ev.Before, ev.CardBalance, ev.WalletBalance
	r.CardShown, r.WalletShown = op.Shown()
	return e.remember(r)
}

// newWord reports whether an outcome is new: an unknown one is recorded once,
// however often it is retried.
func (e *Engine) newWord(key api.IdempotencyKey, outcome api.Result) bool {
	e.noting.Lock()
	defer e.noting.Unlock()
	if outcome != api.Unknown {
		delete(e.noted, key)
		return true
	}
	before := e.noted[key]
	e.noted[key] = true
	return !before
}

// remember adds a record to the history. One that cannot be written is still shown,
// with the reason.
func (e *Engine) remember(r state.Record) (told *state.Record, lost string) {
	r.At = e.cfg.Now().UTC()
	if e.cfg.History == nil {
		return &r, ""
	}
	written, err := e.cfg.History.Add(r)
	if err != nil {
		return &r, err.Error()
	}
	e.recordLate()
	return &written, ""
}

// unrecorded is an operation that is done, and what the history lacks of it.
type unrecorded struct {
	op     state.Op
	record *state.Record
}

// end closes an operation in the journal, unless only the journal has what was done: that counts
// against caps, and its key is of its request. The log that several hubs share has it in any case.
func (e *Engine) end(op state.Op, outcome api.Result, told *state.Record, lost string) error {
	_, shared := e.cfg.History.(interface{ Shared() })
	if lost == "" || outcome != api.Done || shared {
		return e.cfg.Journal.End(op, outcome)
	}
	e.noting.Lock()
	defer e.noting.Unlock()
	e.unrecorded = append(e.unrecorded, unrecorded{op, told})
	return nil
}

// recordLate adds what the history did not take, now that it takes a record again.
func (e *Engine) recordLate() {
	e.noting.Lock()
	defer e.noting.Unlock()
	for len(e.unrecorded) > 0 {
		u := &e.unrecorded[0]
		if _, err := e.cfg.History.Add(*u.record); err != nil {
			return // It is open in the journal still, and the user was told.
		}
		if err := e.cfg.Journal.End(u.op, api.Done); err != nil {
			return // The next start asks for its outcome again, under its key.
		}
		e.unrecorded = e.unrecorded[1:]
	}
}

// withPast calls a function with the records of the last day and the operations
// without an answer, of all dashboards, while none begins another operation that
// guardrails or rules bound.
func (e *Engine) withPast(now time.Time, use func([]state.Record, []state.Op) error) error {
	look := func(records []state.Record) error {
		open, err := e.cfg.Journal.UnderWay()
		if err != nil {
			return err
		}
		return use(records, open)
	}
	if e.cfg.History == nil {
		return look(nil)
	}
	return e.cfg.History.Hold(now.Add(-guard.Day), look)
}

// Fates returns the fates of a plan's operations by their keys, from the journals of
// all dashboards, the history, and what else is known to have begun. One that is
// not in the result was never begun.
func (e *Engine) Fates(keys []api.IdempotencyKey, made time.Time, begun map[api.IdempotencyKey]time.Time) (map[api.IdempotencyKey]state.OpStatus, error) {
	// The history is read second: what it did not have was in the journal.
	words, err := e.cfg.Journal.Fates(keys)
	if err != nil {
		return nil, err
	}
	for key, at := range begun {
		if w, known := words[key]; !known || at.After(w.At) {
			words[key] = state.StatusAt{Status: state.OpStatusBegun, At: at}
		}
	}
	var past map[api.IdempotencyKey]state.StatusAt
	if e.cfg.History != nil {
		if past, err = e.cfg.History.Fates(keys, made); err != nil {
			return nil, fmt.Errorf("tell fates: %w", err)
		}
	}
	for key, w := range past {
		known := words[key]
		if known.Status == state.OpStatusRefused && w.Status == state.OpStatusNotSent {
			known = w // The journal does not tell them apart.
		}
		words[key] = known.Latest(w)
	}
	fates := make(map[api.IdempotencyKey]state.OpStatus, len(words))
	for key, w := range words {
		fates[key] = w.Status
	}
	return fates, nil
}
