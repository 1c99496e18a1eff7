package cmd

import (
	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
)

// configCommand describes the configuration file.
func (p program) configCommand() *cobra.Command {
	return cli.Group("config", "Describe the configuration file", "  cardtop config schema", &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON schema of the configuration file, for editors",
		Long: "Print the JSON schema of the configuration file. Editors with TOML support complete and check a file that\n" +
			"starts with #:schema ./config.schema.json",
		Example: `  cardtop config schema > ~/.config/cardtop/config.schema.json`,
		Args:    cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			schema, err := config.JSONSchema()
			if err == nil {
				_, err = p.out.Write(schema)
			}
			return err
		},
	})
}
