package cmd

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
)

// keyringCommand stores or deletes a profile's key in the system's keyring. The
// key is read from standard input, never from an argument.
func (p program) keyringCommand() *cobra.Command {
	var flags config.Flags
	group := &cobra.Command{
		Use:   "keyring",
		Short: "Store or delete a profile's API key in the system's keyring",
		Example: `  cardtop keyring set --profile team
  cardtop keyring delete --profile team`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cli.AccountFlags(group.PersistentFlags(), &flags)
	group.AddCommand(&cobra.Command{
		Use:   "set",
		Short: "Store the key from standard input",
		Example: `  cardtop keyring set --profile team
  pass show cards/team | cardtop keyring set --profile team`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, run, err := p.Resolve(flags)
			if err != nil {
				return err
			}
			line, err := p.readSecret(cmd.InOrStdin())
			if err != nil {
				return fmt.Errorf("read key: %w", err)
			}
			key, err := config.NewKey(line)
			clear(line)
			if err != nil {
				return app.Usage(fmt.Errorf("the key on standard input %w", err))
			}
			defer key.Wipe()
			err = config.NewKeyStore().SaveKey(cmd.Context(), run, key)
			if errors.Is(err, config.ErrNoKeyring) {
				return fmt.Errorf("%w; without one, put the key into a file for you alone (chmod 600) and set api_key_command = \"cat FILE\" of the profile", err)
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(p.out, "stored the key of profile %q for %s\n", run.Profile, run.Origin)
			return err
		},
	}, &cobra.Command{
		Use:     "delete",
		Short:   "Delete the stored key",
		Example: "  cardtop keyring delete --profile team",
		Args:    cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, run, err := p.Resolve(flags)
			if err != nil {
				return err
			}
			if err := config.NewKeyStore().DeleteKey(cmd.Context(), run); err != nil {
				return err
			}
			_, err = fmt.Fprintf(p.out, "deleted the key of profile %q for %s\n", run.Profile, run.Origin)
			return err
		},
	})
	return group
}

// readSecret reads a line; a terminal does not echo it.
func (p program) readSecret(in io.Reader) ([]byte, error) {
	if f, ok := in.(*os.File); ok && term.IsTerminal(f.Fd()) {
		if _, err := fmt.Fprint(p.Errs, "API key (not shown): "); err != nil {
			return nil, err
		}
		line, err := term.ReadPassword(f.Fd())
		if _, werr := fmt.Fprintln(p.Errs); werr != nil {
			return nil, werr
		}
		return line, err
	}
	line, err := bufio.NewReader(in).ReadBytes('\n')
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return bytes.TrimSpace(line), err
}
