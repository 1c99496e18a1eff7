package write

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/engine/act"
	"github.com/cardtop/cardtop/state"
)

// lookBack is how far back the history is searched for a key.
const lookBack = 90 * 24 * time.Hour

// before looks for an earlier run with the key of the command line. over reports
// whether the command is done by it: nothing is to be begun.
func (c *Command) before(ctx context.Context, acc app.Account, w Wanted) (over bool, err error) {
	key := api.IdempotencyKey(c.key)
	fates, err := acc.Engine.Fates([]api.IdempotencyKey{key}, c.Now().Add(-lookBack), nil)
	if err != nil {
		return false, err
	}
	pending := slices.IndexFunc(acc.Journal.Pending(), func(op state.Op) bool { return op.Key == key })
	switch status := fates[key]; {
	case status == state.OpStatusDone, status == state.OpStatusResolvedDone:
		return true, c.doneBefore(ctx, acc, w, pending)
	case pending >= 0:
		return true, c.goOn(ctx, acc, w, acc.Journal.Pending()[pending])
	case status == state.OpStatusBegun, status == state.OpStatusUnknown, status == state.OpStatusDismissed:
		return true, &cli.UnknownError{Text: c.sentence(w.Intent) + " with this key is under way in another cardtop, or was dismissed", Settle: c.settle(key)}
	}
	return false, nil
}

// doneBefore prints what the history has of an operation. Should the run before
// have been killed before it closed the operation, it is closed now.
func (c *Command) doneBefore(ctx context.Context, acc app.Account, w Wanted, pending int) error {
	if pending >= 0 {
		if err := acc.Journal.End(acc.Journal.Pending()[pending], api.Done); err != nil {
			return err
		}
	}
	o := Outcome{Record: state.Record{Action: verb(w.Intent), Name: w.Name, Outcome: state.OpStatusDone, Key: api.IdempotencyKey(c.key)}}
	past, _ := acc.Engine.Run(ctx, state.FetchHistory{}).(state.HistoryLoaded)
	if past.Err != nil {
		return past.Err
	}
	for _, r := range past.Records { // The newest first.
		if r.Key == o.Key {
			o.Record = r
			break
		}
	}
	if !same(o.Record, w.Intent) {
		return otherRequest(o.Action, o.Name)
	}
	o.Again = true
	return c.print(o)
}

// goOn waits for the outcome of an operation that a run with the same key began.
func (c *Command) goOn(ctx context.Context, acc app.Account, w Wanted, op state.Op) error {
	begun := state.Record{Action: op.Kind.Verb(), Card: op.Card, Amount: op.Amount, Name: op.Name, Label: op.Label}
	if !same(begun, w.Intent) {
		return otherRequest(begun.Action, op.Name)
	}
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
func same(r state.Record, in state.Intent) bool {
	if r.Action != verb(in) {
		return false
	}
	if card, bound := state.CardOf(in); bound && card != r.Card {
		return false
	}
	if issue, ok := in.(state.IssueCard); ok && r.Label != string(api.Clean(issue.Request.Label)) {
		return false
	}
	amount, moves := state.AmountOf(in)
	return !moves || r.Amount == 0 || amount == r.Amount
}

func otherRequest(action, name string) error {
	return app.Usage(errors.New("this idempotency key was used for another request: " + action + " " + name + "; choose another key"))
}

// verb is what an intent does, as the history says it.
func verb(in state.Intent) string {
	switch in.(type) {
	case state.FreezeCard:
		return state.OpFreeze.Verb()
	case state.UnfreezeCard:
		return state.OpUnfreeze.Verb()
	case state.FundCard:
		return state.OpFund.Verb()
	case state.WithdrawCard:
		return state.OpWithdraw.Verb()
	case state.IssueCard:
		return state.OpIssue.Verb()
	case state.UpdateCard:
		return state.OpUpdate.Verb()
	case state.TerminateCard:
		return state.OpTerminate.Verb()
	case state.CreateWebhook:
		return state.OpSubscribe.Verb()
	case state.DeleteWebhook:
		return state.OpUnsubscribe.Verb()
	default:
		return ""
	}
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
func (c *Command) sentence(in state.Intent) string {
	text := strings.TrimSpace(spoken(verb(in)) + " " + c.about)
	switch in := in.(type) {
	case state.IssueCard:
		text = fmt.Sprintf("issue a card with $%s", in.Request.Amount.Grouped())
	case state.FundCard:
		text += fmt.Sprintf(" with $%s", in.Amount.Grouped())
	case state.WithdrawCard:
		text += fmt.Sprintf(": $%s", in.Amount.Grouped())
	default:
	}
	return text
}
