package cards

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/write"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
)

// one prepares a write on the card that is meant.
func one(said string, want func(api.CardItem) (in kernel.Intent, skip string)) prepare {
	return func(ctx context.Context, c *write.Command, acc app.Account, before *state.Record) (write.Wanted, error) {
		if before != nil {
			if w, ok := meant(said, *before, want); ok {
				return w, nil
			}
		}
		card, err := write.FindCard(ctx, acc.Engine, said)
		if err != nil {
			return write.Wanted{}, err
		}
		w := write.Wanted{Name: write.Name(card), Known: []kernel.Event{c.Cards([]api.CardItem{card}, false)}}
		w.Intent, w.Skip = want(card)
		if state.KindOf(w.Intent) == state.OpTerminate {
			w.Digits = string(card.Last4)
		}
		return w, nil
	}
}

// prepare makes a write on the account of a command.
type prepare func(ctx context.Context, c *write.Command, acc app.Account, before *state.Record) (write.Wanted, error)

// meant is a write on the card of an earlier run, if that is what was said: it may be called
// otherwise since.
func meant(said string, before state.Record, want func(api.CardItem) (in kernel.Intent, skip string)) (write.Wanted, bool) {
	label, last4 := before.Name, ""
	if i := strings.LastIndex(before.Name, "••"); i >= 0 {
		label, last4 = strings.TrimSuffix(before.Name[:i], " "), before.Name[i+len("••"):]
	}
	if said == "" || said != string(before.Card) && said != label && said != last4 {
		return write.Wanted{}, false
	}
	in, _ := want(api.CardItem{ID: before.Card, Label: api.Text(label)})
	return write.Wanted{Intent: in, Name: before.Name}, true
}

func fundCommand(p cli.Program) *cobra.Command {
	c := &write.Command{Program: p}
	var amount cli.Amount
	share := shareEach
	cmd := c.Flags(&cobra.Command{
		Use: "fund CARD", Short: "Move money from the wallet to a card",
		Long: "Move money from the wallet to a card.\n\n" + cardHelp + "\n\n" + manyHelp + "\n\n" + write.HelpMoney,
		Example: `  cardtop cards fund 2039 --amount 25
  cardtop cards fund card_5f2c --amount 25 --yes --max-amount 25 --idempotency-key order-1042
  cardtop cards fund fb/spring --amount 25 --dry-run`,
		Args: oneCard,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := needsAmount(c, cmd, amount); err != nil {
				return err
			}
			if args[0] == onInput {
				return runMany(cmd, c, func(ids []api.CardID) state.Writes {
					return state.Writes{Kind: state.BulkFund, Cards: ids, Share: shares()[share], Amount: amount.USD}
				})
			}
			if err := single(cmd); err != nil {
				return err
			}
			return run(cmd, c, one(args[0], func(card api.CardItem) (kernel.Intent, string) {
				return state.Fund(card.ID, amount.USD), ""
			}))
		},
	}, true)
	cmd.Flags().Var(cli.AmountFlag{To: &amount}, "amount", "how much, USD; 1.00 to 5000.00")
	cmd.Flags().Var(cli.Word{To: &share, Known: []string{shareEach, shareLevel, shareSplit}}, "share", "with many cards: to each, up to a level, or split among them")
	return c.ExpiredFlag(c.StatusFlag(cmd))
}

func withdrawCommand(p cli.Program) *cobra.Command {
	c := &write.Command{Program: p}
	var amount cli.Amount
	share := shareEach
	cmd := c.Flags(&cobra.Command{
		Use: "withdraw CARD", Short: "Move money from a card to the wallet",
		Long: "Move money from a card to the wallet.\n\n" + cardHelp + "\n\n" + manyHelp + "\n\n" + write.HelpMoney,
		Example: `  cardtop cards withdraw 2039 --amount 25
  cardtop cards withdraw card_5f2c --amount 25 --yes --max-amount 25`,
		Args: oneCard,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := needsAmount(c, cmd, amount); err != nil {
				return err
			}
			if args[0] == onInput {
				return runMany(cmd, c, func(ids []api.CardID) state.Writes {
					return state.Writes{Kind: state.BulkWithdraw, Cards: ids, Share: shares()[share], Amount: amount.USD}
				})
			}
			if err := single(cmd); err != nil {
				return err
			}
			return run(cmd, c, one(args[0], func(card api.CardItem) (kernel.Intent, string) {
				return state.Withdraw(card.ID, amount.USD), ""
			}))
		},
	}, true)
	cmd.Flags().Var(cli.AmountFlag{To: &amount}, "amount", "how much, USD")
	cmd.Flags().Var(cli.Word{To: &share, Known: []string{shareEach, shareLevel}}, "share", "with many cards: from each, or down to a level")
	return c.StatusFlag(cmd)
}

// How an amount applies to many cards.
const (
	shareEach  = "each"
	shareLevel = "level"
	shareSplit = "split"
)

func shares() map[string]state.Share {
	return map[string]state.Share{shareEach: state.ShareEach, shareLevel: state.ShareLevel, shareSplit: state.ShareSplit}
}

// single refuses flags that are for many cards.
func single(cmd *cobra.Command) error {
	if cmd.Flags().Changed("share") {
		return app.Usage(errors.New("--share is for many cards: give their ids on standard input, and - for the card"))
	}
	return nil
}

// needsAmount begins a write that moves an amount.
func needsAmount(c *write.Command, cmd *cobra.Command, amount cli.Amount) error {
	switch {
	case !amount.Set:
		return app.Usage(errors.New("--amount is missing: how much, USD"))
	case amount.USD == 0:
		return app.Usage(errors.New("--amount 0 moves nothing: give more than 0"))
	}
	return c.Begin(cmd)
}

// run carries out what was prepared.
func run(cmd *cobra.Command, c *write.Command, prepare prepare) error {
	return c.One(cmd.Context(), func(ctx context.Context, acc app.Account, before *state.Record) (write.Wanted, error) {
		return prepare(ctx, c, acc, before)
	})
}

// status is a command that changes the status of a card.
type status struct {
	name, short, example string
	// already is the status in which nothing is to be done.
	already api.CardStatus
	intent  func(api.CardID) kernel.Intent
	many    func([]api.CardID) state.Writes
}

func statusCommands(p cli.Program) []*cobra.Command {
	var out []*cobra.Command
	for _, s := range []status{
		{
			"freeze", "Suspend the transactions of a card", "  cardtop cards freeze 2039",
			api.CardFrozen, func(id api.CardID) kernel.Intent { return state.Freeze(id) },
			func(ids []api.CardID) state.Writes { return state.Writes{Kind: state.BulkFreeze, Cards: ids} },
		},
		{
			"unfreeze", "Allow the transactions of a card again", "  cardtop cards unfreeze 2039",
			api.CardActive, func(id api.CardID) kernel.Intent { return state.Unfreeze(id) },
			func(ids []api.CardID) state.Writes { return state.Writes{Kind: state.BulkUnfreeze, Cards: ids} },
		},
		{
			"terminate", "End a card for good; its balance goes back to the wallet", "  cardtop cards terminate card_5f2c",
			api.CardTerminated, func(id api.CardID) kernel.Intent { return state.Terminate(id) },
			func(ids []api.CardID) state.Writes { return state.Writes{Kind: state.BulkTerminate, Cards: ids} },
		},
	} {
		out = append(out, s.command(p))
	}
	return out
}

func (s status) command(p cli.Program) *cobra.Command {
	c := &write.Command{Program: p}
	cmd := c.Flags(&cobra.Command{
		Use: s.name + " CARD", Short: s.short, Long: s.short + ".\n\n" + cardHelp + "\n\n" + manyHelp + "\n\n" + write.Help,
		Example: s.example + "\n  cardtop cards list --label fb/spring --template '{id}' | cardtop cards " + s.name + " - --yes --json",
		Args:    oneCard,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.Begin(cmd); err != nil {
				return err
			}
			if args[0] == onInput {
				return runMany(cmd, c, s.many)
			}
			return run(cmd, c, one(args[0], func(card api.CardItem) (in kernel.Intent, skip string) {
				if card.Status == s.already {
					skip = write.Name(card) + " is " + string(s.already) + " already"
				}
				return s.intent(card.ID), skip
			}))
		},
	}, false)
	if s.already == api.CardTerminated {
		return c.StatusFlag(cmd)
	}
	return cmd
}
