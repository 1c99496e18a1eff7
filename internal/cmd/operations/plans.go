package operations

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/output"
	"github.com/cardtop/cardtop/internal/cmd/write"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/rows"
)

func plansCommand(p cli.Program) *cobra.Command {
	return cli.Group("plans", "List, show, resume and drop interrupted plans for many cards", `  cardtop plans list
  cardtop plans show 2VQ5XKZ3P4T6M8R0WBDF1H2JK5
  cardtop plans resume 2VQ5XKZ3P4T6M8R0WBDF1H2JK5`, listPlans(p), showPlan(p), resumePlan(p), dropPlan(p))
}

// Plan is an interrupted plan.
type Plan struct {
	ID     state.PlanID
	Action string
	Made   time.Time
	// Cards are those of this part and of the later ones, Begun those that were begun.
	Cards, Begun int
	Amount       api.USD // In all.
}

func planOf(l state.LeftPlan) Plan {
	t := l.Plan.Totals()
	return Plan{l.Plan.ID, l.Plan.Kind.String(), l.Plan.Made, t.Cards + t.Later, len(l.Statuses), t.Sum + t.LaterSum}
}

// PlanFields are what is printed of an interrupted plan.
func PlanFields() []rows.Field[Plan] {
	return []rows.Field[Plan]{
		{Name: "id", About: "plan id", Brief: true, Cell: func(p Plan) rows.Cell { return rows.Text(p.ID) }},
		{Name: "action", About: "fund, freeze, issue, …", Brief: true, Cell: func(p Plan) rows.Cell { return rows.Text(p.Action) }},
		{Name: "made_at", About: "when it was made", Brief: true, Cell: func(p Plan) rows.Cell { return rows.Time(p.Made) }},
		{Name: "cards", About: "cards of this part and of later ones", Brief: true, Cell: func(p Plan) rows.Cell { return rows.Count(p.Cards) }},
		{Name: "begun", About: "cards that were begun", Brief: true, Cell: func(p Plan) rows.Cell { return rows.Count(p.Begun) }},
		{Name: "amount", About: "USD in all", Brief: true, Cell: func(p Plan) rows.Cell { return rows.Money(p.Amount) }},
	}
}

func listPlans(p cli.Program) *cobra.Command {
	var (
		account config.Flags
		form    output.Flags
	)
	cmd := &cobra.Command{
		Use: "list", Short: "Print interrupted plans",
		Long:    "Print the plans for many cards that cardtops which ended left in the middle.",
		Example: "  cardtop plans list\n  cardtop plans list --jsonl", Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out, err := output.New(p, form, PlanFields())
			if err != nil {
				return err
			}
			account.ReadOnly = true // It takes no operation over.
			return p.WithAccount(cmd.Context(), account, func(ctx context.Context, acc app.Account) error {
				left, err := leftPlans(ctx, acc)
				if err != nil {
					return err
				}
				for _, l := range left {
					if err := out.Put(planOf(l)); err != nil {
						return err
					}
				}
				return out.End()
			})
		},
	}
	cli.AllAccountFlags(cmd.Flags(), &account)
	form.Add(cmd.Flags())
	return cmd
}

func showPlan(p cli.Program) *cobra.Command {
	var (
		account config.Flags
		form    output.Flags
	)
	cmd := &cobra.Command{
		Use: "show PLAN", Short: "Print the cards of an interrupted plan",
		Long: `Print the cards of an interrupted plan with what became of each, as far as it is known here: planned ones were not
sent, unknown ones were begun and their outcome is not known. Nothing is asked or sent; cardtop plans resume does that.`,
		Example: "  cardtop plans show 2VQ5XKZ3P4T6M8R0WBDF1H2JK5\n  cardtop plans show 2VQ5XKZ3P4T6M8R0WBDF1H2JK5 --csv", Args: onePlan,
		RunE: func(cmd *cobra.Command, args []string) error {
			account.ReadOnly = true // It takes no operation over.
			return p.WithAccount(cmd.Context(), account, func(ctx context.Context, acc app.Account) error {
				left, err := leftPlan(ctx, acc, args[0])
				if err != nil {
					return err
				}
				all, err := write.Left(acc, left)
				if err != nil {
					return err
				}
				return output.List(p, form, write.RowFields(), all)
			})
		},
	}
	cli.AllAccountFlags(cmd.Flags(), &account)
	form.Add(cmd.Flags())
	return cmd
}

// leftPlan is the plan of an id of which something is left to be sent.
func leftPlan(ctx context.Context, acc app.Account, id string) (state.LeftPlan, error) {
	all, err := leftPlans(ctx, acc)
	if err != nil {
		return state.LeftPlan{}, err
	}
	for _, l := range all {
		if l.Plan.ID == state.PlanID(id) {
			return l, nil
		}
	}
	return state.LeftPlan{}, write.NoPlan(acc, state.PlanID(id))
}

// leftPlans are the plans of which something is left to be sent.
func leftPlans(ctx context.Context, acc app.Account) ([]state.LeftPlan, error) {
	found, _ := acc.Engine.Run(ctx, state.FindPlans{}).(state.PlansFound)
	return found.Left, found.Err
}

func resumePlan(p cli.Program) *cobra.Command {
	c := &write.Command{Program: p}
	return c.ResumeFlags(&cobra.Command{
		Use: "resume PLAN", Short: "Go on with an interrupted plan",
		Long:    "Go on with an interrupted plan. What was begun is not begun again: its outcome is asked for with its own key. One that\nmoves money needs --max-amount without a terminal.\n\n" + write.HelpResume,
		Example: "  cardtop plans resume 2VQ5XKZ3P4T6M8R0WBDF1H2JK5\n  cardtop plans resume 2VQ5XKZ3P4T6M8R0WBDF1H2JK5 --yes --max-amount 500",
		Args:    onePlan,
		RunE: func(cmd *cobra.Command, args []string) error {
			c.Money = false // The plan says whether it moves any.
			if err := c.Begin(cmd); err != nil {
				return err
			}
			return c.Resume(cmd.Context(), state.PlanID(args[0]))
		},
	}, true)
}

func dropPlan(p cli.Program) *cobra.Command {
	var account config.Flags
	cmd := &cobra.Command{
		Use: "drop PLAN", Short: "Forget an interrupted plan: what is left of it is not sent",
		Example: "  cardtop plans drop 2VQ5XKZ3P4T6M8R0WBDF1H2JK5", Args: onePlan,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.WithAccount(cmd.Context(), account, func(ctx context.Context, acc app.Account) error {
				left, err := leftPlan(ctx, acc, args[0])
				if err != nil {
					return err
				}
				dropped, _ := acc.Engine.Run(ctx, state.DropPlan{ID: left.Plan.ID}).(state.PlanDropped)
				if dropped.Err == nil {
					p.Say("dropped the plan made " + left.Plan.Made.Local().Format(time.DateTime))
				}
				return dropped.Err
			})
		},
	}
	cli.AllAccountFlags(cmd.Flags(), &account)
	return cmd
}

func onePlan(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return errors.New("a plan is missing: cardtop plans list prints them")
	case len(args) > 1:
		return cli.OneID(cmd, args)
	}
	return nil
}
