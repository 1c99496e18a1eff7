package write

import (
	"context"
	"errors"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/engine/act"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
)

// Wanted is a write that a command was asked for.
type Wanted struct {
	Intent kernel.Intent
	// Known are events of what was read for it.
	Known []kernel.Event
	// Name is what it is about.
	Name string
	// Digits are the last four of a card that ends: they have to be typed. Empty for
	// what is not permanent.
	Digits string
	// Skip is why nothing is to be done; empty when something is.
	Skip string
	// Done is called with the answer before the outcome is printed; nil for
	// nothing.
	Done func(context.Context, state.OpDone) error
	// Failed is called when Done is not; nil for nothing.
	Failed func()
}

// Prepare makes a write that a command was asked for. Where an earlier run with the same key
// began it, before has what is known of that, and else it is nil: what it was about may have
// another name by now, or be gone, and nothing may have to be made ready for it.
type Prepare func(ctx context.Context, acc app.Account, before *state.Record) (Wanted, error)

// One opens the account, has a write prepared and carries it out.
func (c *Command) One(ctx context.Context, prepare Prepare) error {
	if err := checkForm(c, Fields()); err != nil {
		return err
	}
	return c.WithAccount(ctx, c.Account, func(ctx context.Context, acc app.Account) error {
		var past earlier
		if c.key != "" && !c.Account.DryRun {
			release, err := c.claimKey(ctx, acc)
			if err == nil {
				defer release()
				past, err = c.find(acc)
			}
			if err != nil {
				return err
			}
		}
		before := past.record
		if past.status == state.OpStatusResolvedNotDone {
			before = nil // It is done now: its card is read.
		}
		w, err := prepare(ctx, acc, before)
		if err != nil {
			return err
		}
		answered := false
		if done := w.Done; done != nil {
			w.Done = func(ctx context.Context, ev state.OpDone) error {
				answered = true
				return done(ctx, ev)
			}
		}
		defer func() {
			if w.Failed != nil && !answered {
				w.Failed()
			}
		}()
		c.about, c.digits = w.Name, w.Digits
		what := c.sentence(w.Intent)
		if c.key != "" && !c.Account.DryRun {
			if over, err := c.before(ctx, acc, w, past); over || err != nil {
				return err
			}
		}
		cfg := c.config(acc, w.Known...)
		switch {
		case w.Skip != "":
			card, _ := state.CardOf(w.Intent)
			return c.print(Outcome{Record: state.Record{Action: verb(w.Intent), Card: card, Name: w.Name, Outcome: Skipped, Err: w.Skip}})
		case c.Account.DryRun:
			req, err := act.Rehearse(ctx, cfg, w.Intent)
			if err != nil {
				return refusal(what, err)
			}
			return c.printRequest(req)
		}
		r, err := act.One(ctx, cfg, w.Intent)
		if err != nil {
			return refusal(what, err)
		}
		return c.finish(ctx, w, r)
	})
}

// finish prints the outcome of an operation that was sent.
func (c *Command) finish(ctx context.Context, w Wanted, r act.Result) error {
	if err := c.failed(r); err != nil {
		return err
	}
	for _, why := range []string{r.Done.Note, r.Done.Lost} {
		if why != "" {
			c.Say("done, but not recorded: " + why)
		}
	}
	var err error
	if w.Done != nil {
		err = w.Done(ctx, r.Done)
	}
	return errors.Join(c.print(outcomeOf(r)), err)
}
