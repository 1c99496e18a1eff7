package engine

import (
	"context"
	"fmt"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
)

// write sends an operation's request once, under the operation's own key.
// The journal has it on disk before its first byte leaves.
func (e *Engine) write(ctx context.Context, op state.Op, m *state.Meta) state.Event {
	w, err := request(op)
	if err == nil {
		err = e.cfg.Journal.Begin(op, w)
	}
	if err != nil {
		e.finish(m)
		return state.OpFailed{Meta: *m, Op: op.ID, Err: fmt.Errorf("nothing was sent: %w", err), NotSent: true}
	}
	ev, err := e.send(ctx, op, w)
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

// request builds the write of an operation.
func request(op state.Op) (api.Write, error) {
	switch op.Kind {
	case state.OpFreeze:
		return api.FreezeWrite(op.Card)
	case state.OpUnfreeze:
		return api.UnfreezeWrite(op.Card)
	case state.OpFund:
		return api.FundWrite(op.Card, op.Amount)
	case state.OpWithdraw:
		return api.WithdrawWrite(op.Card, op.Amount)
	default:
		return api.Write{}, fmt.Errorf("build request: unknown operation %d", op.Kind)
	}
}

func (e *Engine) send(ctx context.Context, op state.Op, w api.Write) (state.OpDone, error) {
	c := e.cfg.Client
	switch op.Kind {
	case state.OpFreeze:
		r, err := api.Send[api.FreezeResult](ctx, c, w, op.Key)
		return state.OpDone{Card: r.ID, Status: r.Status}, err
	case state.OpUnfreeze:
		r, err := api.Send[api.Card](ctx, c, w, op.Key)
		return state.OpDone{Card: r.ID, Status: r.Status, CardBalance: &r.Balance}, err
	case state.OpFund:
		r, err := api.Send[api.FundResult](ctx, c, w, op.Key)
		return state.OpDone{
			Card: r.ID, Moved: &r.FundedAmount, Before: &r.PreviousBalance,
			CardBalance: &r.NewBalance, WalletBalance: &r.WalletBalance,
		}, err
	default:
		r, err := api.Send[api.WithdrawResult](ctx, c, w, op.Key)
		return state.OpDone{
			Card: r.ID, Moved: r.WithdrawnAmount, Before: r.PreviousBalance,
			CardBalance: r.NewBalance, WalletBalance: r.WalletBalance,
		}, err
	}
}
