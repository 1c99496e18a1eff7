// Package txns has the commands about transactions.
package txns

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/output"
	"github.com/cardtop/cardtop/internal/cmd/read"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/state/campaign"
	"github.com/cardtop/cardtop/state/rows"
)

const transactionsHelp = `Print transactions as the API lists them, each page as soon as it is read.

FILTER is what / takes in the transactions of the dashboard: words that are looked for anywhere, and terms
such as amt>100, type=declined, merchant~acme, label~fb, campaign=fb/spring, age<2h. Quote it: < and > are the
shell's. Flags are filters of the API.

label and last4 are of the card. All cards are read for them when --fields or --template has them, when the filter
asks for a label, campaign, last digits or a word, or with --labels. A table has those of the cards that were used
last. Campaigns that metadata tells are not known here: cards list has them.`

// transactions is what transactions list is asked for.
type transactions struct {
	read.Command
	filter string
	api    api.ListTransactionsOptions
	labels bool
}

// Command returns them.
func Command(p cli.Program) *cobra.Command {
	return cli.Group("transactions", "List transactions", `  cardtop transactions list 'age<24h type=declined'
  cardtop transactions show txn_5f2c`, listTransactions(p), showTransaction(p))
}

func listTransactions(p cli.Program) *cobra.Command {
	l := transactions{Command: read.Command{Program: p}}
	var (
		kind        string
		least, most cli.Amount
	)
	cmd := l.Flags(&cobra.Command{
		Use: "list [FILTER]", Short: "Print transactions", Long: transactionsHelp,
		Example: `  cardtop transactions list 'age<24h type=declined'
  cardtop transactions list --from 2026-03-01 --to 2026-04-01 --csv > march.csv
  cardtop transactions list --card card_5f2c --jsonl --limit 50`,
		RunE: func(cmd *cobra.Command, args []string) error {
			l.filter = strings.Join(args, " ")
			l.api.Type = api.TransactionType(kind)
			l.api.MinAmount, l.api.MaxAmount = least.Maybe(), most.Maybe()
			return l.run(cmd.Context())
		},
	})
	f := cmd.Flags()
	f.Var(cli.Word{To: &kind, Known: []string{
		string(api.TransactionAuthorization), string(api.TransactionSettlement), string(api.TransactionRefund), string(api.TransactionDecline),
	}}, "type", "only this type")
	f.StringVar(&l.Card, "card", "", "only this card: its id, last four digits or label")
	f.StringVar(&l.api.Merchant, "merchant", "", "only merchants with this in their name, as the API compares it")
	f.Var(cli.When{To: &l.api.From, Now: p.Now}, "from", "only from this time on")
	f.Var(cli.When{To: &l.api.To, Now: p.Now}, "to", "only until this time")
	f.Var(cli.SignedAmount{AmountFlag: cli.AmountFlag{To: &least}}, "min-amount", "only from this amount on, with its sign")
	f.Var(cli.SignedAmount{AmountFlag: cli.AmountFlag{To: &most}}, "max-amount", "only up to this amount, with its sign")
	f.BoolVar(&l.labels, "labels", false, "read all cards for their labels and last digits")
	f.IntVar(&l.Limit, "limit", 0, "at most so many transactions; 0 is all")
	return cmd
}

func (l *transactions) run(ctx context.Context) error {
	if l.Limit < 0 {
		return app.Usage(errors.New("--limit takes a whole number from 0"))
	}
	if from, to := l.api.From, l.api.To; !from.IsZero() && !to.IsZero() && from.After(to) {
		return app.Usage(errors.New("--from is after --to: no transaction is between them"))
	}
	q, err := parse(l.filter)
	if err != nil {
		return err
	}
	out, err := output.New(l.Program, l.Output, rows.TransactionFields())
	if err != nil {
		return err
	}
	return l.Read(ctx, func(ctx context.Context, eng *engine.Engine, run config.Resolved) error {
		rule, err := campaign.Parse(run.Settings.Campaign)
		if err != nil {
			return app.Usage(err)
		}
		if rule.ByMetadata() && q.Asked(query.CampaignField) {
			return app.Usage(errors.New("filter: the metadata of cards tells their campaigns, and is not read here: use --card, or label"))
		}
		printed := 0
		l.api.CardID = api.CardID(l.Card)
		if err := l.print(ctx, eng, &q, rule, out, &printed); err != nil {
			if printed > 0 {
				return fmt.Errorf("%w; %d were printed", err, printed)
			}
			return err
		}
		return cmp.Or(out.End(), app.Complete(eng))
	})
}

// labelPages bounds how many cards a table reads for their labels, in pages:
// those that were used last.
const labelPages = 5

func (l *transactions) print(ctx context.Context, eng *engine.Engine, q *query.Query[*subject], rule campaign.Rule, out *output.Records[rows.Transaction], printed *int) error {
	pages := 0
	if l.Output.Table() {
		pages = labelPages
	}
	every := l.labels || q.Anywhere() || q.Asked(query.CardField, query.LabelField, query.CampaignField) ||
		l.Output.Asks("label") || l.Output.Asks("last4")
	cards, err := labelsOf(ctx, eng, every, pages)
	if err != nil {
		return err
	}
	o := narrowed(l.api, q, l.Now())
	for txns, err := range eng.Transactions(ctx, o) {
		if err != nil {
			return cli.Failed("read the transactions", err)
		}
		for _, t := range txns {
			row := rows.Transaction{Transaction: t, Label: cards[t.CardID].label, Last4: cards[t.CardID].last4}
			if !q.Match(&subject{Transaction: row, now: l.Now(), rule: rule}) {
				continue
			}
			if err := out.Put(row); err != nil {
				return err
			}
			if *printed++; *printed == l.Limit {
				return nil
			}
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// called is what a card is called.
type called struct{ label, last4 api.Text }

// labelsOf reads what cards are called: of all, or of some pages of those that
// were used last.
func labelsOf(ctx context.Context, eng *engine.Engine, all bool, pages int) (map[api.CardID]called, error) {
	if !all && pages == 0 {
		return nil, nil
	}
	o := api.ListCardsOptions{Sort: api.SortLastUsed, Order: api.Descending}
	if all {
		o = api.ListCardsOptions{Sort: api.SortCreatedAt, Order: api.Ascending}
	}
	cards := make(map[api.CardID]called)
	for page, err := range eng.Cards(ctx, o) {
		if err != nil {
			return nil, cli.Failed("read the labels of the cards", err)
		}
		for _, c := range page {
			cards[c.ID] = called{c.Label, c.Last4}
		}
		if pages--; !all && pages == 0 {
			break
		}
	}
	return cards, nil
}

func showTransaction(p cli.Program) *cobra.Command {
	r := read.Command{Program: p}
	return r.Flags(&cobra.Command{
		Use: "show ID", Short: "Print a transaction in full",
		Example: "  cardtop transactions show txn_5f2c --json",
		Args:    cli.OneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			return read.One(cmd.Context(), &r, "transaction", rows.DetailFields(), func(ctx context.Context, c *client.Client) (api.TransactionDetail, error) {
				return c.GetTransaction(ctx, api.TransactionID(args[0]))
			})
		},
	})
}
