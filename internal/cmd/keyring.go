package cmd

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

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
