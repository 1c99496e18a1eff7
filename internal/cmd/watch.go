package cmd

import (
	"context"
	"errors"
	"fmt"
	mrand "math/rand/v2"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/write"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/engine/loop"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/news"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/settings"
)

const watchHelp = `Print the events of the account, one a line, until interrupted: transactions, codes that are
ready, deposits, alerts (see [alerts] in the configuration), and whether the API answers. It is for
screen readers and logs: no colour, no cursor movement, nothing is overwritten. Events before the
start are not printed.

A decline is printed once, as a transaction; other alerts have a line of their own.

With --act NAME the rule of that name acts without asking, as long as the command runs: see
[[rules]] in the configuration. What it does is one line each. It needs --max-amount when the
rule funds cards. One program acts on a rule at a time.

No line holds a code, a card number or a CVV: cardtop otp prints codes.

At the end of --for, or when it is interrupted, no rule begins anything more; what is being sent
is waited for and printed.

Exit codes: 0 done, 1 failed, 2 usage, 4 key refused, 5 rate limit, 6 a rule may have acted,
130 interrupted.`

const watchExample = `  cardtop watch --plain
  cardtop watch --plain --for 8h >> today.log
  cardtop watch --plain --act topup --max-amount 500
  cardtop watch --json | jq -r 'select(.event == "alert") | .text'`

// watchOptions are what the command line asks for.
type watchOptions struct {
	plain, json bool
	span        time.Duration // 0: until it is interrupted
	act         []string      // The rules that act.
	max         cli.Amount    // The most that they move in all.
}

func (p program) watchCommand() *cobra.Command {
	var (
		flags config.Flags
		o     watchOptions
	)
	cmd := &cobra.Command{
		Use:     "watch",
		Short:   "Print events, one a line, for screen readers and logs",
		Long:    watchHelp,
		Example: watchExample,
		Args:    cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.plain == o.json {
				return app.Usage(errors.New("use --plain for text, or --json; cardtop alone is the dashboard"))
			}
			if len(o.act) > 0 {
				return p.watchAndAct(cmd.Context(), flags, o)
			}
			return p.watch(cmd.Context(), flags, o)
		},
	}
	f := cmd.Flags()
	cli.AccountFlags(f, &flags)
	f.BoolVar(&flags.Sandbox, "sandbox", false, "watch an embedded sandbox")
	f.BoolVar(&o.plain, "plain", false, "one line of text an event")
	f.BoolVar(&o.json, "json", false, "one JSON object an event")
	f.Var((*cli.Span)(&o.span), "for", "how long; without it until interrupted")
	f.StringSliceVar(&o.act, "act", nil, "let this rule act without asking; again for others")
	f.Var(cli.AmountFlag{To: &o.max}, "max-amount", "with --act: refuse to move more than this to cards in all, USD")
	return cmd
}

// watch opens the account and prints its events.
func (p program) watch(ctx context.Context, flags config.Flags, o watchOptions) error {
	return p.WithPushedAccount(ctx, flags, ", or use --sandbox", func(ctx context.Context, eng *engine.Engine, run config.Resolved, pushed <-chan kernel.Event) error {
		w := watcher{program: p, watchOptions: o, eng: eng, pushed: pushed, settings: run.Settings.Reloadable, shared: !run.Sandbox}
		return w.run(ctx)
	})
}

// watcher is one run of the command on an account.
type watcher struct {
	program
	watchOptions
	eng      *engine.Engine
	pushed   <-chan kernel.Event // what webhooks tell of; nil without them
	settings settings.Reloadable
	shared   bool

	// emit prints an event; nil prints it as the options say.
	emit func(news.News) error
	// acting has rules act; nil has none.
	acting *acting

	store  *state.Store
	link   string // What was last printed of the API.
	unread int    // How many items that cannot be read were last told of.
	err    error
}

// watchedDays is how many UTC days are read, today among them: decline rates are of seven
// days, and the hours of the day of the seven before the present hour.
const watchedDays = 8

// run prints events until its time is over.
func (w *watcher) run(ctx context.Context) error {
	within := ctx
	if w.span > 0 {
		var cancel context.CancelFunc
		within, cancel = context.WithTimeout(ctx, w.span)
		defer cancel()
	}
	return w.runWithin(ctx, within)
}

// runWithin prints events until a time within that of the program is over.
func (w *watcher) runWithin(ctx, within context.Context) error {
	cfg := settings.Config{
		Rand: mrand.Float64, ReadOnly: true, Shared: w.shared, Push: w.pushed != nil, Reloadable: w.watched(), PastDays: watchedDays,
		Only: []poll.Lane{poll.Codes, poll.Wallet, poll.Feed, poll.Hot, poll.Sweep, poll.History, poll.Deposits},
	}
	if w.acting != nil {
		cfg = w.acting.config(cfg)
	}
	w.store = state.New(cfg)
	if w.acting != nil {
		w.store.Resume(w.acting.account.Journal.Pending(), w.Now())
	}
	err := loop.Run(within, loop.Config{
		Store: w.store, Do: w.eng.Run, Now: w.Now, Events: w.pushed,
		Changed: func(kernel.Topic) ([]kernel.Intent, bool) {
			over := w.changed()
			if w.acting == nil || over {
				return nil, over
			}
			var want []kernel.Intent
			want, w.err = w.acting.changed(w)
			return want, w.err != nil
		},
	})
	unconfirmed := w.unconfirmed()
	switch {
	case w.err != nil:
		return errors.Join(w.err, unconfirmed)
	case unconfirmed != nil:
		return unconfirmed
	case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		return nil // The time of --for is over.
	}
	return err
}

// unconfirmed is an error when a rule has sent here what nobody knows the outcome of.
func (w *watcher) unconfirmed() error {
	if w.acting == nil {
		return nil
	}
	before := w.acting.account.Journal.Pending()
	open := slices.DeleteFunc(w.store.Ops.List(), func(op state.Op) bool {
		return op.Rule == "" || slices.ContainsFunc(before, func(o state.Op) bool { return o.Key == op.Key })
	})
	if len(open) == 0 {
		return nil
	}
	for _, op := range open[1:] {
		w.Say("unconfirmed too: " + op.Kind.Verb() + " " + string(op.Key))
	}
	return &cli.UnknownError{Text: open[0].Kind.Verb() + " may have acted on " + string(open[0].Card), Settle: write.SettleLine(w.acting.flags, open[0].Key)}
}

// watched are the settings of what is printed: alerts and the rules that alert.
func (w *watcher) watched() settings.Reloadable {
	r := settings.Reloadable{Alerts: w.settings.Alerts, Campaign: w.settings.Campaign, SpendHourly: w.settings.SpendHourly}
	r.Alerts.Declines = false // It is a transaction.
	r.Alerts.Quiet = alert.Hours{}
	for _, is := range w.settings.Rules {
		if !is.Action.Acts() {
			r.Rules = append(r.Rules, is)
		}
	}
	return r
}

// changed prints what is new and reports whether to stop.
func (w *watcher) changed() (over bool) {
	if w.err = w.store.Poll.RefusedAtStart(); w.err != nil {
		return true
	}
	if unread := w.eng.Unread(); len(unread) > w.unread {
		w.unread = len(unread)
		w.Say("warning: " + errtext.Unread(nil, unread))
	}
	for _, n := range append(w.store.News.Drain(), w.linkNews()...) {
		if w.err = w.print(n); w.err != nil {
			return true
		}
	}
	return false
}

// linkNews returns news when the API starts or stops answering.
func (w *watcher) linkNews() []news.News {
	h := w.store.Poll.Health()
	text := ""
	switch h.Link {
	case kernel.Live:
		text = "the API answers"
	case kernel.Offline, kernel.Limited, kernel.KeyRefused:
		text = h.Text
	default:
		return nil // Not known yet.
	}
	if text == w.link || h.Link == kernel.KeyRefused && w.link == "" {
		// A key refused at the start is the error of the command.
		return nil
	}
	w.link = text
	return []news.News{{Kind: "link", At: w.store.Now(), Type: "link", Text: text}}
}

func (w *watcher) print(n news.News) error {
	if w.emit != nil {
		return w.emit(n)
	}
	line := app.EventLine(n)
	if w.plain {
		line = plainLine(n)
	}
	if _, err := w.out.Write(line); err != nil {
		return fmt.Errorf("print event: %w", err)
	}
	return nil
}

// plainLine is an event as a line of text.
func plainLine(n news.News) []byte {
	return []byte(n.At.Local().Format(time.DateTime) + "  " + n.Line() + "\n")
}
