package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
)

// write sends an operation's request once, under the operation's own key. The
// journal has it on disk before its first byte is sent.
func (e *Engine) write(ctx context.Context, op state.Op, m *state.Meta) state.Event {
	w := op.Write
	if w == nil {
		e.finish(m)
		return state.OpFailed{Meta: *m, Op: op.ID, Err: errNothingToSend, NotSent: true}
	}
	if err := e.begin(op, *w); err != nil {
		e.finish(m)
		return state.OpFailed{Meta: *m, Op: op.ID, Err: fmt.Errorf("nothing was sent: %w", err), NotSent: true}
	}
	e.newestMove(op)
	ctx, cancel := e.within(ctx, op)
	defer cancel()
	ev, call := e.send(ctx, op, *w)
	// It is firm by what was running when it began: one begun since may have acted
	// first.
	op.Firm = op.Firm && e.newestMove(op) == op.ID
	e.finish(m)
	outcome := op.Outcome(call.Err)
	// The history comes first: the journal removes what is settled.
	told, lost := e.note(op, ev, call, outcome)
	note := ""
	if err := e.cfg.Journal.End(op, outcome); err != nil {
		note = err.Error()
	}
	if call.Err != nil {
		return state.OpFailed{Meta: *m, Op: op.ID, Err: call.Err, Record: told, Lost: lost, Note: note}
	}
	ev.Meta, ev.Op, ev.Record, ev.Lost, ev.Note = *m, op.ID, told, lost, note
	return ev
}

// within ends the first try of an operation at its deadline, counted from when it
// was asked for: a program that was stopped in between, or a disk that took its
// time, does not make it act later. Nothing is sent after it.
func (e *Engine) within(ctx context.Context, op state.Op) (context.Context, context.CancelFunc) {
	if op.Tries > 1 || op.At.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, state.WriteDeadline-op.Age(e.cfg.Now()))
}

// begin writes an operation to the disk, unless the guardrails refuse it. A retry is
// not refused: it moves nothing more. A row is written to its plan first, so that it
// is not begun again should all else be lost.
func (e *Engine) begin(op state.Op, w api.Write) error {
	g, now := e.guardrails(), e.cfg.Now()
	if op.Bulk != "" {
		if err := e.plans().Begun(op.Bulk, op.Key, now); err != nil {
			return err
		}
	}
	if !op.Kind.Takes() || !g.Sums() && g.Refuse(op.Label, op.Amount, nil, now) == "" {
		return e.cfg.Journal.Begin(op, w)
	}
	return e.withMoved(now, func(moved []state.Moved) error {
		begun := slices.ContainsFunc(moved, func(m state.Moved) bool { return m.Key == op.Key })
		if why := g.Refuse(op.Label, op.Amount, moved, now); why != "" && !begun {
			return errors.New(why)
		}
		return e.cfg.Journal.Begin(op, w)
	})
}

// newestMove records that an operation is sent, and returns the newest of those sent
// that move the wallet.
func (e *Engine) newestMove(op state.Op) state.OpID {
	e.mu.Lock()
	defer e.mu.Unlock()
	if op.Kind.MovesWallet() {
		e.newest = max(e.newest, op.ID)
	}
	return e.newest
}

var errDryRun = errors.New("dry run: nothing is sent")

var errNothingToSend = errors.New("nothing was sent: the operation has no request")

func (e *Engine) send(ctx context.Context, op state.Op, w api.Write) (state.OpDone, api.Call) {
	c := e.cfg.Client
	switch op.Kind {
	case state.OpFreeze:
		r, call := api.SendCall[api.FreezeResult](ctx, c, w, op.Key)
		return state.OpDone{Card: r.ID, Status: r.Status}, call
	case state.OpUnfreeze, state.OpUpdate, state.OpIssue:
		r, call := api.SendCall[api.Card](ctx, c, w, op.Key)
		return state.OpDone{Card: r.ID, Status: r.Status, CardBalance: &r.Balance, Returned: &r}, call
	case state.OpTerminate:
		r, call := api.SendCall[api.TerminateResult](ctx, c, w, op.Key)
		return state.OpDone{Card: r.ID, Status: r.Status, Moved: r.RefundedAmount}, call
	case state.OpSubscribe:
		r, call := api.SendCall[api.Webhook](ctx, c, w, op.Key)
		return state.OpDone{Webhook: &r}, call
	case state.OpUnsubscribe:
		_, call := api.SendCall[api.DeleteResult](ctx, c, w, op.Key)
		return state.OpDone{}, call
	case state.OpFund:
		r, call := api.SendCall[api.FundResult](ctx, c, w, op.Key)
		return state.OpDone{
			Card: r.ID, Moved: &r.FundedAmount, Before: &r.PreviousBalance,
			CardBalance: &r.NewBalance, WalletBalance: &r.WalletBalance,
		}, call
	case state.OpWithdraw:
		r, call := api.SendCall[api.WithdrawResult](ctx, c, w, op.Key)
		return state.OpDone{
			Card: r.ID, Moved: r.WithdrawnAmount, Before: r.PreviousBalance,
			CardBalance: r.NewBalance, WalletBalance: r.WalletBalance,
		}, call
	default:
		return state.OpDone{}, api.Call{Err: fmt.Errorf("send operation %d: unknown kind", op.Kind)}
	}
}
