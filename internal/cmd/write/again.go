package write

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cardcsv"
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
	letGo, err := c.claimKey(ctx, acc)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			letGo()
		}
	}()
	c.shape = shapeOf(w.Intent)
	ids := c.planIDs()
	found, _ := acc.Engine.Run(ctx, state.FindPlans{}).(state.PlansFound)
	if found.Err != nil {
		return nil, nil, found.Err
	}
	for i := range found.Left {
		one := &found.Left[i]
		if !ids[one.Plan.ID] {
			continue
		}
		if err := c.sameMany(one.Plan, w.Intent); err != nil || waits(one) > 0 {
			return letGo, one, err
		}
		left = one // All its rows have begun.
	}
	if err := c.leaveOut(ctx, acc, w, left); err != nil {
		return nil, nil, err
	}
	if left != nil {
		err = c.drop(ctx, acc, left)
	}
	return letGo, nil, err
}

// drop removes a plan whose rows have all begun.
func (c *Command) drop(ctx context.Context, acc app.Account, left *state.LeftPlan) error {
	dropped, _ := acc.Engine.Run(ctx, state.DropPlan{ID: left.Plan.ID}).(state.PlanDropped)
	return dropped.Err
}

// leaveOut leaves out the rows that an earlier run has done; left is the plan that it left, of
// which all rows have begun. It is an error when nobody knows of one.
func (c *Command) leaveOut(ctx context.Context, acc app.Account, w *WantedMany, left *state.LeftPlan) error {
	records, err := acc.History.Load(math.MaxInt)
	if err != nil {
		return err
	}
	keys := c.keysOf(w.Intent)
	if err := otherMany(keys, records, acc.Journal.Pending()); err != nil {
		return err
	}
	kind := w.Intent.Kind
	if err := c.otherUse(kind, keys, records, acc.Journal.Pending()); err != nil {
		return err
	}
	if kind == state.BulkLabel {
		return nil // A card that is called so already is skipped, and the numbers stay.
	}
	var begun map[api.IdempotencyKey]time.Time
	if left != nil {
		begun = left.Begun
	}
	fates, err := c.outcomes(ctx, acc, keys, c.Now().Add(-lookBack), begun)
	if err != nil {
		return err
	}
	done := func(key api.IdempotencyKey) bool {
		return fates[key] == state.OpStatusDone || fates[key] == state.OpStatusResolvedDone
	}
	open := 0
	for _, key := range keys {
		switch f := fates[key]; {
		case done(key):
			continue
		case f == state.OpStatusBegun, f == state.OpStatusUnknown, f == state.OpStatusDismissed:
			return &cli.UnknownError{Text: "an earlier run with this key may have changed a card", Settle: c.settle(key)}
		}
		open++
	}
	if open == len(keys) {
		return nil
	}
	if kind == state.BulkFund && w.Intent.Share == state.ShareSplit && open > 0 {
		return errors.New("an earlier run with this key has funded some of the cards: a sum is not divided again among the others")
	}
	if records, err = acc.History.Load(math.MaxInt); err != nil { // Some have ended since.
		return err
	}
	c.recall(records, keys, kind, done)
	if open == 0 {
		w.Intent = state.Writes{}
		return nil
	}
	w.Intent.Rows = slices.DeleteFunc(slices.Clone(w.Intent.Rows), func(r cardcsv.Row) bool { return done(c.lineKey(r)) })
	w.Intent.Cards = slices.DeleteFunc(slices.Clone(w.Intent.Cards), func(id api.CardID) bool { return done(c.cardKey(kind, id)) })
	return nil
}

// outcomes waits for the outcomes of operations that an earlier run began and returns what is
// known of each: see Engine.Fates.
func (c *Command) outcomes(ctx context.Context, acc app.Account, keys []api.IdempotencyKey, since time.Time, begun map[api.IdempotencyKey]time.Time) (map[api.IdempotencyKey]state.OpStatus, error) {
	var mine []state.Op
	for _, op := range acc.Journal.Pending() {
		if slices.Contains(keys, op.Key) {
			mine = append(mine, op)
		}
	}
	if len(mine) == 0 {
		return acc.Engine.Fates(keys, since, begun)
	}
	c.Say("an earlier run began it, " + mine[0].At.Local().Format("15:04:05") + ": waiting for its outcome")
	cfg := c.config(acc)
	cfg.Key, cfg.Pending = "", mine
	if err := act.ContinueAll(ctx, cfg); err != nil {
		return nil, err
	}
	fates, err := acc.Engine.Fates(keys, since, begun)
	for _, op := range mine {
		if state.Settled(fates[op.Key]) {
			c.ended = append(c.ended, op.Key) // The journal's list is that of the start.
		}
	}
	return fates, err
}

// waits counts the rows of a plan that were not begun, those of later parts too, or that a limit or the network held up.
func waits(left *state.LeftPlan) (n int) {
	for i := range left.Plan.Rows {
		row := &left.Plan.Rows[i]
		status := left.Statuses[row.Key]
		if row.Later || row.Runs() && (status == "" || status == state.OpStatusNotSent) {
			n++
		}
	}
	return n
}

// sameMany is an error when a plan that an earlier run left is not of what an intent does: keys
// follow from what rows do.
func (c *Command) sameMany(p *state.Plan, in state.Writes) error {
	other := app.Usage(fmt.Errorf("this idempotency key was used for another request, of which a plan is left: go on with that by %s, or choose another key for this one",
		c.line("plans resume "+string(p.ID))))
	wanted := make(map[api.IdempotencyKey]bool)
	for _, key := range c.keysOf(in) {
		wanted[key] = true
	}
	for i := range p.Rows {
		if key := p.Rows[i].Key; key != "" && !wanted[key] {
			return other
		}
	}
	if p.Part > 1 {
		return nil // The parts before have others.
	}
	for i := range p.Rows {
		delete(wanted, p.Rows[i].Key)
		delete(wanted, c.cardKey(p.Kind, p.Rows[i].Card)) // One that is blocked has no key.
	}
	if len(wanted) > 0 {
		return other
	}
	return nil
}

// otherMany is an error when the key of a row was used for something else.
func otherMany(keys []api.IdempotencyKey, records []state.Record, pending []state.Op) error {
	wanted := make(map[string]api.IdempotencyKey, len(keys))
	for _, key := range keys {
		if key != "" { // The plan says why the row cannot be done.
			wanted[stem(key)] = key
		}
	}
	for _, op := range pending {
		if key, ok := wanted[stem(op.Key)]; ok && key != op.Key {
			return otherRequest(op.Kind.Verb(), op.Name)
		}
	}
	for _, r := range records {
		key, ok := wanted[stem(r.Key)]
		if !ok || key == r.Key || r.Outcome == state.OpStatusRefused || r.Outcome == state.OpStatusNotSent {
			continue
		}
		what := r.Action
		if r.Amount > 0 {
			what += " with $" + r.Amount.Grouped()
		}
		return otherRequest(what, r.Name)
	}
	return nil
}

// recall finds in the history what became of the rows that are done, to be
// printed before the others.
func (c *Command) recall(past []state.Record, keys []api.IdempotencyKey, kind state.BulkKind, done func(api.IdempotencyKey) bool) {
	records := newest(past)
	for _, key := range keys {
		if r := records[key]; done(key) {
			row := Row{
				PlanRow: state.PlanRow{Card: r.Card, Name: r.Name, Amount: r.Amount, Key: key},
				Action:  kind.String(), Outcome: state.OpStatusDone, Text: "done before, under the same key",
			}
			row.recall(records)
			c.past = append(c.past, row)
		}
	}
}

// newest returns the newest record of each key; records have the newest first. One without a key is of nothing
// that was begun.
func newest(records []state.Record) map[api.IdempotencyKey]state.Record {
	last := make(map[api.IdempotencyKey]state.Record, len(records))
	for _, r := range slices.Backward(records) {
		if r.Key != "" {
			last[r.Key] = r
		}
	}
	return last
}
