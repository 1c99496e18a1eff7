package write

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/engine/act"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
)

// lookBack is how far back the history is searched for a key.
const lookBack = 90 * 24 * time.Hour

// earlier is what an earlier run with the key of the command line has done; the zero value
// is nothing.
type earlier struct {
	status state.OpStatus
	// op is the operation that has no outcome yet; nil for none.
	op *state.Op
	// record is what is known of the request; nil when nothing is.
	record *state.Record
}

// bound reports whether the key is of the request that is recorded: it acted, may have, or a person
// said that it did not.
func (e *earlier) bound() bool {
	return e.record != nil && (e.done() || e.op != nil || e.status == state.OpStatusResolvedNotDone)
}

// done reports whether it has acted.
func (e *earlier) done() bool {
	return e.status == state.OpStatusDone || e.status == state.OpStatusResolvedDone
}

// find looks for an earlier run with the key of the command line.
func (c *Command) find(acc app.Account) (e earlier, err error) {
	key := api.IdempotencyKey(c.key)
	fates, err := acc.Engine.Fates([]api.IdempotencyKey{key}, c.Now().Add(-lookBack), nil)
	if err != nil {
		return e, err
	}
	e.status = fates[key]
	records, err := acc.History.Load(math.MaxInt)
	if err != nil {
		return e, err
	}
	if err := c.otherUse(0, []api.IdempotencyKey{key}, records, acc.Journal.Pending()); err != nil {
		return e, err
	}
	pending := acc.Journal.Pending()
	if i := slices.IndexFunc(pending, func(op state.Op) bool { return op.Key == key }); i >= 0 {
		e.op = &pending[i]
		e.record = &state.Record{Action: e.op.Kind.Verb(), Card: e.op.Card, Amount: e.op.Amount, Asked: e.op.Amount, Name: e.op.Name, Label: e.op.Label, Key: key}
		if e.op.Write != nil {
			e.record.Digest = e.op.Write.Digest()
		}
	}
	if e.done() || e.status == state.OpStatusResolvedNotDone {
		if i := slices.IndexFunc(records, func(r state.Record) bool { return r.Key == key }); i >= 0 { // The newest first.
			e.record = &records[i]
		}
	}
	return e, nil
}

// before does what is left to do of an earlier run. over reports whether the command is done by
// it: nothing is to be begun.
func (c *Command) before(ctx context.Context, acc app.Account, w Wanted, e earlier) (over bool, err error) {
	if e.bound() && !same(*e.record, w.Intent) {
		return true, otherRequest(e.record.Action, e.record.Name)
	}
	switch {
	case e.done():
		return true, c.doneBefore(acc, w, e)
	case e.op != nil:
		return true, c.goOn(ctx, acc, w, *e.op)
	case e.status == state.OpStatusBegun, e.status == state.OpStatusUnknown, e.status == state.OpStatusDismissed:
		return true, &cli.UnknownError{Text: c.sentence(w.Intent) + " with this key is under way in another cardtop, or was dismissed", Settle: c.settle(api.IdempotencyKey(c.key))}
	}
	return false, nil
}

// doneBefore prints what the history has of an operation. Should the run before
// have been killed before it closed the operation, it is closed now.
func (c *Command) doneBefore(acc app.Account, w Wanted, e earlier) error {
	if e.op != nil {
		if err := acc.Journal.End(*e.op, api.Done); err != nil {
			return err
		}
	}
	o := Outcome{Again: true, Record: state.Record{Action: verb(w.Intent), Name: w.Name, Outcome: state.OpStatusDone, Key: api.IdempotencyKey(c.key)}}
	if e.record != nil {
		o.Record = *e.record
	}
	return c.print(o)
}

// goOn waits for the outcome of an operation that a run with the same key began.
func (c *Command) goOn(ctx context.Context, acc app.Account, w Wanted, op state.Op) error {
	c.Say("an earlier run with this key began it, " + op.At.Local().Format("15:04:05") + ": waiting for its outcome")
	cfg := c.config(acc, w.Known...)
	cfg.Key = ""
	r, err := act.Continue(ctx, cfg, op.Key)
	if err != nil {
		return refusal(c.sentence(w.Intent), err)
	}
	return c.finish(ctx, w, r)
}

// same reports whether a record is of what an intent does.
func same(r state.Record, in kernel.Intent) bool {
	if r.Action != verb(in) {
		return false
	}
	if wanted := digest(in); r.Digest != "" && wanted != "" {
		return r.Digest == wanted
	}
	if card, bound := state.CardOf(in); bound && card != r.Card {
		return false
	}
	if w, ok := in.(state.Write); ok && w.Kind == state.OpIssue {
		if label, _ := w.SetsLabel(); r.Label != string(api.Clean(label)) {
			return false
		}
	}
	amount, moves := state.AmountOf(in)
	asked := cmp.Or(r.Asked, r.Amount) // An earlier version recorded one of them.
	return !moves || asked == 0 || amount == asked
}

// digest is that of the request of an intent; empty when it sends none.
func digest(in kernel.Intent) string {
	method, path, body := state.New(settings.Config{}).Request(in)
	if method == "" {
		return ""
	}
	return api.Write{Method: method, Path: path, Body: []byte(body)}.Digest()
}

func otherRequest(action, name string) error {
	return app.Usage(errors.New("this idempotency key was used for another request: " + action + " " + name + "; choose another key"))
}

// verb is what an intent does, as the history says it.
func verb(in kernel.Intent) string {
	if kind := state.KindOf(in); kind != 0 {
		return kind.Verb()
	}
	return ""
}

// spoken is a verb of the history as the commands are called.
func spoken(verb string) string {
	switch verb {
	case state.OpSubscribe.Verb():
		return "register"
	case state.OpUnsubscribe.Verb():
		return "delete"
	default:
		return verb
	}
}

// sentence says what an intent does.
func (c *Command) sentence(in kernel.Intent) string {
	text := strings.TrimSpace(spoken(verb(in)) + " " + c.about)
	amount, _ := state.AmountOf(in)
	switch state.KindOf(in) {
	case state.OpIssue:
		text = fmt.Sprintf("issue a card with $%s", amount.Grouped())
	case state.OpFund:
		text += fmt.Sprintf(" with $%s", amount.Grouped())
	case state.OpWithdraw:
		text += fmt.Sprintf(": $%s", amount.Grouped())
	default:
	}
	return text
}
