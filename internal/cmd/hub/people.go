package hub

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/hub/sshd"
	"github.com/cardtop/cardtop/internal/hub/team"
)

func addCommand(p cli.Program) *cobra.Command {
	var (
		flags  config.Flags
		role   string
		labels []string
		most   cli.Amount
		keys   []string
	)
	cmd := &cobra.Command{
		Use: "add NAME", Short: "Add a person and print their token, once",
		Long: `Add a person and print their token. It is printed once: the hub keeps its hash. A person sees the
cards whose labels fit a pattern, in which * stands for any text. Above --cap an operation of
theirs waits for a lead.`,
		Example: "  cardtop hub add ann --role buyer --labels 'fb/*' --cap 500\n  cardtop hub add max --role admin --labels '*'",
		Args:    one("name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := team.ParseRole(role)
			if err != nil {
				return app.Usage(err)
			}
			if len(labels) == 0 {
				return app.Usage(errors.New("--labels is missing: name patterns, or '*' for all cards"))
			}
			at, err := find(cmd.Context(), p, flags)
			if err != nil {
				return err
			}
			who := team.Person{Name: args[0], Role: r, Labels: labels, Cap: most.USD, Added: p.Now()}
			for _, line := range keys {
				key, err := sshd.ParseKey(line)
				if err != nil {
					return app.Usage(fmt.Errorf("--ssh-key: %w", err))
				}
				who.Keys = append(who.Keys, key)
			}
			token, err := at.file.Add(who, at.live)
			if err != nil {
				return err
			}
			defer token.Wipe()
			_, err = fmt.Fprintln(p.Out, token.Expose())
			return errors.Join(err, at.noted("add person", about(&who)))
		},
	}
	f := cmd.Flags()
	cli.AccountFlags(f, &flags)
	f.StringVar(&role, "role", "", "viewer, buyer, lead or admin")
	f.StringSliceVar(&labels, "labels", nil, "`PATTERN` of labels that the person sees; again for others")
	f.StringArrayVar(&keys, "ssh-key", nil, "public `KEY` that opens the dashboard over SSH: the line of its .pub file; again for others")
	f.Var(cli.AmountFlag{To: &most}, "cap", "the most that one operation funds without an approval, USD")
	return cmd
}

func removeCommand(p cli.Program) *cobra.Command {
	return onTeam(p, &cobra.Command{
		Use: "remove NAME", Short: "Remove a person: their token and keys are refused within a second",
		Example: "  cardtop hub remove ann", Args: one("name"),
	}, func(at place, args []string) error {
		if err := at.file.Remove(args[0]); err != nil {
			return err
		}
		return at.noted("remove person", args[0])
	})
}

// about is a person in one line, without what lets them in.
func about(who *team.Person) string {
	text := who.Name + ", " + who.Role.String() + ", " + strings.Join(who.Labels, " ")
	if who.Cap > 0 {
		text += ", up to $" + who.Cap.Grouped()
	}
	for _, key := range who.Keys {
		text += ", key " + key
	}
	return text
}

func listCommand(p cli.Program) *cobra.Command {
	return tableOfTeam(p, &cobra.Command{Use: "list", Short: "Print the people", Example: "  cardtop hub list"},
		[]string{"NAME", "ROLE", "LABELS", "CAP", "ADDED"}, func(who team.Person) [][]string {
			most := "-"
			if who.Cap > 0 {
				most = "$" + who.Cap.Grouped()
			}
			return [][]string{{who.Name, who.Role.String(), strings.Join(who.Labels, " "), most, who.Added.Format(time.DateOnly)}}
		})
}

// onTeam is a command on the file of the team.
func onTeam(p cli.Program, cmd *cobra.Command, do func(at place, args []string) error) *cobra.Command {
	var flags config.Flags
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		at, err := find(cmd.Context(), p, flags)
		if err != nil {
			return err
		}
		return do(at, args)
	}
	cli.AccountFlags(cmd.Flags(), &flags)
	return cmd
}

// tableOfTeam is a command that prints rows of each person.
func tableOfTeam(p cli.Program, cmd *cobra.Command, head []string, rows func(team.Person) [][]string) *cobra.Command {
	cmd.Args = cli.NoArgs
	return onTeam(p, cmd, func(at place, _ []string) error {
		t, err := at.file.Load()
		if err != nil {
			return err
		}
		all := [][]string{head}
		for _, who := range t.People {
			all = append(all, rows(who)...)
		}
		w := tabwriter.NewWriter(p.Out, 0, 0, 2, ' ', 0)
		for _, row := range all {
			if _, err := fmt.Fprintln(w, strings.Join(row, "\t")); err != nil {
				return err
			}
		}
		return w.Flush()
	})
}

// one requires one argument.
func one(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return fmt.Errorf("a %s is missing: %s", what, strings.TrimPrefix(cmd.UseLine(), cmd.Root().Name()+" "))
		case len(args) > 1:
			return fmt.Errorf("%s takes one %s, not also %q", cmd.CommandPath(), what, cli.Shown(args[1]))
		}
		return nil
	}
}

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
