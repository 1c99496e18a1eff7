// Package operations is the commands about what was begun and has no end: writes
// of unknown outcome, and plans for many cards.
package operations

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/output"
	"github.com/cardtop/cardtop/internal/cmd/write"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/rows"
)

// Commands returns the commands.
func Commands(p cli.Program) []*cobra.Command {
	return []*cobra.Command{
		cli.Group("operations", "List and settle writes of unknown outcome", `  cardtop operations list
  cardtop operations settle order-17`, listCommand(p), settleCommand(p)),
		plansCommand(p),
	}
}

// Fields are what is printed of an operation under way.
func Fields() []rows.Field[state.Op] {
	return []rows.Field[state.Op]{
		{Name: "idempotency_key", About: "key of the operation", Brief: true, Cell: func(op state.Op) rows.Cell { return rows.Text(op.Key) }},
		{Name: "action", About: "fund, withdraw, freeze, …", Brief: true, Cell: func(op state.Op) rows.Cell { return rows.Text(op.Kind.Verb()) }},
		{Name: "card_id", About: "card", Brief: true, Cell: func(op state.Op) rows.Cell { return rows.Text(op.Card) }},
		{Name: "name", About: "label and last four digits", Brief: true, Cell: func(op state.Op) rows.Cell { return rows.Text(op.Name) }},
		{Name: "amount", About: "USD", Brief: true, Cell: func(op state.Op) rows.Cell {
			if op.Amount == 0 {
				return rows.Cell{}
			}
			return rows.Money(op.Amount)
		}},
		{Name: "begun_at", About: "when it was begun", Brief: true, Cell: func(op state.Op) rows.Cell { return rows.Time(op.At) }},
	}
}

func listCommand(p cli.Program) *cobra.Command {
	var (
		account config.Flags
		form    output.Flags
	)
	cmd := &cobra.Command{
		Use: "list", Short: "Print operations that have no answer",
		Long:    "Print operations that have no answer: of cardtops that ended, and those that are being sent now.",
		Example: "  cardtop operations list\n  cardtop operations list --jsonl", Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out, err := output.New(p, form, Fields())
			if err != nil {
				return err
			}
			account.ReadOnly = true // It takes nothing over.
			return p.WithAccount(cmd.Context(), account, func(_ context.Context, acc app.Account) error {
				ops, err := acc.Journal.UnderWay()
				if err != nil {
					return err
				}
				for _, op := range ops {
					if err := out.Put(op); err != nil {
						return err
					}
				}
				return out.End()
			})
		},
	}
	cli.AllAccountFlags(cmd.Flags(), &account)
	form.Add(cmd.Flags())
	return cmd
}

const settleHelp = `Settle an operation whose outcome is not known. While it is young its request is sent again with the same
key, which acts once. After that nobody but you can say: the command prints what was read since, and --done
or --not-done settles it.`

func settleCommand(p cli.Program) *cobra.Command {
	c := &write.Command{Program: p}
	var done, not bool
	cmd := c.ResumeFlags(&cobra.Command{
		Use: "settle KEY", Short: "Settle an operation of unknown outcome", Long: settleHelp,
		Example: `  cardtop operations settle order-17
  cardtop operations settle order-17 --not-done`,
		Args: oneKey,
		RunE: func(cmd *cobra.Command, args []string) error {
			if done && not {
				return app.Usage(errors.New("--done and --not-done exclude each other: choose one"))
			}
			var happened *bool
			if done || not {
				happened = &done
			}
			return c.Settle(cmd.Context(), api.IdempotencyKey(args[0]), happened)
		},
	}, false)
	for _, name := range []string{"yes", "dry-run"} {
		if err := cmd.Flags().MarkHidden(name); err != nil {
			continue // It is not there.
		}
	}
	cmd.Flags().BoolVar(&done, "done", false, "it was done")
	cmd.Flags().BoolVar(&not, "not-done", false, "it was not done")
	return cmd
}

func oneKey(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0 || strings.TrimSpace(args[0]) == "":
		return errors.New("a key is missing: cardtop operations list prints them")
	case len(args) > 1:
		return fmt.Errorf("%s takes one key, not also %q", cmd.CommandPath(), cli.Shown(args[1]))
	}
	return nil
}
