package write

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/output"
	"github.com/cardtop/cardtop/internal/engine/act"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/rows"
)

// Wanted is a write that a command was asked for.
type Wanted struct {
	Intent state.Intent
	// Known are events of what was read for it.
	Known []state.Event
	// Name is what it is about.
	Name string
	// Skip is why nothing is to be done; empty when something is.
	Skip string
	// Done is called with the answer before the outcome is printed; nil for
	// nothing.
	Done func(context.Context, state.OpDone) error
	// Failed is called when Done is not; nil for nothing.
	Failed func()
}

// One opens the account, has a write prepared and carries it out.
func (c *Command) One(ctx context.Context, prepare func(context.Context, app.Account) (Wanted, error)) error {
	if _, err := output.One(c.Program, c.Output, Fields()); err != nil {
		return err
	}
	return c.WithAccount(ctx, c.Account, func(ctx context.Context, acc app.Account) error {
		w, err := prepare(ctx, acc)
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
		c.about = w.Name
		what := c.sentence(w.Intent)
		if c.key != "" && !c.Account.DryRun {
			release, err := acc.Journal.Claim(api.IdempotencyKey(c.key))
			if err != nil {
				return fmt.Errorf("%s: %w", what, err)
			}
			defer release()
			if over, err := c.before(ctx, acc, w); over || err != nil {
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

// printRequest prints what a dry run would have sent.
func (c *Command) printRequest(r act.Request) error {
	if c.Output.Table() {
		_, err := fmt.Fprintf(c.Out, "%s %s\n%s\n", r.Method, r.Path, r.Body)
		return err
	}
	one, err := output.One(c.Program, c.Output, RequestFields())
	if err != nil {
		return err
	}
	return one(r)
}

// RequestFields are what is printed of a request in a dry run.
func RequestFields() []rows.Field[act.Request] {
	type request = act.Request
	return []rows.Field[request]{
		{Name: "method", About: "POST, PATCH or DELETE", Brief: true, Cell: func(r request) rows.Cell { return rows.Text(r.Method) }},
		{Name: "path", About: "path below the base URL", Brief: true, Cell: func(r request) rows.Cell { return rows.Text(r.Path) }},
		{Name: "body", About: "JSON body", Brief: true, Cell: func(r request) rows.Cell {
			c := rows.Text(api.Clean(r.Body))
			if json.Valid([]byte(r.Body)) {
				c.JSON = r.Body
			}
			return c
		}},
	}
}
