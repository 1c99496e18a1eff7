package cards

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/output"
	"github.com/cardtop/cardtop/internal/cmd/write"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/rows"
)

func showCommand(p cli.Program) *cobra.Command {
	var (
		account config.Flags
		form    output.Flags
	)
	cmd := &cobra.Command{
		Use: "show CARD", Short: "Print a card, without its number", Long: "Print a card, without its number.\n\n" + cardHelp,
		Example: `  cardtop cards show 2039
  cardtop cards show card_5f2c --json`,
		Args: oneCard,
		RunE: func(cmd *cobra.Command, args []string) error {
			print, err := output.One(p, form, rows.SummaryFields())
			if err != nil {
				return err
			}
			return p.WithReadOnlyAccount(cmd.Context(), account, ", or use --sandbox", func(ctx context.Context, eng *engine.Engine, _ config.Resolved) error {
				c, err := write.FindCard(ctx, eng, args[0])
				if err != nil {
					return err
				}
				summary, err := write.ReadCard(ctx, eng, c.ID)
				if err != nil {
					return cli.Failed("read the card "+write.Name(c), err)
				}
				summary.Status = cardlist.Shown(summary.Status, cardlist.Passed(summary.ExpiresAt, eng.ServerNow()))
				return print(summary)
			})
		},
	}
	cli.AllAccountFlags(cmd.Flags(), &account)
	form.Add(cmd.Flags())
	return cmd
}
