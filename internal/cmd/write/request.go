package write

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/output"
	"github.com/cardtop/cardtop/internal/engine/act"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/rows"
)

// RequestFields are what is printed of a request in a dry run.
func RequestFields() []rows.Field[act.Request] {
	type request = act.Request
	return []rows.Field[request]{
		{Name: "method", About: "POST, PATCH or DELETE", Brief: true, Cell: func(r request) rows.Cell { return orNone(r.Method) }},
		{Name: "path", About: "path below the base URL", Brief: true, Cell: func(r request) rows.Cell { return orNone(r.Path) }},
		{Name: "body", About: "JSON body", Brief: true, Cell: func(r request) rows.Cell {
			c := orNone(inert(r.Body))
			if json.Valid([]byte(r.Body)) {
				c.JSON = c.Text
			}
			return c
		}},
		{Name: "name", About: "label and last four digits of a card, of many", Cell: func(r request) rows.Cell { return orNone(r.Name) }},
		{Name: "text", About: "why nothing would be sent", Brief: true, Cell: func(r request) rows.Cell { return orNone(api.Clean(r.Text)) }},
	}
}

// orNone is no value for an empty text.
func orNone[S ~string](text S) rows.Cell {
	if text == "" {
		return rows.Cell{}
	}
	return rows.Text(text)
}

// inert returns a JSON body, whole, that does nothing on a terminal: what is not printable
// is escaped as JSON has it. A file of cards may hold anything.
func inert(body string) string {
	var b strings.Builder
	for _, r := range body {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// checkForm finds wrong usage of the form of the output before anything is read. A dry
// run prints requests instead of outcomes.
func checkForm[T any](c *Command, fields []rows.Field[T]) error {
	var err error
	if c.Account.DryRun {
		_, err = output.One(c.Program, c.Output, RequestFields())
	} else {
		_, err = output.One(c.Program, c.Output, fields)
	}
	return err
}

// printRequest prints what a dry run would have sent.
func (c *Command) printRequest(r act.Request) error {
	if c.Output.Free() {
		return c.writeRequest(r)
	}
	one, err := output.One(c.Program, c.Output, RequestFields())
	if err != nil {
		return err
	}
	return one(r)
}

// writeRequest prints a request for people: whole, as it may have to be copied.
func (c *Command) writeRequest(r act.Request) error {
	text := r.Method + " " + r.Path + "\n"
	if r.Body != "" {
		text += inert(r.Body) + "\n"
	}
	_, err := fmt.Fprint(c.Out, text)
	return err
}

// rehearse prints the requests of the rows of a plan, for people below the plan.
func (c *Command) rehearse(ctx context.Context, cfg act.Config, in state.Writes) error {
	plan, requests, err := act.PlanOf(ctx, cfg, in)
	if err != nil {
		return refusal(in.Kind.String(), err)
	}
	if err := c.printRequests(plan, requests); err != nil {
		return err
	}
	if plan.Blocked != "" {
		return &act.RefusedError{Reason: plan.Blocked, Remedy: remedy(plan.Remedy)}
	}
	return nil
}

func (c *Command) printRequests(plan *state.Plan, requests []act.Request) error {
	if !c.Output.Free() {
		return output.List(c.Program, c.Output, RequestFields(), requests)
	}
	if err := output.List(c.Program, c.Output, RowFields(), planned(plan)); err != nil {
		return err
	}
	for _, r := range requests {
		if r.Method == "" {
			continue // The plan says why.
		}
		if _, err := fmt.Fprintln(c.Out); err != nil {
			return err
		}
		if err := c.writeRequest(r); err != nil {
			return err
		}
	}
	return nil
}

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
