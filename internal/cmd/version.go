package cmd

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
)

// versionCommand prints which program this is.
func (p program) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "version", Short: "Print the version",
		Long:    "Print the version, the commit and its date, the Go release that built the program, and the platform.",
		Example: "  cardtop version\n  cardtop version --json | jq -r .commit",
		Args:    cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			b := app.ReadBuildInfo()
			if asJSON {
				return json.NewEncoder(p.out).Encode(b)
			}
			_, err := fmt.Fprintln(p.out, "cardtop "+versionText(b))
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func versionText(b app.BuildInfo) string {
	text := b.Version
	if b.Commit != "" {
		text += " (" + b.Commit[:min(len(b.Commit), 12)]
		if b.Modified {
			text += ", modified"
		}
		text += ", " + b.Date + ")"
	}
	return text + " " + b.Go + " " + b.Platform
}
