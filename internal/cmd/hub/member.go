package hub

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/output"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/state/rows"
)

// The commands below are of who has a token: they ask the hub that the profile names.

// onHub runs a command on the account's hub.
func onHub(cmd *cobra.Command, p cli.Program, flags config.Flags, do func(context.Context, *engine.Engine) error) error {
	return p.WithAccount(cmd.Context(), flags, func(ctx context.Context, acc app.Account) error {
		if !acc.Engine.OfHub() {
			return errors.New("this account is not on a hub: the token that a hub gave is its key (cardtop hub --help)")
		}
		err := do(ctx, acc.Engine)
		var refused *api.Error
		switch {
		case errors.Is(err, api.ErrNotFound):
			return errors.New("not found: it was decided meanwhile")
		case errors.As(err, &refused):
			return cli.Failed(cmd.CommandPath(), err)
		}
		return err
	})
}

// listed is a command that prints a list of a hub.
func listed[T any](p cli.Program, use, short string, fields []rows.Field[T], read func(context.Context, *client.Client) ([]T, error)) *cobra.Command {
	var flags config.Flags
	var form output.Flags
	name, _, _ := strings.Cut(use, " ")
	cmd := &cobra.Command{
		Use: use, Short: short, Example: "  cardtop hub " + name + "\n  cardtop hub " + name + " --jsonl", Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return onHub(cmd, p, flags, func(ctx context.Context, eng *engine.Engine) error {
				all, err := engine.Read(ctx, eng, "hub", read)
				if err != nil {
					return err
				}
				return output.List(p, form, fields, all)
			})
		},
	}
	cli.AccountFlags(cmd.Flags(), &flags)
	form.Add(cmd.Flags())
	return cmd
}

func approvalsCommand(p cli.Program) *cobra.Command {
	cmd := listed(p, "approvals", "Print the requests that wait for a lead, and what became of them", ApprovalFields(), func(ctx context.Context, c *client.Client) ([]api.HubApproval, error) { return c.HubApprovals(ctx) })
	cmd.AddCommand(decideCommand(p, "approve", true), decideCommand(p, "refuse", false))
	return cmd
}

// decideCommand approves or refuses a request, with the figures that it has just read.
func decideCommand(p cli.Program, name string, approve bool) *cobra.Command {
	var flags config.Flags
	var yes bool
	cmd := &cobra.Command{
		Use: name + " ID", Short: map[bool]string{true: "Approve a request of somebody else", false: "Refuse a request"}[approve],
		Example: "  cardtop hub approvals " + name + " apr_…", Args: oneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			asks := cli.IsTerminal(cmd.InOrStdin()) && cli.IsTerminal(p.Errs)
			if approve && !yes && !asks {
				return app.Usage(errors.New("nobody can be asked without a terminal: --yes says that it is wanted"))
			}
			return onHub(cmd, p, flags, func(ctx context.Context, eng *engine.Engine) error {
				all, err := engine.Read(ctx, eng, "hub", func(ctx context.Context, c *client.Client) ([]api.HubApproval, error) { return c.HubApprovals(ctx) })
				if err != nil {
					return err
				}
				i := slices.IndexFunc(all, func(a api.HubApproval) bool { return a.ID == args[0] && a.Waits() })
				if i < 0 {
					return app.Usage(errors.New("no such request waits: cardtop hub approvals lists them"))
				}
				if approve && !yes {
					if err := asked(cmd, p, all[i]); err != nil {
						return err
					}
				}
				_, err = engine.OnHub(ctx, eng, func(ctx context.Context, c *client.Client) (struct{}, error) {
					return struct{}{}, c.DecideHubApproval(ctx, all[i], approve)
				})
				if err == nil {
					_, err = fmt.Fprintf(p.Out, "%sd: %s\n", name, summary(all[i]))
				}
				return err
			})
		},
	}
	cli.AccountFlags(cmd.Flags(), &flags)
	if approve {
		cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	}
	return cmd
}

// oneID requires one argument, an id.
func oneID(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0 || strings.TrimSpace(args[0]) == "":
		return fmt.Errorf("an id is missing: %s prints them", cmd.Parent().CommandPath())
	case len(args) > 1:
		return fmt.Errorf("%s takes one id, not also %q", cmd.CommandPath(), cli.Shown(args[1]))
	}
	return nil
}

// asked asks whether a request is to be approved, with its figures.
func asked(cmd *cobra.Command, p cli.Program, a api.HubApproval) error {
	if _, err := fmt.Fprintf(p.Errs, "approve: %s? [y/N] ", summary(a)); err != nil {
		return err
	}
	line, err := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
	said := strings.ToLower(strings.TrimSpace(line))
	if said != "y" && said != "yes" {
		return errors.Join(errors.New("not approved: nothing was sent"), err)
	}
	return nil
}

// summary is a request in one line.
func summary(a api.HubApproval) string {
	text := fmt.Sprintf("%s $%s, %s, for %s", a.Operation, a.Amount.Grouped(), a.Label, a.By)
	if a.CardStatus != "" && a.CardStatus != api.CardActive {
		text += ", the card is " + string(a.CardStatus)
	}
	for _, of := range []struct {
		name          string
		before, after *api.USD
	}{{"card", a.CardBefore, a.CardAfter}, {"wallet", a.WalletBefore, a.WalletAfter}} {
		if of.before != nil && of.after != nil {
			text += fmt.Sprintf(", %s $%s -> $%s", of.name, of.before.Grouped(), of.after.Grouped())
		}
	}
	return text
}

func operationsCommand(p cli.Program) *cobra.Command {
	cmd := listed(p, "operations", "Print the writes of the team that have no outcome yet", OperationFields(), func(ctx context.Context, c *client.Client) ([]api.HubOperation, error) { return c.HubOperations(ctx) })
	cmd.AddCommand(settleCommand(p))
	return cmd
}

func rulesCommand(p cli.Program) *cobra.Command {
	cmd := listed(p, "rules", "Print the rules that the hub runs, for admins", RuleFields(), func(ctx context.Context, c *client.Client) ([]api.HubRule, error) { return c.HubRules(ctx) })
	cmd.AddCommand(
		switchCommand(p, "on", "Have a rule act again that stopped or was turned off"),
		switchCommand(p, "off", "Turn a rule off, on all hubs, until it is on again"),
	)
	return cmd
}

// switchCommand has a rule of the hub be on or off, as it is called.
func switchCommand(p cli.Program, name, about string) *cobra.Command {
	var flags config.Flags
	cmd := &cobra.Command{
		Use: name + " NAME", Short: about,
		Example: "  cardtop hub rules " + name + " topup", Args: one("name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return onHub(cmd, p, flags, func(ctx context.Context, eng *engine.Engine) error {
				_, err := engine.OnHub(ctx, eng, func(ctx context.Context, c *client.Client) (struct{}, error) {
					return struct{}{}, c.SwitchHubRule(ctx, args[0], name == "on")
				})
				if errors.Is(err, api.ErrNotFound) {
					return app.Usage(fmt.Errorf("the hub was not started with a rule %q: cardtop hub rules lists them", cli.Shown(args[0])))
				}
				if err == nil {
					_, err = fmt.Fprintln(p.Out, "rule", args[0]+":", name)
				}
				return err
			})
		},
	}
	cli.AccountFlags(cmd.Flags(), &flags)
	return cmd
}

func settleCommand(p cli.Program) *cobra.Command {
	var flags config.Flags
	var done, not bool
	cmd := &cobra.Command{
		Use: "settle ID", Short: "Read again whether a write acted, or say what became of it",
		Example: "  cardtop hub operations settle hub-…\n  cardtop hub operations settle hub-… --not-done", Args: oneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			if done && not {
				return app.Usage(errors.New("--done and --not-done exclude each other: choose one"))
			}
			as := "read"
			if done {
				as = "done"
			} else if not {
				as = "not-done"
			}
			return onHub(cmd, p, flags, func(ctx context.Context, eng *engine.Engine) error {
				op, err := engine.OnHub(ctx, eng, func(ctx context.Context, c *client.Client) (api.HubOperation, error) {
					return c.SettleHubOperation(ctx, api.IdempotencyKey(args[0]), as)
				})
				if err != nil {
					return err
				}
				if done || not {
					_, err = fmt.Fprintln(p.Out, "settled:", as)
					return err
				}
				_, err = fmt.Fprintln(p.Out, evidence(op))
				return err
			})
		},
	}
	cli.AccountFlags(cmd.Flags(), &flags)
	cmd.Flags().BoolVar(&done, "done", false, "it was done")
	cmd.Flags().BoolVar(&not, "not-done", false, "it was not done")
	return cmd
}

// evidence is what was read of an operation, in one line.
func evidence(o api.HubOperation) string {
	text := fmt.Sprintf("%s $%s, %s, by %s: %s", o.Operation, o.Amount.Grouped(), o.Label, o.By, o.State)
	if o.Balance != nil {
		text += "; the card holds $" + o.Balance.Grouped()
		if o.Before != nil && o.After != nil {
			text += fmt.Sprintf(", $%s before it and $%s after it", o.Before.Grouped(), o.After.Grouped())
		}
	}
	if o.Suggests != "" {
		text += "; it seems to be " + string(o.Suggests)
	}
	return text
}

func peopleCommand(p cli.Program) *cobra.Command {
	return listed(p, "people", "Print who of the team is there", PersonFields(), func(ctx context.Context, c *client.Client) ([]api.HubPerson, error) { return c.HubPeople(ctx) })
}
