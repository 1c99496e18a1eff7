// Package bins is the command about the BINs.
package bins

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/read"
	"github.com/cardtop/cardtop/state/rows"
)

// Command lists the BINs.
func Command(p cli.Program) *cobra.Command {
	r := read.Command{Program: p}
	list := r.Flags(&cobra.Command{
		Use: "list", Short: "Print the BINs that cards can be issued from",
		Example: `  cardtop bins list
  cardtop bins list --json`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return read.List(cmd.Context(), &r, "BINs", rows.BINFields(), func(ctx context.Context, c *client.Client) (api.Page[api.BIN], error) {
				return c.ListBINs(ctx)
			}, read.All)
		},
	})
	return cli.Group("bins", "List BINs", "  cardtop bins list", list)
}
