package hub

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/hub/sshd"
	"github.com/cardtop/cardtop/internal/hub/team"
)

// keysCommand has what changes the SSH keys of people.
func keysCommand(p cli.Program) *cobra.Command {
	return cli.Group("keys", "SSH keys of the people", "  cardtop hub keys list", addKeyCommand(p), removeKeyCommand(p), listKeysCommand(p))
}

func addKeyCommand(p cli.Program) *cobra.Command {
	return onTeam(p, &cobra.Command{
		Use: "add NAME KEY", Short: "Let a person in with a public key: the line of its .pub file",
		Example: "  cardtop hub keys add ann \"$(cat ann.pub)\"", Args: twoWords("a name and a public key"),
	}, func(at place, args []string) error {
		key, err := sshd.ParseKey(args[1])
		if err != nil {
			return app.Usage(err)
		}
		if err := at.file.AddKey(args[0], key); err != nil {
			return err
		}
		_, err = fmt.Fprintln(p.Out, key)
		return errors.Join(err, at.noted("add key", args[0]+", "+key))
	})
}

func removeKeyCommand(p cli.Program) *cobra.Command {
	return onTeam(p, &cobra.Command{
		Use: "remove FINGERPRINT", Short: "Take a key away: its sessions end within a second",
		Example: "  cardtop hub keys remove SHA256:…", Args: one("fingerprint"),
	}, func(at place, args []string) error {
		if err := at.file.RemoveKey(args[0]); err != nil {
			return err
		}
		return at.noted("remove key", args[0])
	})
}

func listKeysCommand(p cli.Program) *cobra.Command {
	return tableOfTeam(p, &cobra.Command{Use: "list", Short: "Print the keys", Example: "  cardtop hub keys list"},
		[]string{"NAME", "FINGERPRINT"}, func(who team.Person) (rows [][]string) {
			for _, key := range who.Keys {
				rows = append(rows, []string{who.Name, key})
			}
			return rows
		})
}

// twoWords requires two arguments.
func twoWords(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 2 {
			return fmt.Errorf("%s takes %s", cmd.CommandPath(), what)
		}
		return nil
	}
}
