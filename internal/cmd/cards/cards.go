// Package cards is the commands about cards, one file each.
package cards

import (
	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/cmd/cli"
)

// Command returns the commands about cards.
func Command(p cli.Program) *cobra.Command {
	cmd := cli.Group("cards", "List, issue, change, fund and end cards", `  cardtop cards list 'status=active bal<20'
  cardtop cards fund 2039 --amount 25`,
		listCommand(p), showCommand(p), createCommand(p), editCommand(p), fundCommand(p), withdrawCommand(p), copyCommand(p))
	cmd.AddCommand(statusCommands(p)...)
	return cmd
}
