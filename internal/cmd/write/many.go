package write

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/output"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/engine/act"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
)

// WantedMany is a write on many cards that a command was asked for.
type WantedMany struct {
	Intent state.Writes
	// Known are events of what was read for it.
	Known []kernel.Event
}

// Many opens the account, has a write on many cards prepared and carries it out.
func (c *Command) Many(ctx context.Context, prepare func(context.Context, app.Account) (WantedMany, error)) error {
	if err := checkForm(c, RowFields()); err != nil {
		return err
	}
	return c.WithAccount(ctx, c.Account, func(ctx context.Context, acc app.Account) error {
		w, err := prepare(ctx, acc)
		if err != nil {
			return err
		}
		what := w.Intent.Kind.String()
		cfg := c.config(acc, w.Known...)
		cfg.Key = ""
		if c.Account.DryRun {
			return c.rehearse(ctx, cfg, w.Intent)
		}
		out, err := output.New(c.Program, c.Output, RowFields())
		if err != nil {
			return err
		}
		if c.key != "" {
			release, left, err := c.claim(ctx, acc, &w)
			if err != nil {
				return fmt.Errorf("%s: %w", what, err)
			}
			defer release()
			if left != nil {
				return c.resume(ctx, acc, *left, out)
			}
			for _, row := range c.past {
				if err := out.Put(row); err != nil {
					return err
				}
			}
			if w.Intent.Kind == 0 {
				return out.End()
			}
			cfg.Keys = c.setKeys
		}
		end := c.follow(&cfg)
		b, err := act.Many(ctx, cfg, w.Intent)
		end()
		return c.finishMany(what, out, b, nil, err)
	})
}

// finishMany prints what became of the rows. Its error has what of them is not
// done.
func (c *Command) finishMany(what string, out *output.Records[Row], b act.Batch, past map[api.IdempotencyKey]state.Record, err error) error {
	var blocked *act.BlockedError
	list := rowsOf(b, past)
	if errors.As(err, &blocked) && len(list) == 0 {
		list = planned(blocked.Plan)
	}
	count := make(map[string]int)
	for _, r := range list {
		count[r.Outcome]++
		if r.Mismatch != "" {
			c.Say("warning: " + r.Action + " " + r.Name + ": " + r.Mismatch)
		}
	}
	unprinted := putAll(out, list)
	if len(b.Batches) == 0 {
		if unprinted != nil {
			return unprinted
		}
		if count[Skipped] == len(list) && blocked != nil && len(list) > 0 {
			return nil // All is as wanted.
		}
		if blocked != nil {
			err = &act.RefusedError{Reason: blocked.Reason, Remedy: remedy(blocked.Remedy)}
		}
		return refusal(what, err)
	}
	err = c.unfinished(what, b, count, len(list), err)
	if unprinted == nil {
		return err
	}
	unprinted = &cli.UnprintedError{What: countText(what, count, len(list)), Err: unprinted}
	if err == nil {
		return unprinted
	}
	return fmt.Errorf("%w; %w", err, unprinted)
}

// putAll prints rows to their end.
func putAll(out *output.Records[Row], list []Row) error {
	for _, r := range list {
		if err := out.Put(r); err != nil {
			return err
		}
	}
	return out.End()
}

// unfinished returns the error of batches of which not all is done.
func (c *Command) unfinished(what string, b act.Batch, count map[string]int, all int, err error) error {
	last := b.Batches[len(b.Batches)-1]
	text := countText(what, count, all)
	if last.Reason != "" {
		text += "; " + last.Reason
	}
	resume := c.line("plans resume " + string(last.Plan.ID))
	switch {
	case errors.Is(err, context.Canceled) && count[state.OpStatusDone]+count[Skipped] == all:
		return nil // It was all sent when it was interrupted.
	case count[state.OpStatusUnknown] > 0 && last.Phase == state.BatchOver:
		return &cli.UnknownError{Text: text, Settle: c.line("operations list")}
	case last.Phase != state.BatchOver, last.HasNext():
		if errors.Is(err, context.Canceled) {
			c.Say(text + "; go on with: " + resume)
			return err
		}
		return fmt.Errorf("%s; go on with: %s", text, resume)
	case err != nil:
		return refusal(text, err)
	case count[state.OpStatusDone]+count[Skipped] < all:
		return errors.New(text)
	}
	return nil
}

// remedy leaves out what names keys of the screen.
func remedy(text string) string {
	if strings.Contains(text, " r ") || strings.HasPrefix(text, "r ") {
		return ""
	}
	return text
}

// Resume goes on with a plan that an earlier run left.
func (c *Command) Resume(ctx context.Context, id state.PlanID) error {
	out, err := output.New(c.Program, c.Output, RowFields())
	if err != nil {
		return err
	}
	return c.WithAccount(ctx, c.Account, func(ctx context.Context, acc app.Account) error {
		left, err := leftPlan(ctx, acc, id)
		if err != nil {
			return err
		}
		if left == nil {
			return NoPlan(acc, id)
		}
		if c.Account.DryRun {
			return printLeft(*left, out)
		}
		if waits(left) == 0 {
			return c.printBegun(ctx, acc, *left, out)
		}
		if c.Money = left.Plan.Kind.Danger() == kernel.Money; c.Money {
			if err := c.check(); err != nil {
				return err
			}
		}
		return c.resume(ctx, acc, *left, out)
	})
}

// NoPlan is the error that no plan of an id is left, or that another program runs it.
func NoPlan(acc app.Account, id state.PlanID) error {
	switch stored, err := acc.HasPlan(id); {
	case stored:
		return errors.New("another cardtop runs this plan now: cardtop history prints what it did")
	case err != nil:
		return err
	}
	return app.Usage(errors.New("no plan of that id is left: cardtop plans list prints them"))
}

// printLeft prints the rows of a plan that would be sent, and those whose outcome would be
// asked for.
func printLeft(left state.LeftPlan, out *output.Records[Row]) error {
	for i, r := range planned(left.Plan) {
		if !left.Plan.Rows[i].Runs() {
			continue
		}
		if _, begun := left.Begun[r.Key]; begun {
			r.Text = "begun: its outcome is asked for"
		}
		if err := out.Put(r); err != nil {
			return err
		}
	}
	return out.End()
}

// Left returns the rows of an interrupted plan with what is known of each here: nothing is asked.
func Left(acc app.Account, left state.LeftPlan) ([]Row, error) {
	past, err := pastOf(acc)
	if err != nil {
		return nil, err
	}
	all := planned(left.Plan)
	for i := range all {
		r := &all[i]
		if _, begun := left.Begun[r.Key]; begun {
			r.Outcome, r.Text = state.OpStatusUnknown, ""
			if status := left.Statuses[r.Key]; state.Settled(status) && status != state.OpStatusDismissed {
				r.Outcome = status
			}
		}
		if r.recall(past); r.Outcome == state.OpStatusResolvedDone || past[r.Key].Outcome == state.OpStatusDone {
			r.Outcome = state.OpStatusDone
		}
	}
	return all, nil
}

// printBegun prints the rows of a plan that have all begun, with what is known of each. The
// plan is dropped, unless it alone knows of a row.
func (c *Command) printBegun(ctx context.Context, acc app.Account, left state.LeftPlan, out *output.Records[Row]) error {
	var keys []api.IdempotencyKey
	for key := range left.Statuses {
		keys = append(keys, key)
	}
	statuses, err := c.outcomes(ctx, acc, keys, left.Plan.Made, left.Begun)
	if err != nil {
		return err
	}
	pending := make(map[api.IdempotencyKey]bool)
	for _, op := range acc.Journal.Pending() {
		pending[op.Key] = true
	}
	past, err := pastOf(acc)
	if err != nil {
		return err
	}
	count, all, alone := make(map[string]int), 0, false
	for i, r := range planned(left.Plan) {
		r.recall(past)
		switch row := &left.Plan.Rows[i]; {
		case row.Later:
			r.Outcome = state.OpStatusNotSent
		case row.Runs():
			if r.Outcome = statuses[r.Key]; !state.Settled(r.Outcome) || r.Outcome == state.OpStatusDismissed {
				alone = alone || !pending[r.Key] && !state.Settled(r.Outcome)
				r.Outcome = state.OpStatusUnknown
			}
			if r.Outcome == state.OpStatusResolvedDone {
				r.Outcome = state.OpStatusDone
			}
		}
		count[r.Outcome]++
		all++
		if err := out.Put(r); err != nil {
			return err
		}
	}
	if err = out.End(); err == nil && !alone {
		err = c.drop(ctx, acc, &left)
	}
	text := countText("resume "+left.Plan.Kind.String(), count, all)
	switch {
	case err != nil:
		return err
	case count[state.OpStatusUnknown] > 0:
		return &cli.UnknownError{Text: text, Settle: c.line("operations list")}
	case count[state.OpStatusDone]+count[Skipped] < all:
		return errors.New(text + ": run the command again for the others")
	}
	return nil
}

// countText says how many rows are done, and what the others are.
func countText(what string, count map[string]int, all int) string {
	text := fmt.Sprintf("%s: %d of %d done", what, count[state.OpStatusDone]+count[Skipped], all)
	for _, outcome := range []string{state.OpStatusRefused, state.OpStatusUnknown, state.OpStatusNotSent, "blocked"} {
		if n := count[outcome]; n > 0 {
			text += fmt.Sprintf(", %d %s", n, outcome)
		}
	}
	return text
}

func (c *Command) resume(ctx context.Context, acc app.Account, left state.LeftPlan, out *output.Records[Row]) error {
	var ids []api.CardID
	for i := range left.Plan.Rows {
		if id := left.Plan.Rows[i].Card; id != "" {
			ids = append(ids, id)
		}
	}
	cards, err := ReadCards(ctx, acc, ids)
	if err != nil {
		return err
	}
	at := c.Now()
	cfg := c.config(acc, c.Cards(cards, true), state.PlansFound{Meta: kernel.Meta{Sent: at, At: at}, Left: []state.LeftPlan{left}})
	cfg.Key = ""
	if c.key != "" {
		cfg.Keys = c.setKeys
	}
	end := c.follow(&cfg)
	b, err := act.Resume(ctx, cfg, left.Plan.ID)
	end()
	past, wrong := pastOf(acc)
	if wrong != nil {
		c.Say("what an earlier run did is printed as it was planned: " + wrong.Error())
	}
	return c.finishMany("resume "+left.Plan.Kind.String(), out, b, past, err)
}

// pastOf returns the newest record of each key.
func pastOf(acc app.Account) (map[api.IdempotencyKey]state.Record, error) {
	records, err := acc.History.Load(math.MaxInt)
	return newest(records), err
}

// leftPlan finds a plan that an earlier run left; nil for none.
func leftPlan(ctx context.Context, acc app.Account, id state.PlanID) (*state.LeftPlan, error) {
	found, _ := acc.Engine.Run(ctx, state.FindPlans{}).(state.PlansFound)
	for i := range found.Left {
		if found.Left[i].Plan.ID == id {
			return &found.Left[i], nil
		}
	}
	return nil, found.Err
}

// oneByOne is up to how many cards are read each by itself; of more the list is
// read.
const oneByOne = 50

// ReadCards reads cards by their ids. Those that are not there are left out: the
// plan says so.
func ReadCards(ctx context.Context, acc app.Account, ids []api.CardID) ([]api.CardItem, error) {
	if len(ids) > oneByOne {
		wanted := make(map[api.CardID]bool, len(ids))
		for _, id := range ids {
			wanted[id] = true
		}
		return ReadAll(ctx, acc, func(c api.CardItem) bool { return wanted[c.ID] })
	}
	var out []api.CardItem
	for _, id := range ids {
		s, err := engine.Read(ctx, acc.Engine, "card", func(ctx context.Context, c *client.Client) (api.CardSummary, error) { return c.GetCard(ctx, id) })
		switch {
		case errors.Is(err, api.ErrNotFound), errors.Is(err, api.ErrInvalid):
		case err != nil:
			return nil, cli.Failed("read the cards", err)
		default:
			out = append(out, Item(s))
		}
	}
	return out, nil
}

// ReadAll reads all cards and returns those that are kept.
func ReadAll(ctx context.Context, acc app.Account, keep func(api.CardItem) bool) ([]api.CardItem, error) {
	var out []api.CardItem
	for page, err := range acc.Engine.Cards(ctx, api.ListCardsOptions{Sort: api.SortCreatedAt, Order: api.Ascending}) {
		if err != nil {
			return nil, cli.Failed("read the cards", err)
		}
		for _, c := range page {
			if keep(c) {
				out = append(out, c)
			}
		}
	}
	return out, nil
}

// Item is a card as a list has it.
func Item(s api.CardSummary) api.CardItem {
	return api.CardItem{
		ID: s.ID, BIN: s.BIN, Network: s.Network, Last4: s.Last4, Status: s.Status,
		Balance: s.Balance, Label: s.Label, NoLabel: s.NoLabel, CreatedAt: s.CreatedAt, ExpiresAt: s.ExpiresAt,
	}
}
