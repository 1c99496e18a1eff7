package cmd

import (
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/output"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/state/news"
	"github.com/cardtop/cardtop/state/rows"
)

const eventsHelp = `Print the events of the account as they happen, until interrupted: transactions, codes that are ready,
deposits, alerts, and whether the API answers. Events before the start are not printed.

No event holds a code, a card number or a CVV. cardtop watch prints the same as text for screen readers.`

// eventsCommand prints events in the forms of the other lists.
func (p program) eventsCommand() *cobra.Command {
	var (
		flags config.Flags
		form  output.Flags
		kinds []string
		span  time.Duration
	)
	tail := &cobra.Command{
		Use: "tail", Short: "Print events as they happen", Long: eventsHelp,
		Example: `  cardtop events tail
  cardtop events tail --jsonl --event transaction,code_ready
  cardtop events tail --for 8h --csv >> today.csv`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, k := range kinds {
				if known := eventKinds(); !slices.Contains(known, k) {
					return app.Usage(cli.TakesNot("event", cli.Word{Known: known}.Takes(), k, cli.Word{Known: known}))
				}
			}
			out, err := output.New(p.shared(), form, eventFields())
			if err != nil {
				return err
			}
			return p.tail(cmd.Context(), flags, watchOptions{plain: form.Table(), span: span}, kinds, out)
		},
	}
	f := tail.Flags()
	cli.AllAccountFlags(f, &flags)
	form.Add(f)
	f.StringSliceVar(&kinds, "event", nil, "only these kinds of events, separated by commas")
	f.Var((*cli.Span)(&span), "for", "how long; without it until interrupted")
	return cli.Group("events", "Follow what happens", "  cardtop events tail --jsonl", tail)
}

// linkEvent is the kind of the events about the API.
const linkEvent = "link"

func eventKinds() []string {
	return []string{string(news.Transaction), string(news.Code), string(news.Deposit), string(news.Alert), linkEvent}
}

// tail follows the events.
func (p program) tail(ctx context.Context, flags config.Flags, o watchOptions, kinds []string, out *output.Records[news.News]) error {
	return p.WithReadOnlyAccount(ctx, flags, ", or use --sandbox", func(ctx context.Context, eng *engine.Engine, run config.Resolved) error {
		w := watcher{program: p, watchOptions: o, eng: eng, settings: run.Settings.Reloadable, shared: !run.Sandbox}
		return w.follow(ctx, kinds, out)
	})
}

// follow prints events of some kinds, or of all. A table has no end to be fitted
// to: people get lines.
func (w *watcher) follow(ctx context.Context, kinds []string, out *output.Records[news.News]) error {
	w.emit = func(n news.News) error {
		if len(kinds) > 0 && !slices.Contains(kinds, string(n.Kind)) {
			return nil
		}
		if w.plain {
			_, err := w.out.Write(plainLine(n))
			return err
		}
		if err := out.Put(n); err != nil {
			return err
		}
		return out.Flush()
	}
	err := w.run(ctx)
	if w.plain {
		return err
	}
	if eerr := out.End(); err == nil {
		err = eerr
	}
	return err
}

// eventFields are what is printed of an event, under the names of watch --json.
func eventFields() []rows.Field[news.News] {
	type ns = news.News
	return []rows.Field[ns]{
		{Name: "event", About: "transaction, code_ready, deposit_credited, alert or link", Brief: true, Cell: func(n ns) rows.Cell { return rows.Text(n.Kind) }},
		{Name: "at", About: "time", Brief: true, Cell: func(n ns) rows.Cell { return rows.Time(n.At) }},
		{Name: "id", About: "id of what it is about", Cell: func(n ns) rows.Cell { return rows.Text(n.ID) }},
		{Name: "card_id", About: "card", Cell: func(n ns) rows.Cell { return rows.Text(n.Card) }},
		{Name: "label", About: "label of the card", Brief: true, Cell: func(n ns) rows.Cell { return rows.Text(n.Label) }},
		{Name: "last4", About: "last four digits of the card", Brief: true, Cell: func(n ns) rows.Cell { return rows.Text(n.Last4) }},
		{Name: "type", About: "type of the transaction, status of the deposit, …", Brief: true, Cell: func(n ns) rows.Cell { return rows.Text(n.Type) }},
		{Name: "merchant", About: "merchant", Brief: true, Cell: func(n ns) rows.Cell { return rows.Text(n.Merchant) }},
		{Name: "amount", About: "USD", Brief: true, Cell: func(n ns) rows.Cell { return rows.Maybe(n.Amount) }},
		{Name: "replaces", About: "challenge that a code replaces", Cell: func(n ns) rows.Cell { return rows.Text(n.Replaces) }},
		{Name: "campaign", About: "campaign that an alert is about", Cell: func(n ns) rows.Cell { return rows.Text(n.Campaign) }},
		{Name: "bin", About: "BIN that an alert is about", Cell: func(n ns) rows.Cell { return rows.Text(n.BIN) }},
		{Name: "text", About: "the event in words", Brief: true, Cell: func(n ns) rows.Cell { return rows.Text(api.Clean(n.Text)) }},
	}
}
