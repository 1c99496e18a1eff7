package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/state/config"
)

// keyringCommand stores a profile's key in the keyring of the system, or
// takes it out. The key is read from standard input, never from an argument.
func (p program) keyringCommand() *cobra.Command {
	var flags config.Flags
	group := &cobra.Command{
		Use:   "keyring",
		Short: "Store or delete a profile's API key in the system's keyring",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return usage(errors.New("say keyring set or keyring delete")) },
	}
	accountFlags(group.PersistentFlags(), &flags)
	group.AddCommand(&cobra.Command{
		Use:   "set",
		Short: "Store the key that is read from standard input",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, run, err := p.resolve(flags)
			if err != nil {
				return err
			}
			line, err := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
			if err != nil && !errors.Is(err, io.EOF) {
				return fmt.Errorf("read key: %w", err)
			}
			key, err := config.NewKey([]byte(strings.TrimSpace(line)))
			if err != nil {
				return usage(fmt.Errorf("the key on standard input %w", err))
			}
			defer key.Wipe()
			if err := config.NewKeyStore().SaveKey(cmd.Context(), run, key); err != nil {
				return err
			}
			_, err = fmt.Fprintf(p.out, "stored the key of profile %q for %s\n", run.Profile, run.Origin)
			return err
		},
	}, &cobra.Command{
		Use:   "delete",
		Short: "Delete the stored key",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, run, err := p.resolve(flags)
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
