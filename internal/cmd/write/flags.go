// Package write is what the commands that change something share: their flags,
// the confirmation, the idempotency key, and what is printed of the outcome.
package write

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	mrand "math/rand/v2"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/output"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine/act"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
)

// Help is what the help of a command that changes something ends with, HelpMoney that of
// one that moves money, HelpResume that of one that
// continues a write, which has its key already.
const (
	Help       = `On a terminal the command asks first. Without one it needs --yes. ` + helpBoth
	HelpMoney  = `On a terminal the command asks first. Without one it needs --yes and --max-amount. ` + helpBoth
	HelpResume = `On a terminal the command asks first. Without one it needs --yes. The guardrails of the configuration hold.
` + helpExit
	helpBoth = `The guardrails of the configuration hold. With --idempotency-key the same command line acts once, however
often it is run. ` + helpExit
	helpExit = `Exit code 6: it may have acted, and the error says which command settles it.`
)

// Command is one run of a command that changes something.
type Command struct {
	cli.Program
	Account config.Flags
	Output  output.Flags
	// Money reports whether it moves money out of the wallet.
	Money bool

	in       *bufio.Reader
	terminal bool // Somebody can be asked.
	yes      bool
	// unknownStatus reports whether a card may have a status that this program does not know.
	unknownStatus bool
	// expired reports whether a card that has expired may be funded.
	expired bool
	max     cli.Amount
	key     string
	digits  string // Wanted.Digits.
	about   string // What it is about, once that is known.
	past    []Row  // What an earlier run with the key has done.
	shape   string // Of what is done to many cards under the key.
	// ended are operations of earlier runs that have had their outcome since.
	ended []api.IdempotencyKey
}

// Flags adds the flags of every write; money those of what moves money.
func (c *Command) Flags(cmd *cobra.Command, money bool) *cobra.Command {
	cmd.Flags().StringVar(&c.key, "idempotency-key", "", "`KEY` of your own: the same command line with it acts once")
	return c.ResumeFlags(cmd, money)
}

// ResumeFlags adds the flags of a command that continues a write, which has its key already.
func (c *Command) ResumeFlags(cmd *cobra.Command, money bool) *cobra.Command {
	c.Money = money
	f := cmd.Flags()
	cli.AllAccountFlags(f, &c.Account)
	c.Output.Add(f)
	f.BoolVarP(&c.yes, "yes", "y", false, "do not ask")
	f.BoolVar(&c.Account.DryRun, "dry-run", false, "print what would be sent, and send nothing")
	if money {
		f.Var(cli.AmountFlag{To: &c.max}, "max-amount", "refuse to move more than this in all, USD")
	}
	return cmd
}

// StatusFlag adds the flag of what moves money of one card, or ends one: --yes alone does not
// go on with a card whose status this program does not know.
func (c *Command) StatusFlag(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().BoolVar(&c.unknownStatus, "allow-unknown-status", false, "go on with a card whose status cardtop does not know; --yes does not")
	return cmd
}

// ExpiredFlag adds the flag of what funds one card: --yes alone does not go on with a card
// that has expired.
func (c *Command) ExpiredFlag(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().BoolVar(&c.expired, "allow-expired", false, "fund a card that has expired; --yes does not")
	return cmd
}

// isKey reports whether a user may choose an idempotency key: it is part of a command
// that is printed.
func isKey(s string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:@=+-"
	return s != "" && len(s) <= 128 && strings.Trim(s, letters) == ""
}

// Begin reads who is there to be asked, and refuses what is not said.
func (c *Command) Begin(cmd *cobra.Command) error {
	in := cmd.InOrStdin()
	c.in, c.terminal = bufio.NewReader(in), cli.IsTerminal(in) && cli.IsTerminal(c.Errs)
	return c.check()
}

func (c *Command) check() error {
	switch {
	case c.key != "" && !isKey(c.key):
		return app.Usage(errors.New("--idempotency-key takes up to 128 letters, digits and . _ : @ = + -"))
	case c.Account.DryRun || c.terminal:
		return nil
	case !c.yes:
		return app.Usage(errors.New("nobody can be asked without a terminal: --yes says that it is wanted, --dry-run shows it"))
	case c.Money && !c.max.Set:
		return app.Usage(errors.New("money moves without a terminal only up to --max-amount"))
	}
	return nil
}

// Lines reads what is on standard input, a line each, without blank ones. Nobody
// can be asked then.
func (c *Command) Lines(most int) ([]string, error) {
	var lines []string
	in := bufio.NewScanner(c.in)
	for in.Scan() {
		if line := strings.TrimSpace(in.Text()); line != "" {
			lines = append(lines, line)
		}
		if len(lines) > most {
			return nil, app.Usage(fmt.Errorf("at most %d lines on standard input", most))
		}
	}
	if err := in.Err(); err != nil {
		return nil, app.Usage(errors.New("read standard input: a line is too long"))
	}
	return lines, nil
}

// In is standard input.
func (c *Command) In() io.Reader { return c.in }

// config is what intents of an account are carried out with. Cards are those that
// were read for it.
func (c *Command) config(acc app.Account, known ...kernel.Event) act.Config {
	cfg := act.Config{
		Run: acc.Engine.Run, Now: c.Now, Rand: mrand.Float64, Pending: acc.Journal.Pending(), Known: known,
		Key: api.IdempotencyKey(c.key), Tell: c.Say,
		Store: settings.Config{
			Reloadable: acc.Settings, ReadOnly: acc.Run.ReadOnly, NoReveal: acc.Run.NoReveal, DryRun: c.Account.DryRun,
			Shared: !acc.Run.Sandbox, Profile: acc.Run.Profile,
		},
	}
	cfg.Pending = slices.DeleteFunc(slices.Clone(cfg.Pending), func(op state.Op) bool { return slices.Contains(c.ended, op.Key) })
	cfg.Confirm = func(ctx context.Context, p act.Proposal) (bool, error) { return c.confirm(ctx, acc.Mode, p) }
	return cfg
}

// Cards are cards that were read, as an event for the store. all says that the
// command is about no others.
func (c *Command) Cards(cards []api.CardItem, all bool) kernel.Event {
	at := c.Now()
	return state.CardsKnown{Meta: kernel.Meta{Sent: at, At: at}, Items: cards, All: all}
}

// Keyed reports whether the user chose an idempotency key.
func (c *Command) Keyed() bool { return c.key != "" }

// SettleLine is the command line that settles an operation of an account.
func SettleLine(account config.Flags, key api.IdempotencyKey) string {
	return (&Command{Account: account}).settle(key)
}

// settle is the command that settles an operation.
func (c *Command) settle(key api.IdempotencyKey) string {
	return c.line("operations settle " + string(key))
}

// line is a command line on the same account.
func (c *Command) line(words string) string {
	line := "cardtop " + words
	for _, f := range []struct{ name, value string }{{"profile", c.Account.Profile}, {"config", c.Account.Config}, {"base-url", c.Account.BaseURL}} {
		if f.value != "" {
			line += " --" + f.name + " " + f.value
		}
	}
	return line
}
