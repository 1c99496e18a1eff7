package cards

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/write"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
)

// particulars are the flags of what a card is issued with or changed to.
type particulars struct {
	label             string
	limit, autoFreeze cli.Amount
	categories, meta  []string
}

func (x *particulars) add(f *pflag.FlagSet) {
	f.StringVar(&x.label, "label", "", "label, up to 64 characters")
	f.Var(cli.AmountFlag{To: &x.limit}, "spending-limit", "monthly limit, USD")
	f.Var(cli.AmountFlag{To: &x.autoFreeze}, "auto-freeze-at", "freeze when the balance falls below this, USD; 0 turns it off")
	f.StringSliceVar(&x.categories, "category", nil, "allowed merchant `CATEGORY`; more than once for more")
	f.StringArrayVar(&x.meta, "metadata", nil, "`NAME=VALUE`; more than once for more")
}

func (x *particulars) metadata() (map[string]string, error) {
	var m map[string]string
	for _, pair := range x.meta {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return nil, app.Usage(fmt.Errorf("--metadata takes NAME=VALUE, not %q", cli.Shown(pair)))
		}
		if m == nil {
			m = make(map[string]string)
		}
		m[name] = value
	}
	return m, nil
}

func createCommand(p cli.Program) *cobra.Command {
	c := &write.Command{Program: p}
	var (
		x      particulars
		bin    string
		file   string
		amount cli.Amount
	)
	cmd := c.Flags(&cobra.Command{
		Use: "create", Short: "Issue a card, funded from the wallet",
		Long: "Issue a card, funded from the wallet. cardtop bins list prints the BINs.\n\n" + fileHelp + "\n\n" + write.HelpMoney,
		Example: `  cardtop cards create --bin 424242 --amount 25 --label fb/spring/01
  cardtop cards create --bin 424242 --amount 25 --yes --max-amount 25 --idempotency-key card-17 --json
  cardtop cards create --file cards.csv --dry-run`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("file") {
				return createFile(cmd, c, file)
			}
			if bin == "" {
				return app.Usage(errors.New("--bin is missing: cardtop bins list prints them"))
			}
			if err := needsAmount(c, cmd, amount); err != nil {
				return err
			}
			meta, err := x.metadata()
			if err != nil {
				return err
			}
			return run(cmd, c, func(context.Context, *write.Command, app.Account, *state.Record) (write.Wanted, error) {
				return write.Wanted{Name: x.label, Intent: state.Issue(api.CreateCardRequest{
					BIN: api.BINID(bin), Amount: amount.USD, Label: x.label, SpendingLimit: x.limit.Maybe(),
					AllowedCategories: x.categories, AutoFreezeAt: x.autoFreeze.Maybe(), Metadata: meta,
				})}, nil
			})
		},
	}, true)
	x.add(cmd.Flags())
	cmd.Flags().StringVar(&bin, "bin", "", "`BIN` to issue it from")
	cmd.Flags().StringVar(&file, "file", "", "CSV `FILE` of cards to issue; - is standard input")
	cmd.Flags().Var(cli.AmountFlag{To: &amount}, "amount", "what it is funded with, USD; 1.00 to 5000.00")
	return cmd
}

const fileHelp = `With --file the cards of a CSV file are issued: a header with bin_id, amount and perhaps label, spending_limit,
auto_freeze_at, allowed_categories and metadata.NAME, and a card a line. The plan is printed before it runs; what
is left of it after an interruption is resumed by cardtop plans resume.`

// createFile issues the cards of a file, which has all that flags say of one.
func createFile(cmd *cobra.Command, c *write.Command, path string) error {
	for _, name := range []string{"bin", "amount", "label", "spending-limit", "auto-freeze-at", "category", "metadata"} {
		if cmd.Flags().Changed(name) {
			return app.Usage(errors.New("--file has the particulars of each card: leave --" + name + " out"))
		}
	}
	if err := c.Begin(cmd); err != nil {
		return err
	}
	return createMany(cmd, c, path)
}

func editCommand(p cli.Program) *cobra.Command {
	c := &write.Command{Program: p}
	var x particulars
	cmd := c.Flags(&cobra.Command{
		Use: "edit CARD", Short: "Change the label, limit, categories, automatic freeze or metadata of a card",
		Long: "Change a card: only what a flag says. Metadata is merged with what it has.\n\n" + cardHelp + "\n\n" + manyHelp + editHelp + "\n\n" + write.Help,
		Example: `  cardtop cards edit 2039 --label fb/spring/02
  cardtop cards edit card_5f2c --spending-limit 500 --auto-freeze-at 10 --yes`,
		Args: oneCard,
		RunE: func(cmd *cobra.Command, args []string) error {
			change, err := x.change(cmd.Flags())
			if err != nil {
				return err
			}
			if err := c.Begin(cmd); err != nil {
				return err
			}
			if args[0] == onInput {
				return editMany(cmd, c, change)
			}
			return run(cmd, c, one(args[0], func(card api.CardItem) (kernel.Intent, string) {
				return state.Update(card.ID, change), ""
			}))
		},
	}, false)
	x.add(cmd.Flags())
	cli.MayBeEmpty(cmd.Flags(), "label")
	cli.MayBeEmpty(cmd.Flags(), "category")
	return cmd
}

// change is what flags say; it is an error when none says anything.
func (x *particulars) change(f *pflag.FlagSet) (api.UpdateCardRequest, error) {
	u := api.UpdateCardRequest{SpendingLimit: x.limit.Maybe(), AutoFreezeAt: x.autoFreeze.Maybe()}
	if f.Changed("label") {
		u.Label = &x.label
	}
	if f.Changed("category") {
		u.AllowedCategories = &x.categories
	}
	var err error
	if u.Metadata, err = x.metadata(); err != nil {
		return u, err
	}
	if u.Label == nil && u.SpendingLimit == nil && u.AllowedCategories == nil && u.AutoFreezeAt == nil && len(u.Metadata) == 0 {
		return u, app.Usage(errors.New("nothing to change: set --label, --spending-limit, --category, --auto-freeze-at or --metadata"))
	}
	return u, nil
}

const editHelp = ` Many cards take --spending-limit, or --label with a template:
{n} is the number of the card, {label} its label, {last4} its last four digits.`

// editMany changes the cards of standard input.
func editMany(cmd *cobra.Command, c *write.Command, change api.UpdateCardRequest) error {
	limits, labels := change.SpendingLimit != nil, change.Label != nil
	if limits == labels || change.AutoFreezeAt != nil || change.AllowedCategories != nil || change.Metadata != nil {
		return app.Usage(errors.New("many cards take either --spending-limit or --label, and nothing else"))
	}
	return runMany(cmd, c, func(ids []api.CardID) state.Writes {
		if limits {
			return state.Writes{Kind: state.BulkLimit, Cards: ids, Amount: *change.SpendingLimit}
		}
		return state.Writes{Kind: state.BulkLabel, Cards: ids, Template: *change.Label, First: 1}
	})
}
