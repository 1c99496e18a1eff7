package cards

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/cmd/cli"
)

const cardHelp = `CARD is an id, the last four digits or the label of a card. All cards are read to find one by
its last four digits; it is an error when several could be meant.`

// oneCard requires one argument, a card.
func oneCard(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return fmt.Errorf("a card is missing: %s", strings.TrimPrefix(cmd.UseLine(), cmd.Root().Name()+" "))
	case len(args) > 1:
		return fmt.Errorf("%s takes one card, not also %q", cmd.CommandPath(), cli.Shown(args[1]))
	}
	return nil
}
