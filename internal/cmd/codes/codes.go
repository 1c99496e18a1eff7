// Package codes is the command that prints or copies 3DS codes.
package codes

import (
	"context"
	"errors"
	"fmt"
	mrand "math/rand/v2"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/engine/await"
)

const help = `Print the newest pending 3DS code of a card, and nothing else: its digits and a newline.

Without --wait a code has to be pending already; otherwise the exit code is 3. With --wait the
next code is printed as well. A code that is pending at the start is printed at once, at any age:
you press "pay" first. Expired codes are skipped, and codes that the merchant has replaced.

With --wait the API is polled twice a second for five minutes, then once a second. Errors and rate
limits are retried until the timeout.

A code of a status that this version does not know is printed only when none is pending, with --wait 5 seconds
after it came. The exit code is 7 then.

--copy puts the code on the clipboard instead. It is cleared after clipboard.code_seconds or at the
code's expiry, although the command has ended by then.

Exit codes: 0 done, 1 failed, 2 usage or no such card, 3 no code in time, 4 key refused,
5 rate limit, 7 a code of unknown status, 130 interrupted.`

const example = `  cardtop otp --wait --card 2039
  code=$(cardtop otp --wait --card fb/spring --timeout 2m) || exit
  cardtop otp --card card_5f2c --json`

// options are what the command line asks for.
type options struct {
	card    string
	wait    bool
	copy    bool
	json    bool
	timeout time.Duration
}

// Command returns the command about codes.
func Command(p cli.Program) *cobra.Command {
	var (
		flags config.Flags
		o     = options{timeout: defaultWait}
	)
	cmd := &cobra.Command{
		Use:     "otp",
		Short:   "Print the next 3DS code of a card",
		Long:    help,
		Example: example,
		Args:    cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			return o.run(cmd.Context(), p, flags)
		},
	}
	cli.AccountFlags(cmd.Flags(), &flags)
	o.flags(cmd)
	cmd.Flags().BoolVar(&o.copy, "copy", false, "put the code on the clipboard, and nothing on standard output")
	return cmd
}

// flags adds those that say which code is printed, and how.
func (o *options) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.card, "card", "", "id, last four digits or label of the card, or a part of the label; any card without it")
	f.BoolVar(&o.wait, "wait", false, "wait for a code when none is pending")
	f.BoolVar(&o.json, "json", false, "print an object with the code, its card, merchant, amount and times")
	f.Var((*cli.Span)(&o.timeout), "timeout", "how long to wait at most")
}

// check returns what is wrong with the options.
func (o *options) check() error {
	switch {
	case o.copy && o.json:
		return app.Usage(errors.New("--json prints the code and --copy does not: choose one"))
	case o.timeout <= 0:
		return app.Usage(errors.New("--timeout has to be more than 0"))
	}
	return nil
}

// defaultWait is how long a code is waited for.
const defaultWait = 5 * time.Minute

// Over runs the command for somebody who is connected over SSH to a hub: on the hub's
// engine of theirs, with their output. It copies nothing: the clipboard here is not theirs.
func Over(ctx context.Context, p cli.Program, eng *engine.Engine, args []string) error {
	o := options{timeout: defaultWait}
	started := false
	cmd := &cobra.Command{
		Use: "otp", Short: "Print the next 3DS code of a card", Args: cli.NoArgs, SilenceErrors: true, SilenceUsage: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			started = true
			if err := o.check(); err != nil {
				return err
			}
			return checkout{Program: p, options: o, eng: eng}.print(cmd.Context())
		},
	}
	o.flags(cmd)
	cmd.SetFlagErrorFunc(cli.BadFlag)
	cmd.SetArgs(args)
	cmd.SetIn(strings.NewReader(""))
	cmd.SetOut(p.Out)
	cmd.SetErr(p.Errs)
	err := cmd.ExecuteContext(ctx)
	if err != nil && !started {
		return app.Usage(err)
	}
	return err
}

// run opens the account and prints or copies a code of it.
func (o options) run(ctx context.Context, p cli.Program, flags config.Flags) error {
	return p.WithReadOnlyAccount(ctx, flags, "", func(ctx context.Context, eng *engine.Engine, run config.Resolved) error {
		c := checkout{Program: p, options: o, eng: eng, interactive: cli.IsTerminal(p.Out), ttl: run.Settings.CopyCode}
		if !o.copy {
			return c.print(ctx)
		}
		board, err := p.Board(ctx, run.Settings)
		if err != nil {
			return err
		}
		return c.copyTo(ctx, board)
	})
}

// checkout is one run of the command on an account.
type checkout struct {
	cli.Program
	options
	eng *engine.Engine
	// interactive reports whether the output is a terminal.
	interactive bool
	// ttl is how long a code stays on the clipboard.
	ttl time.Duration
}

// code waits for the code.
func (c checkout) code(ctx context.Context) (await.Result, error) {
	cfg := await.Config{
		Do: c.eng.Run, Now: c.Now, Rand: mrand.Float64, Card: c.card, Wait: c.wait, Timeout: c.timeout,
	}
	if c.interactive && c.wait {
		cfg.Tell = c.Say
	}
	r, err := await.Code(ctx, cfg)
	if errors.Is(err, await.ErrCard) {
		return r, app.Usage(fmt.Errorf("--card: %w", err))
	}
	return r, err
}

// nameLimit bounds the read of the card once its code is there.
const nameLimit = 2 * time.Second

// name reads the card of a code when only its id is known. An error is ignored:
// the code is what was asked for.
func (c checkout) name(ctx context.Context, r *await.Result) {
	if r.Card.Status != "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, nameLimit)
	defer cancel()
	if card, err := await.Card(ctx, c.eng.Run, r.Card.ID); err == nil {
		r.Card = card
	}
}
