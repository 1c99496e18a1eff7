// Package cards is the commands about cards, one file each.
package cards

import (
	"cmp"
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
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/rows"
)

const listHelp = `Print the cards, each page as soon as it is read.

FILTER is what / takes in the dashboard: words that are looked for anywhere, and terms such as bal<20,
status=active, label~fb, last<2h, !2039. Quote it: < and > are the shell's. Flags are filters of the API.

spent and last are of the last 24 hours, whose transactions are read first; left, burn and decl7 of 8 days, idle of
29. spent, last, campaign, left (days), burn (USD an hour), decl7 (percent) and idle (days) are printed where the filter
or --fields has them. Where metadata tells campaigns, each card is read that the rest of the filter lets through: narrow it with
other terms, such as status=active. The same where expires (as in expires<30d), status=expired or --fields expires_at ask when cards
expire: lists do not say it, and the status is the API's where nothing asks.`

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
  cardtop cards list 'left<2d' --fields id,label,balance,left
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
	f.StringVar(&bin, "bin", "", "only cards of this `BIN`")
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
	out, err := output.New(l.Program, l.output, l.fields(&q))
	if err != nil {
		return err
	}
	asked := func(field string) bool { return q.Asked(field) || l.output.Asks(field) }
	return l.WithReadOnlyAccount(ctx, l.account, ", or use --sandbox", func(ctx context.Context, eng *engine.Engine, run config.Resolved) error {
		f, err := readFigures(ctx, eng, run.Settings.Campaign, asked, l.Now())
		if err != nil {
			return err
		}
		printed := 0
		err = l.match(ctx, eng, &q, f, func(s *subject) (bool, error) {
			printed++
			return printed == l.limit, out.Put(s)
		}, out.Flush)
		if err != nil {
			if printed > 0 {
				return fmt.Errorf("%w; %d were printed", err, printed)
			}
			return err
		}
		if n := f.foreign(); n > 0 {
			l.Say(fmt.Sprintf("not included: %s in other currencies", errtext.Plural(n, "transaction", "transactions")))
		}
		return cmp.Or(out.End(), app.Complete(eng))
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

// fields are what is printed: the figures where fields are chosen, and those that a
// filter asks for.
func (l *listing) fields(q *query.Query[*subject]) []rows.Field[*subject] {
	var out []rows.Field[*subject]
	for _, f := range rows.CardFields() {
		out = append(out, rows.Field[*subject]{Name: f.Name, About: f.About, Brief: f.Brief, Cell: func(s *subject) rows.Cell {
			if c := s.CardItem; f.Name == query.StatusField {
				c.Status = s.status()
				return f.Cell(c)
			}
			return f.Cell(s.CardItem)
		}})
	}
	for _, f := range FigureFields() {
		if l.output.Chosen() || q.Asked(f.Name) || f.Name == expiresAt && q.Asked(query.ExpiresField) {
			out = append(out, f)
		}
	}
	return out
}

// match calls take with the cards that a filter lets through, until it has
// enough, and page after each page.
func (l *listing) match(ctx context.Context, eng *engine.Engine, q *query.Query[*subject], f *figures, take func(*subject) (enough bool, err error), page func() error) error {
	rest := q.Without(query.CampaignField, query.ExpiresField)
	for cards, err := range eng.Cards(ctx, l.api) {
		if err != nil {
			return cli.Failed("read the cards", err)
		}
		for _, c := range cards {
			s := &subject{CardItem: c, figures: f, now: f.now}
			s.expires = c.ExpiresAt
			if !rest.Match(s) && (!s.expires.IsZero() || !s.asksExpired(&rest)) {
				continue
			}
			if err := f.readCard(ctx, eng, &rest, s); err != nil {
				return err
			}
			if !q.Match(s) {
				continue
			}
			if enough, err := take(s); enough || err != nil {
				return err
			}
		}
		if err := page(); err != nil {
			return err
		}
	}
	return nil
}

// subject is a card as a filter asks of it.
type subject struct {
	api.CardItem
	figures *figures
	now     time.Time
	// expires is when it expires; zero where it was not read.
	expires time.Time
}

// status is the one to show; see cardlist.Shown.
func (s *subject) status() api.CardStatus {
	return cardlist.Shown(s.Status, cardlist.Passed(s.expires, s.now))
}

// language is what cards are filtered by.
func language() query.Language[*subject] {
	ago := func(s *subject, at time.Time) (time.Duration, bool) { return s.now.Sub(at), !at.IsZero() }
	return query.Cards[*subject]{
		Holds: func(s *subject, want *query.Needle) bool {
			return want.In(low(s.Label)) || want.In(string(s.Last4)) ||
				want.In(low(string(s.status())+"\n"+string(s.Network)+"\n"+string(s.BIN)))
		},
		Balance: func(s *subject) api.USD { return s.CardItem.Balance },
		Spent:   (*subject).spent,
		Status:  func(s *subject) string { return low(s.status()) },
		Label:   func(s *subject) string { return low(s.CardItem.Label) },
		Last4:   func(s *subject) string { return string(s.CardItem.Last4) },
		BIN:     func(s *subject) string { return low(s.CardItem.BIN) },
		Network: func(s *subject) string { return low(s.CardItem.Network) },
		Last:    func(s *subject) (time.Duration, bool) { return ago(s, s.last()) },
		Age:     func(s *subject) (time.Duration, bool) { return ago(s, s.CreatedAt) },
		Expires: func(s *subject) (time.Duration, bool) {
			return s.expires.Sub(s.now), !s.expires.IsZero() && s.Status != api.CardTerminated
		},

		Campaign: func(s *subject) string { return low(s.campaign()) },
		Left:     (*subject).left, Burn: (*subject).burn, Declines: (*subject).declines, Idle: (*subject).idle,
	}.Language()
}

func low[T ~string](text T) string { return strings.ToLower(string(text)) }

// Suggest returns what a filter may go on as; values are those of the cards' fields.
func Suggest(text string, values func(field string) []string) []query.Suggestion {
	l := language()
	return l.Suggest(text, values)
}

const cardHelp = `CARD is an id, the last four digits or the label of a card. All cards are read to find one by
its last four digits; it is an error when several could be meant.`

// oneCard requires one argument, a card.
func oneCard(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return fmt.Errorf("a card is missing: %s", strings.TrimPrefix(cmd.UseLine(), cmd.Root().Name()+" "))
	case len(args) > 1:
		return fmt.Errorf("%s takes one card, not also %q", cmd.CommandPath(), cli.Shown(args[1]))
	}
	return nil
}

// Command returns the commands about cards.
func Command(p cli.Program) *cobra.Command {
	cmd := cli.Group("cards", "List, issue, change, fund and end cards", `  cardtop cards list 'status=active bal<20'
  cardtop cards fund 2039 --amount 25`,
		listCommand(p), showCommand(p), createCommand(p), editCommand(p), fundCommand(p), withdrawCommand(p), copyCommand(p))
	cmd.AddCommand(statusCommands(p)...)
	return cmd
}
