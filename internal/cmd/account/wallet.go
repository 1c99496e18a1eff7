package account

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/state/rows"
)

func walletCommand(p cli.Program) *cobra.Command {
	r := reader{Program: p}
	return r.flags(&cobra.Command{
		Use: "wallet", Short: "Print the wallet",
		Example: `  cardtop wallet
  cardtop wallet --template '{balance}'`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return printOne(cmd.Context(), &r, "wallet", rows.WalletFields(), func(ctx context.Context, c *client.Client) (api.Wallet, error) {
				return c.WalletBalance(ctx)
			})
		},
	})
}

func binsCommand(p cli.Program) *cobra.Command {
	r := reader{Program: p}
	list := r.flags(&cobra.Command{
		Use: "list", Short: "Print the BINs that cards can be issued from",
		Example: `  cardtop bins list
  cardtop bins list --json`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return printList(cmd.Context(), &r, "BINs", rows.BINFields(), func(ctx context.Context, c *client.Client) (api.Page[api.BIN], error) {
				return c.ListBINs(ctx)
			}, all)
		},
	})
	return cli.Group("bins", "List BINs", "  cardtop bins list", list)
}
