package write

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/engine/act"
	"github.com/cardtop/cardtop/state"
)

// A command line about many cards that is run again under its key.

// mostParts bounds the parts of a plan that an earlier run may have left.
const mostParts = 256

// claim makes the key this run's, and finds what an earlier run with it has done:
// the plan that it left, or else the rows that are done, which are left out of
// what is wanted. Nil is wanted when all are.
func (c *Command) claim(ctx context.Context, acc app.Account, w *WantedMany) (release func(), left *state.LeftPlan, err error) {
	release, err = c.claimKey(ctx, acc)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			release()
		}
	}()
	kind := state.BulkOf(w.Intent)
	ids := make(map[state.PlanID]bool, mostParts)
	for part := range mostParts {
		ids[c.planID(kind, part+1)] = true
	}
	found, _ := acc.Engine.Run(ctx, state.FindPlans{}).(state.PlansFound)
	if found.Err != nil {
		return nil, nil, found.Err
	}
	for i := range found.Left {
		if one := &found.Left[i]; ids[one.Plan.ID] && waits(one) > 0 {
			return release, one, c.sameMany(one.Plan, w.Intent)
		}
	}
	return release, nil, c.leaveOut(ctx, acc, w)
}

// leaveOut leaves out the rows that an earlier run has done. It is an error when
// nobody knows of one.
func (c *Command) leaveOut(ctx context.Context, acc app.Account, w *WantedMany) error {
	kind := state.BulkOf(w.Intent)
	if kind == state.BulkLabel {
		return nil // A card that is called so already is skipped, and the numbers stay.
	}
	keys := c.keysOf(w.Intent)
	fates, err := c.outcomes(ctx, acc, keys, c.Now().Add(-lookBack), nil)
	if err != nil {
		return err
	}
	done := func(key api.IdempotencyKey) bool {
		return fates[key] == state.OpStatusDone || fates[key] == state.OpStatusResolvedDone
	}
	left := 0
	for _, key := range keys {
		switch f := fates[key]; {
		case done(key):
			continue
		case f == state.OpStatusBegun, f == state.OpStatusUnknown, f == state.OpStatusDismissed:
			return &cli.UnknownError{Text: "an earlier run with this key may have changed a card", Settle: c.settle(key)}
		}
		left++
	}
	if left == len(keys) {
		return nil
	}
	if fund, ok := w.Intent.(state.FundMany); ok && fund.Share == state.ShareSplit && left > 0 {
		return errors.New("an earlier run with this key has funded some of the cards: a sum is not divided again among the others")
	}
	if err := c.recall(acc, keys, w.Intent, done); err != nil {
		return err
	}
	if left == 0 {
		w.Intent = nil
		return nil
	}
	if in, issues := w.Intent.(state.IssueMany); issues {
		in.Rows = slices.DeleteFunc(slices.Clone(in.Rows), func(r state.IssueRow) bool { return done(c.lineKey(r)) })
		w.Intent = in
		return nil
	}
	cards := slices.DeleteFunc(slices.Clone(cardsOf(w.Intent)), func(id api.CardID) bool { return done(c.cardKey(kind, id)) })
	w.Intent = withCards(w.Intent, cards)
	return nil
}

// outcomes waits for the outcomes of operations that an earlier run began and returns what is
// known of each: see Engine.Fates.
func (c *Command) outcomes(ctx context.Context, acc app.Account, keys []api.IdempotencyKey, since time.Time, begun map[api.IdempotencyKey]time.Time) (map[api.IdempotencyKey]state.OpStatus, error) {
	said := false
	for _, op := range acc.Journal.Pending() {
		if !slices.Contains(keys, op.Key) {
			continue
		}
		if !said {
			c.Say("an earlier run began it, " + op.At.Local().Format("15:04:05") + ": waiting for its outcome")
			said = true
		}
		cfg := c.config(acc)
		cfg.Key = ""
		if _, err := act.Continue(ctx, cfg, op.Key); err != nil {
			return nil, err
		}
	}
	return acc.Engine.Fates(keys, since, begun)
}

// waits counts the rows of a plan that were not begun.
func waits(left *state.LeftPlan) (n int) {
	for i := range left.Plan.Rows {
		if row := &left.Plan.Rows[i]; row.Runs() && left.Statuses[row.Key] == "" {
			n++
		}
	}
	return n
}

// sameMany is an error when a plan that an earlier run left is not of what an intent does.
func (c *Command) sameMany(p *state.Plan, in state.Many) error {
	other := app.Usage(errors.New("this idempotency key was used for another request, of which a plan is left: choose another key, or go on with: " +
		c.line("plans resume "+string(p.ID))))
	switch in := in.(type) {
	case state.FundMany:
		if in.Share != p.Share || in.Amount != p.Amount {
			return other
		}
	case state.WithdrawMany:
		if in.Share != p.Share || in.Amount != p.Amount {
			return other
		}
	default:
	}
	wanted := make(map[api.IdempotencyKey]bool)
	for _, key := range c.keysOf(in) {
		wanted[key] = true
	}
	for i := range p.Rows {
		row := &p.Rows[i]
		if row.Key == "" {
			continue // It is blocked.
		}
		if want := rowOf(in, row.Card); !wanted[row.Key] || want != nil && digest(want) != digest(row.Intent) {
			return other
		}
		delete(wanted, row.Key)
	}
	if p.Part > 1 || p.Kind == state.BulkIssue {
		return nil // The parts before have others; rows of a file that are blocked have no key.
	}
	for i := range p.Rows {
		delete(wanted, c.cardKey(p.Kind, p.Rows[i].Card))
	}
	if len(wanted) > 0 {
		return other
	}
	return nil
}

// recall finds in the history what became of the rows that are done, to be
// printed before the others.
func (c *Command) recall(acc app.Account, keys []api.IdempotencyKey, in state.Many, done func(api.IdempotencyKey) bool) error {
	past, err := acc.History.Load(math.MaxInt)
	if err != nil {
		return err
	}
	records := make(map[api.IdempotencyKey]state.Record)
	for _, r := range slices.Backward(past) { // The newest counts.
		records[r.Key] = r
	}
	kind := state.BulkOf(in)
	for _, key := range keys {
		if r := records[key]; done(key) {
			if want := rowOf(in, r.Card); want != nil && r.Card != "" && !same(r, want) {
				what := r.Action
				if r.Amount > 0 {
					what += " with $" + r.Amount.Grouped()
				}
				return otherRequest(what, r.Name)
			}
			c.past = append(c.past, Row{
				PlanRow: state.PlanRow{Card: r.Card, Name: r.Name, Amount: r.Amount, Key: key},
				Action:  kind.String(), Outcome: state.OpStatusDone, Text: "done before, under the same key",
			})
		}
	}
	return nil
}

// rowOf is what an intent does to a card; nil for what differs from card to card, and for new
// cards, whose keys follow from what is wanted.
func rowOf(in state.Many, card api.CardID) state.Intent {
	switch in := in.(type) {
	case state.FundMany:
		if in.Share == state.ShareEach {
			return state.FundCard{Card: card, Amount: in.Amount}
		}
	case state.WithdrawMany:
		if in.Share == state.ShareEach {
			return state.WithdrawCard{Card: card, Amount: in.Amount}
		}
	case state.LimitMany:
		return state.UpdateCard{Card: card, Change: api.UpdateCardRequest{SpendingLimit: &in.Limit}}
	default:
	}
	return nil
}
