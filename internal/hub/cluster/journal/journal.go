// Package journal is the engine's journal of a hub that leads one of several: it
// writes to the operations log that they share, instead of to this machine's disk.
package journal

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/cluster/oplog"
	"github.com/cardtop/cardtop/state"
)

// Log is what a journal needs of the operations log.
type Log interface {
	Prepare(ctx context.Context, op oplog.Op) error
	Begin(ctx context.Context, op oplog.Op) error
	End(ctx context.Context, key api.IdempotencyKey, s oplog.State, moved api.USD) error
	Find(key api.IdempotencyKey) (oplog.Record, bool)
	Unsettled() []oplog.Record
}

// Lease is what a journal needs of the lease.
type Lease interface {
	// Left is for how long the lease is valid; 0 when it is over.
	Left() time.Duration
}

// patience is how long a call waits for the log.
const patience = 10 * time.Second

// Journal is that of one term. It may be used from several goroutines.
type Journal struct {
	log   Log
	lease Lease
	here  Here
	left  []oplog.Record // by leaders before, and not adopted yet
}

// Here returns a time of the hub that had a lease by this hub's clock: the clocks of two may
// differ by any amount.
type Here func(number uint64, at time.Time) time.Time

// New returns the journal of a term that has just begun.
func New(log Log, lease Lease, here Here) *Journal {
	return &Journal{log: log, lease: lease, here: here, left: log.Unsettled()}
}

// Begin returns when the write is in the log, before each try. After an error nothing
// may be sent. After state.ErrMaybeBegun the next leader may send it.
// A write that may hold a secret is there without its request: nobody sends it again.
func (j *Journal) Begin(op state.Op, w api.Write) error {
	request, err := oplog.NewRequest(w)
	if err != nil && !w.Sensitive {
		return fmt.Errorf("write operation to the log: %w", err)
	}
	shared := oplog.Op{
		Key: op.Key, Kind: op.Kind.Verb(), Card: op.Card, Amount: op.Amount, Label: op.Label, Name: op.Name, Rule: op.Rule, By: oplog.Actor(op.By), Begun: op.At.UTC(),
		Expected: oplog.Expected(op.Expected), Request: request,
	}
	before, known := j.log.Find(op.Key)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	err = j.log.Begin(ctx, shared)
	if errors.Is(err, oplog.ErrUnsure) && j.lease.Left() > 0 && (!known || !before.State.Open()) && j.takeBack(shared) {
		return errors.New("write operation to the log: it was not stored in time")
	}
	if errors.Is(err, oplog.ErrUnsure) {
		return fmt.Errorf("%w: %w", state.ErrMaybeBegun, err)
	}
	return err
}

// takeBack refuses an operation that may be in the log, and reports whether it is
// certain that no hub sends it. What is prepared moves the log on: the first message
// cannot arrive late.
func (j *Journal) takeBack(op oplog.Op) bool {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return j.log.Prepare(ctx, op) == nil && j.log.End(ctx, op.Key, oplog.Refused, 0) == nil
}

// End stores the result of an operation. An unknown one stays open.
func (j *Journal) End(op state.Op, outcome api.Result) error {
	switch outcome {
	case api.Done:
		return j.end(op, oplog.Done)
	case api.Refused:
		return j.end(op, oplog.Refused)
	default:
		return j.end(op, oplog.Unknown)
	}
}

// Dismiss stores that an operation's answer is no longer waited for, and what it is taken
// for: the next leader has no other record of that.
func (j *Journal) Dismiss(op state.Op, as state.OpStatus) error {
	switch as {
	case state.OpStatusResolvedDone:
		return j.end(op, oplog.JudgedDone)
	case state.OpStatusResolvedNotDone:
		return j.end(op, oplog.JudgedNotDone)
	default:
		return j.end(op, oplog.Dismissed)
	}
}

func (j *Journal) end(op state.Op, s oplog.State) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return j.log.End(ctx, op.Key, s, op.Moved)
}

// ClaimRule makes a rule this hub's: only the hub that leads acts.
func (j *Journal) ClaimRule(string) (release func(), mine bool, err error) {
	return func() {}, j.lease.Left() > 0, nil
}

// Adopt returns, once, what the leaders before left without an answer. What they only
// prepared was never sent: it is refused.
func (j *Journal) Adopt() ([]state.Op, error) {
	left := j.left
	j.left = nil
	var ops []state.Op
	var errs error
	for _, r := range left {
		op := j.opOf(r)
		if r.State == oplog.Prepared {
			errs = errors.Join(errs, j.end(op, oplog.Refused))
			continue
		}
		ops = append(ops, op)
	}
	return ops, errs
}

// UnderWay lists the operations without an answer.
func (j *Journal) UnderWay() ([]state.Op, error) {
	var ops []state.Op
	for _, r := range j.log.Unsettled() {
		ops = append(ops, j.opOf(r))
	}
	return ops, nil
}

// Fates returns what is known of operations by their keys. One that is not in the
// result was not begun, or was settled long ago: the history has it.
func (j *Journal) Fates(keys []api.IdempotencyKey) (map[api.IdempotencyKey]state.StatusAt, error) {
	fates := make(map[api.IdempotencyKey]state.StatusAt, len(keys))
	for _, key := range keys {
		if r, ok := j.log.Find(key); ok {
			fates[key] = state.StatusAt{Status: StatusOf(r.State), At: r.Op.Begun}
		}
	}
	return fates, nil
}

// StatusOf is a state of the log as the history has it.
func StatusOf(s oplog.State) state.OpStatus {
	switch s {
	case oplog.Done:
		return state.OpStatusDone
	case oplog.Refused:
		return state.OpStatusRefused
	case oplog.JudgedDone:
		return state.OpStatusResolvedDone
	case oplog.JudgedNotDone:
		return state.OpStatusResolvedNotDone
	case oplog.Dismissed:
		return state.OpStatusDismissed
	case oplog.Unknown:
		return state.OpStatusUnknown
	default:
		return state.OpStatusBegun
	}
}

// opOf returns the operation of a record as a store resumes it.
func (j *Journal) opOf(r oplog.Record) state.Op {
	w, ok := r.Op.Request.Write()
	w.Sensitive = !ok // It cannot be sent again.
	return state.Op{
		Kind: kindOf(r.Op.Kind), Card: r.Op.Card, Amount: r.Op.Amount, Name: r.Op.Name, Label: r.Op.Label, Rule: r.Op.Rule, By: state.Actor(r.Op.By), Key: r.Op.Key,
		At: j.here(r.Op.Lease, r.Op.Begun), Tries: max(1, r.Tries), Expected: state.Preview(r.Op.Expected), Write: &w,
	}
}

// kindOf returns the kind that a verb names; the zero value for none.
func kindOf(verb string) state.OpKind {
	for k := state.OpFreeze; k.Verb() != state.OpKind(0).Verb(); k++ {
		if k.Verb() == verb {
			return k
		}
	}
	return 0
}
