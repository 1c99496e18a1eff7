package cmd

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
)

// answered asks a question until the answer is yes or no; the end of the input is no answer.
func answered(in io.Reader, out io.Writer, question string) (yes bool, err error) {
	for lines := bufio.NewScanner(in); ; {
		if _, err := fmt.Fprintf(out, "%s [y/n] ", question); err != nil {
			return false, err
		}
		if !lines.Scan() {
			return false, cmp.Or(lines.Err(), errors.New("the question was not answered: nothing was done"))
		}
		switch strings.ToLower(strings.TrimSpace(lines.Text())) {
		case "y", "yes":
			return true, nil
		case "n", "no":
			return false, nil
		}
	}
}

// accountCommand records which account a new key reaches, where nothing that the account shows tells.
func (p program) accountCommand() *cobra.Command {
	var flags config.Flags
	group := &cobra.Command{
		Use:   "account",
		Short: "Say which account a new key reaches, when cardtop asks",
		Example: `  cardtop account same --profile team
  cardtop account other --profile team`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cli.AccountFlags(group.PersistentFlags(), &flags)
	for _, c := range []struct {
		said        app.Identity
		short, then string
	}{
		{app.SameAccount, "The key reaches the account that the profile had until now", "it keeps its operations, caps, history and plans"},
		{app.OtherAccount, "The key reaches another account", "its operations, caps, history and plans start empty; those of the earlier account stay"},
	} {
		group.AddCommand(&cobra.Command{
			Use: string(c.said), Short: c.short, Example: "  cardtop account " + string(c.said) + " --profile team", Args: cli.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error {
				profile, err := p.SetIdentity(cmd.Context(), flags, c.said)
				if err == nil {
					_, err = fmt.Fprintf(p.out, "recorded the key of profile %q: %s\n", profile, c.then)
				}
				return err
			},
		})
	}
	return group
}
