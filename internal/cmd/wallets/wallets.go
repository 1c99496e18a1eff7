// Package wallets has the commands about the wallet and its deposits.
package wallets

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/read"
	"github.com/cardtop/cardtop/state/rows"
)

// Commands returns them.
func Commands(p cli.Program) []*cobra.Command {
	return []*cobra.Command{walletCommand(p), depositsCommand(p)}
}

func walletCommand(p cli.Program) *cobra.Command {
	r := read.Command{Program: p}
	return r.Flags(&cobra.Command{
		Use: "wallet", Short: "Print the wallet",
		Example: `  cardtop wallet
  cardtop wallet --template '{balance}'`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return read.One(cmd.Context(), &r, "wallet", rows.WalletFields(), func(ctx context.Context, c *client.Client) (api.Wallet, error) {
				return c.WalletBalance(ctx)
			})
		},
	})
}
