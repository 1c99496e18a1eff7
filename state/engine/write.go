package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
)

// write sends an operation's request once, under the operation's own key.
// The journal has it on disk before its first byte leaves.
func (e *Engine) write(ctx context.Context, op state.Op, m *state.Meta) state.Event {
	w := op.Write
	if w == nil {
		e.finish(m)
		return state.OpFailed{Meta: *m, Op: op.ID, Err: errNothingToSend, NotSent: true}
	}
	if err := e.cfg.Journal.Begin(op, *w); err != nil {
		e.finish(m)
		return state.OpFailed{Meta: *m, Op: op.ID, Err: fmt.Errorf("nothing was sent: %w", err), NotSent: true}
	}
	ev, err := e.send(ctx, op, *w)
	e.finish(m)
	note := ""
	if jerr := e.cfg.Journal.End(op, op.Outcome(err)); jerr != nil {
		note = jerr.Error()
	}
	if err != nil {
		return state.OpFailed{Meta: *m, Op: op.ID, Err: err, Note: note}
	}
	ev.Meta, ev.Op, ev.Note = *m, op.ID, note
	return ev
}

var errNothingToSend = errors.New("nothing was sent: the operation has no request")

func (e *Engine) send(ctx context.Context, op state.Op, w api.Write) (state.OpDone, error) {
	c := e.cfg.Client
	switch op.Kind {
	case state.OpFreeze:
		r, err := api.Send[api.FreezeResult](ctx, c, w, op.Key)
		return state.OpDone{Card: r.ID, Status: r.Status}, err
	case state.OpUnfreeze, state.OpUpdate, state.OpIssue:
		r, err := api.Send[api.Card](ctx, c, w, op.Key)
		return state.OpDone{Card: r.ID, Status: r.Status, CardBalance: &r.Balance, Returned: &r}, err
	case state.OpTerminate:
		r, err := api.Send[api.TerminateResult](ctx, c, w, op.Key)
		return state.OpDone{Card: r.ID, Status: r.Status, Moved: r.RefundedAmount}, err
	case state.OpFund:
		r, err := api.Send[api.FundResult](ctx, c, w, op.Key)
		return state.OpDone{
			Card: r.ID, Moved: &r.FundedAmount, Before: &r.PreviousBalance,
			CardBalance: &r.NewBalance, WalletBalance: &r.WalletBalance,
		}, err
	case state.OpWithdraw:
		r, err := api.Send[api.WithdrawResult](ctx, c, w, op.Key)
		return state.OpDone{
			Card: r.ID, Moved: r.WithdrawnAmount, Before: r.PreviousBalance,
			CardBalance: r.NewBalance, WalletBalance: r.WalletBalance,
		}, err
	default:
		return state.OpDone{}, fmt.Errorf("send operation %d: unknown kind", op.Kind)
	}
}
