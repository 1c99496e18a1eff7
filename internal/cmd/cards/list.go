package cards

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/output"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/state/rows"
)

const listHelp = `Print the cards, each page as soon as it is read.

FILTER is what / takes in the dashboard: words that are looked for anywhere, and terms such as bal<20,
status=active, label~fb, last<2h, !2039. Quote it: < and > are the shell's. Flags are filters of the API.

spent and last are of the last 24 hours, whose transactions are read first.`

// listing is what cards list is asked for.
type listing struct {
	cli.Program
	account config.Flags
	output  output.Flags
	filter  string
	api     api.ListCardsOptions
	limit   int
}

func listCommand(p cli.Program) *cobra.Command {
	l := listing{Program: p}
	var status, sort, order, bin string
	cmd := &cobra.Command{
		Use: "list [FILTER]", Short: "Print cards", Long: listHelp,
		Example: `  cardtop cards list
  cardtop cards list 'status=active bal<20 label~fb'
  cardtop cards list --status frozen --jsonl | jq -r .id
  cardtop cards list --template '{id} {balance}'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			l.filter = strings.Join(args, " ")
			l.api.Status, l.api.Sort, l.api.Order, l.api.BIN = api.CardStatus(status), api.CardSort(sort), api.Order(order), api.BINID(bin)
			return l.run(cmd.Context())
		},
	}
	f := cmd.Flags()
	cli.AllAccountFlags(f, &l.account)
	l.output.Add(f)
	f.Var(cli.Word{To: &status, Known: statuses()}, "status", "only cards of this status")
	f.StringVar(&bin, "bin", "", "only cards of this BIN")
	f.StringVar(&l.api.Label, "label", "", "only cards with this in their label, as the API compares it")
	f.Var(cli.Word{To: &sort, Known: []string{string(api.SortCreatedAt), string(api.SortBalance), string(api.SortLastUsed)}}, "sort", "what to sort by")
	f.Var(cli.Word{To: &order, Known: []string{string(api.Ascending), string(api.Descending)}}, "order", "asc or desc")
	f.IntVar(&l.limit, "limit", 0, "at most so many cards; 0 is all")
	return cmd
}

func statuses() []string {
	return []string{string(api.CardActive), string(api.CardFrozen), string(api.CardTerminated)}
}

func (l *listing) run(ctx context.Context) error {
	if l.limit < 0 {
		return app.Usage(errors.New("--limit takes a whole number from 0"))
	}
	q, err := parse(l.filter)
	if err != nil {
		return err
	}
	out, err := output.New(l.Program, l.output, rows.CardFields())
	if err != nil {
		return err
	}
	return l.WithReadOnlyAccount(ctx, l.account, ", or use --sandbox", func(ctx context.Context, eng *engine.Engine, _ config.Resolved) error {
		printed := 0
		err := match(ctx, eng, l.api, &q, l.Now, func(c api.CardItem) (bool, error) {
			printed++
			return printed == l.limit, out.Put(c)
		}, out.Flush)
		if err != nil {
			if printed > 0 {
				return fmt.Errorf("%w; %d were printed", err, printed)
			}
			return err
		}
		return out.End()
	})
}

// parse reads a filter.
func parse(text string) (query.Query[*subject], error) {
	l := language()
	q, err := l.Parse(text)
	if err != nil {
		return q, app.Usage(fmt.Errorf("filter: %w", err))
	}
	if hint := q.Hint(); hint != "" {
		return q, app.Usage(fmt.Errorf("filter: a term is not complete: %s", hint))
	}
	return q, nil
}

// match calls take with the cards that a filter lets through, until it has
// enough, and page after each page.
func match(ctx context.Context, eng *engine.Engine, o api.ListCardsOptions, q *query.Query[*subject], now func() time.Time, take func(api.CardItem) (enough bool, err error), page func() error) error {
	use, err := usage(ctx, eng, q, now())
	if err != nil {
		return err
	}
	for cards, err := range eng.Cards(ctx, o) {
		if err != nil {
			return cli.Failed("read the cards", err)
		}
		for _, c := range cards {
			if !q.Match(&subject{CardItem: c, use: use[c.ID], now: now()}) {
				continue
			}
			if enough, err := take(c); enough || err != nil {
				return err
			}
		}
		if err := page(); err != nil {
			return err
		}
	}
	return nil
}

// usage reads what was spent on cards in the last day, and when they were used,
// if a filter asks for it.
func usage(ctx context.Context, eng *engine.Engine, q *query.Query[*subject], now time.Time) (map[api.CardID]use, error) {
	if !q.Asked(query.SpentField, query.LastField) {
		return nil, nil
	}
	const day = 24 * time.Hour
	sums := make(map[api.CardID]use)
	for txns, err := range eng.Transactions(ctx, api.ListTransactionsOptions{From: now.Add(-day)}) {
		if err != nil {
			return nil, cli.Failed("read the transactions of the last day", err)
		}
		for _, t := range txns {
			u := sums[t.CardID]
			if t.Type == api.TransactionSettlement || t.Type == api.TransactionRefund {
				u.spent -= t.Amount
			}
			if t.CreatedAt.After(u.last) {
				u.last = t.CreatedAt
			}
			sums[t.CardID] = u
		}
	}
	return sums, nil
}
