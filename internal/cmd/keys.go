package cmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/keymap"
)

// keysCommand prints the key reference.
func (p program) keysCommand() *cobra.Command {
	var (
		flags             config.Flags
		markdown, shipped bool
	)
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "Print the keys in force",
		Example: `  cardtop keys
  cardtop keys --markdown > keys.md`,
		Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			keys := keymap.New(keymap.Defaults())
			if !shipped {
				c, err := p.Load(flags)
				if err != nil {
					return err
				}
				keys = c.Keys
			}
			text := keys.Text()
			if markdown {
				text = keys.Markdown()
			}
			_, err := fmt.Fprint(p.out, text)
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&flags.Config, "config", "", "configuration `FILE`")
	f.BoolVar(&markdown, "markdown", false, "as a Markdown page, with the name of each action")
	f.BoolVar(&shipped, "defaults", false, "the shipped keys, without the configuration")
	return cmd
}
