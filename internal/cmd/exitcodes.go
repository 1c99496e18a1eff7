package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/cmd/cli"
)

// exitCodesCommand prints what the exit codes mean.
func (p program) exitCodesCommand() *cobra.Command {
	text := exitCodes()
	return &cobra.Command{
		Use: "exit-codes", Short: "Print what the exit codes mean", Long: text,
		Example: "  cardtop exit-codes", Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(p.out, text)
			return err
		},
	}
}

func exitCodes() string {
	lines := []string{"Exit codes of every command:", ""}
	for _, e := range cli.Exits() {
		lines = append(lines, fmt.Sprintf("  %3d  %-12s %s", e.Code, e.Name, e.About))
	}
	return strings.Join(lines, "\n")
}
