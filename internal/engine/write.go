package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
)

// write sends an operation's request once, under the operation's own key. The
// journal has it on disk before its first byte is sent. Nothing is sent once the context
// has ended; what is being sent then has its outcome first.
func (e *Engine) write(ctx context.Context, op state.Op, m *kernel.Meta) kernel.Event {
	done, err := e.beginSending(ctx, op)
	if err != nil {
		e.finish(m)
		return state.OpFailed{Meta: *m, Op: op.ID, Err: fmt.Errorf("nothing was sent: %w", err), NotSent: true}
	}
	defer done()
	ctx = context.WithoutCancel(ctx)
	w := op.Write
	if w == nil {
		e.finish(m)
		return state.OpFailed{Meta: *m, Op: op.ID, Err: errNothingToSend, NotSent: true}
	}
	if err := e.limitStays(ctx, op); err != nil {
		e.finish(m)
		return state.OpFailed{Meta: *m, Op: op.ID, Err: err, NotSent: true}
	}
	if err := e.begin(op, *w); errors.Is(err, state.ErrMaybeBegun) {
		e.finish(m)
		told, lost := e.note(op, state.OpDone{}, api.Call{Err: err}, api.Unknown)
		return state.OpFailed{Meta: *m, Op: op.ID, Err: err, Record: told, Lost: lost}
	} else if err != nil {
		e.finish(m)
		return state.OpFailed{Meta: *m, Op: op.ID, Err: fmt.Errorf("nothing was sent: %w", err), NotSent: true}
	}
	e.newestMove(op)
	ctx, cancel := e.within(ctx, op)
	defer cancel()
	ev, call := e.send(ctx, op, *w)
	ev = ev.Of(&op)
	// It is firm by what was running when it began: one begun since may have acted
	// first.
	op.Firm = op.Firm && e.newestMove(op) == op.ID
	e.finish(m)
	outcome := op.Outcome(call.Err)
	// The history comes first: the journal removes what is settled.
	told, lost := e.note(op, ev, call, outcome)
	note := ""
	if told != nil && call.Err == nil {
		op.Moved = told.Amount
	}
	if err := e.end(op, outcome, told, lost); err != nil {
		note = err.Error()
	}
	if call.Err != nil {
		return state.OpFailed{Meta: *m, Op: op.ID, Err: call.Err, Record: told, Lost: lost, Note: note}
	}
	ev.Meta, ev.Op, ev.Record, ev.Lost, ev.Note = *m, op.ID, told, lost, note
	return ev
}

// limitStays reads the card again before its limit is changed. If somebody else has changed the limit since the user was
// shown it, the change would undo theirs.
func (e *Engine) limitStays(ctx context.Context, op state.Op) error {
	if !op.LimitSeen || op.Tries > 1 {
		return nil
	}
	ctx, cancel := e.within(ctx, op)
	defer cancel()
	card, err := Read(ctx, e, "inspector", func(ctx context.Context, c *client.Client) (api.CardSummary, error) { return c.GetCard(ctx, op.Card) })
	if err != nil {
		return &errtext.UnreadError{Err: err}
	}
	was, is := op.LimitBefore, card.SpendingLimit
	if (was == nil) != (is == nil) || was != nil && *was != *is {
		return state.ErrLimitMoved
	}
	return nil
}

// beginSending counts a write among those that are being sent until done is called, unless
// the context has ended or no more are sent.
func (e *Engine) beginSending(ctx context.Context, op state.Op) (done func(), err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	if e.closed {
		return nil, errClosed
	}
	e.sending[op.Key] = op
	e.writes.Add(1)
	return func() {
		e.mu.Lock()
		delete(e.sending, op.Key)
		e.mu.Unlock()
		e.writes.Done()
	}, nil
}

// Sending returns the writes that are being sent.
func (e *Engine) Sending() []state.Op {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Collect(maps.Values(e.sending))
}

// CloseWrites returns when nothing is being sent any more. No write is sent after it.
func (e *Engine) CloseWrites() {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	e.writes.Wait()
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
// not refused: it moves nothing more.
func (e *Engine) begin(op state.Op, w api.Write) error {
	g, now := e.guardrails(), e.cfg.Now()
	guarded := op.Kind.FromWallet() && (g.Sums() || g.Refuse(nil, op.Label, op.Amount, nil, now) != "")
	if !guarded && op.Rule == "" && op.BalanceAt.IsZero() {
		return e.store(op, w, now)
	}
	return e.withPast(now, func(records []state.Record, open []state.Op) error {
		if movedSince(&op, records, open) {
			return state.ErrMoved
		}
		if err := e.leaveToPlans(&op); err != nil {
			return err
		}
		why := ""
		if guarded {
			why = g.Refuse(nil, op.Label, op.Amount, state.MovedBy(records, open), now)
		}
		if why == "" && op.Rule != "" {
			why = e.ruleRefuses(&op, records, open, now)
		}
		if why != "" && !begun(op.Key, records, open) {
			return &GuardError{Why: why}
		}
		return e.store(op, w, now)
	})
}

// store writes an operation to the journal. A row is written to its plan first, so that it
// is not begun again should all else be lost.
func (e *Engine) store(op state.Op, w api.Write, now time.Time) error {
	if op.Bulk != "" && op.Tries == 1 { // Another run's plan may be gone when its row is sent again.
		if err := e.plans().Begun(op.Bulk, op.Key, now); err != nil {
			return err
		}
	}
	return e.cfg.Journal.Begin(op, w)
}

// movedSince reports whether another operation of this machine moves money to or from the card
// of one, or has since the balance was read that its amount rests on.
func movedSince(op *state.Op, records []state.Record, open []state.Op) bool {
	if op.BalanceAt.IsZero() || op.Tries > 1 {
		return false
	}
	return slices.ContainsFunc(open, func(o state.Op) bool {
		return o.Card == op.Card && o.Key != op.Key && o.Kind.MovesWallet()
	}) || slices.ContainsFunc(records, func(r state.Record) bool {
		return r.Card == op.Card && r.Key != op.Key && r.MayHaveMoved() && !r.At.Before(op.BalanceAt)
	})
}

// leaveToPlans refuses the operation of a rule on a card that a plan of another program is
// about.
func (e *Engine) leaveToPlans(op *state.Op) error {
	if op.Rule == "" || op.Tries > 1 || op.Kind == state.OpFreeze { // A freeze only makes a card safer.
		return nil
	}
	cards, err := e.plans().Elsewhere()
	if err == nil && cards[op.Card] {
		return state.ErrPlanned
	}
	return err
}

// GuardError is that a guardrail or a cap of a rule refuses an operation.
type GuardError struct{ Why string }

func (e *GuardError) Error() string { return e.Why }

// begun reports whether an operation was begun before: it moves nothing more.
func begun(key api.IdempotencyKey, records []state.Record, open []state.Op) bool {
	return slices.ContainsFunc(open, func(o state.Op) bool { return o.Key == key }) ||
		slices.ContainsFunc(records, func(r state.Record) bool {
			return r.Key == key && r.Outcome != state.OpStatusRefused && r.Outcome != state.OpStatusNotSent && r.Outcome != state.OpStatusWaits
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

var (
	errDryRun        = errors.New("dry run: nothing is sent")
	errNothingToSend = errors.New("nothing was sent: the operation has no request")
	errClosed        = errors.New("cardtop is closing")
)

// send sends the request of an operation. The answer to one of a hub is kept as it
// came.
func (e *Engine) send(ctx context.Context, op state.Op, w api.Write) (state.OpDone, api.Call) {
	c := e.cfg.Client
	switch op.Kind {
	case state.OpFreeze:
		r, done, call := sent[api.FreezeResult](ctx, c, w, op)
		done.Card, done.Status = r.ID, r.Status
		return done, call
	case state.OpUnfreeze, state.OpUpdate, state.OpIssue:
		r, done, call := sent[api.Card](ctx, c, w, op)
		done.Card, done.Status, done.CardBalance, done.Returned = r.ID, r.Status, &r.Balance, r
		return done, call
	case state.OpTerminate:
		r, done, call := sent[api.TerminateResult](ctx, c, w, op)
		done.Card, done.Status, done.Moved = r.ID, r.Status, r.RefundedAmount
		return done, call
	case state.OpSubscribe:
		r, done, call := sent[api.Webhook](ctx, c, w, op)
		done.Webhook = r
		return done, call
	case state.OpUnsubscribe:
		_, done, call := sent[api.DeleteResult](ctx, c, w, op)
		return done, call
	case state.OpFund:
		r, done, call := sent[api.FundResult](ctx, c, w, op)
		done.Card, done.Moved, done.Before = r.ID, &r.FundedAmount, &r.PreviousBalance
		done.CardBalance, done.WalletBalance = &r.NewBalance, &r.WalletBalance
		return done, call
	case state.OpWithdraw:
		r, done, call := sent[api.WithdrawResult](ctx, c, w, op)
		done.Card, done.Moved, done.Before = r.ID, r.WithdrawnAmount, r.PreviousBalance
		done.CardBalance, done.WalletBalance = r.NewBalance, r.WalletBalance
		return done, call
	default:
		return state.OpDone{}, api.Call{Err: fmt.Errorf("send operation %d: unknown kind", op.Kind)}
	}
}

// sent sends a write and returns its result, and an event with the answer as it came
// when a person asked for it over a hub.
func sent[T any](ctx context.Context, c *client.Client, w api.Write, op state.Op) (*T, state.OpDone, api.Call) {
	if op.By.Name == "" {
		r, call := client.Send[T](ctx, c, w, op.Key)
		return &r, state.OpDone{}, call
	}
	r, call := client.Send[api.Raw[T]](ctx, c, w, op.Key)
	return &r.Value, state.OpDone{HTTPStatus: call.Status, Answer: r.Body}, call
}
