package cards

import (
	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/write"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
)

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
