package write

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/output"
	"github.com/cardtop/cardtop/internal/engine/act"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/rows"
)

// Outcome is what became of a write.
type Outcome struct {
	state.Record
	Webhook api.WebhookID
	// Again reports whether it was done before, under the same key.
	Again bool
}

// Fields are what is printed of an outcome.
func Fields() []rows.Field[Outcome] {
	type o = Outcome
	return []rows.Field[o]{
		{Name: "action", About: "fund, withdraw, freeze, …", Brief: true, Cell: func(o o) rows.Cell { return rows.Text(o.Action) }},
		{Name: "outcome", About: "done, refused, not-sent, unknown or skipped", Brief: true, Cell: func(o o) rows.Cell { return rows.Text(o.Outcome) }},
		{Name: "card_id", About: "card", Brief: true, Cell: func(o o) rows.Cell { return rows.Text(o.Card) }},
		{Name: "name", About: "label and last four digits", Brief: true, Cell: func(o o) rows.Cell { return rows.Text(o.Name) }},
		{Name: "amount", About: "USD that moved", Brief: true, Cell: func(o o) rows.Cell { return amount(o.Amount) }},
		{Name: "card_before", About: "USD on the card before", Cell: func(o o) rows.Cell { return rows.Maybe(o.CardBefore) }},
		{Name: "card_after", About: "USD on the card afterwards", Brief: true, Cell: func(o o) rows.Cell { return rows.Maybe(o.CardAfter) }},
		{Name: "wallet_after", About: "USD in the wallet afterwards", Brief: true, Cell: func(o o) rows.Cell { return rows.Maybe(o.WalletAfter) }},
		{Name: "webhook_id", About: "webhook", Cell: func(o o) rows.Cell { return rows.Text(o.Webhook) }},
		{Name: "again", About: "whether it was done before under the same key", Cell: func(o o) rows.Cell { return rows.Flag(o.Again) }},
		{Name: "error", About: "why it was not done", Brief: true, Cell: func(o o) rows.Cell { return rows.Text(api.Clean(o.Err)) }},
		{Name: "request_id", About: "id of the request", Cell: func(o o) rows.Cell { return rows.Text(o.RequestID) }},
		{Name: "idempotency_key", About: "key of the operation", Cell: func(o o) rows.Cell { return rows.Text(o.Key) }},
		{Name: "asked", About: "USD that was asked for", Cell: func(o o) rows.Cell { return amount(o.Asked) }},
		{Name: "mismatch", About: "where the answer is not what was asked for", Brief: true, Cell: func(o o) rows.Cell { return rows.Text(api.Clean(o.Mismatch)) }},
	}
}

func amount(u api.USD) rows.Cell {
	if u == 0 {
		return rows.Cell{}
	}
	return rows.Money(u)
}

// Skipped is the outcome of a write that has nothing to do.
const Skipped = "skipped"

// print prints the outcome of a single write: a sentence for people. An answer that is not
// what was asked for is a warning: the write is done, and sent again it would be done twice.
func (c *Command) print(o Outcome) error {
	if o.Mismatch != "" {
		c.Say("warning: " + spoken(o.Action) + " " + o.Name + ": " + o.Mismatch)
	}
	err := c.put(o)
	if err != nil && o.Outcome != Skipped {
		err = &cli.UnprintedError{What: told(o), Err: err}
	}
	return err
}

func (c *Command) put(o Outcome) error {
	if c.Output.Free() {
		_, err := fmt.Fprintln(c.Out, cli.Printable(told(o)))
		return err
	}
	one, err := output.One(c.Program, c.Output, Fields())
	if err != nil {
		return err
	}
	return one(o)
}

// told says what was done.
func told(o Outcome) string {
	who := o.Name
	if who == "" {
		who = string(o.Card)
	}
	text := map[string]string{
		"fund": "funded %s with $%s", "withdraw": "withdrew from %s: $%s", "freeze": "froze %s", "unfreeze": "unfroze %s", "issue": "issued %s",
		"update": "changed %s", "terminate": "terminated %s", "subscribe": "registered %s", "unsubscribe": "deleted %s",
	}[o.Action]
	switch o.Action {
	case "fund", "withdraw":
		text = fmt.Sprintf(text, who, o.Amount.Grouped())
	case "issue":
		text = fmt.Sprintf(text, who) + " " + string(o.Card) + " with $" + o.Amount.Grouped()
	case "terminate":
		if text = fmt.Sprintf(text, who); o.Amount != 0 {
			text += ": $" + o.Amount.Grouped() + " went back to the wallet"
		}
	case "subscribe":
		if text = fmt.Sprintf(text, who); o.Webhook != "" { // The history has no ids of webhooks.
			text += " as " + string(o.Webhook)
		}
	default:
		text = fmt.Sprintf(text, who)
	}
	if o.Mismatch != "" {
		text = spoken(o.Action) + " " + who + ": done, " + o.Mismatch
	}
	for _, b := range []struct {
		what string
		is   *api.USD
	}{{"card", o.CardAfter}, {"wallet", o.WalletAfter}} {
		if b.is != nil {
			text += "; " + b.what + " $" + b.is.Grouped()
		}
	}
	if o.Outcome == Skipped {
		return o.Err
	}
	if o.Again {
		text += "; done before, " + o.At.Local().Format("2006-01-02 15:04:05")
	}
	return text
}

// outcomeOf returns what became of an operation.
func outcomeOf(r act.Result) Outcome {
	o := Outcome{Record: state.Record{
		Action: r.Op.Kind.Verb(), Card: r.Op.Card, Name: r.Op.Name, Label: r.Op.Label, Amount: r.Op.Amount, Asked: r.Op.Amount, Outcome: r.Status, Key: r.Key,
	}}
	if r.Done.Record != nil {
		o.Record = *r.Done.Record
	}
	if r.Err != nil {
		o.Err = errtext.Explain(nil, r.Err)
	}
	if r.Done.Webhook != nil {
		o.Webhook = r.Done.Webhook.ID
	} else {
		o.Webhook = r.Op.Webhook()
	}
	return o
}

// failed returns the error of a result that is not done.
func (c *Command) failed(r act.Result) error {
	what := spoken(r.Op.Kind.Verb()) + " " + r.Op.Name
	switch r.Status {
	case state.OpStatusDone:
		return nil
	case state.OpStatusUnknown:
		return &cli.UnknownError{Text: fmt.Sprintf("%s may have acted: %s", what, state.ExplainUnconfirmed(nil, r.Err)), Settle: c.settle(r.Key), Err: r.Err}
	case state.OpStatusNotSent:
		return cli.Failed(what+" was not sent", r.Err)
	}
	return cli.Failed(what, r.Err)
}

// refusal words why nothing was sent.
func refusal(what string, err error) error {
	var refused *act.RefusedError
	if errors.As(err, &refused) {
		return fmt.Errorf("%s: %w", what, err)
	}
	if errors.Is(err, act.ErrNotConfirmed) {
		return err
	}
	return cli.Failed(what, err)
}

// progressEvery is how often progress is printed.
const progressEvery = time.Second

// progress prints how far a batch is, beside the output: on a terminal a bar that is drawn
// over, else lines.
type progress struct {
	errs  io.Writer
	now   func() time.Time
	draws bool // The writer is a terminal.
	said  string
	at    time.Time
	open  bool // A bar is on the line of the cursor.
}

// follow has the progress of what a configuration carries out printed, and what it tells
// below it. Its result ends the bar.
func (c *Command) follow(cfg *act.Config) (end func()) {
	p := &progress{errs: c.Output.Aside(c.Errs), now: c.Now, draws: cli.IsTerminal(c.Errs)}
	tell := cfg.Tell
	cfg.Progress = p.show
	cfg.Tell = func(text string) {
		p.end()
		tell(text)
	}
	return p.end
}

func (p *progress) show(b *state.Batch) {
	settled, all := b.Progress()
	p.print(settled, all, b.Phase == state.BatchOver)
}

func (p *progress) print(settled, all int, over bool) {
	text := fmt.Sprintf("%d of %s", settled, errtext.Plural(all, "card", "cards"))
	now := p.now()
	if text == p.said && (!over || !p.open) || !over && now.Sub(p.at) < progressEvery {
		return
	}
	p.said, p.at = text, now
	if !p.draws {
		_, _ = fmt.Fprintln(p.errs, text) // Nobody misses it.
		return
	}
	p.open = true
	_, _ = fmt.Fprintf(p.errs, "\r%s %s", bar(settled, all), text)
	if over {
		p.end()
	}
}

// end leaves the line of the bar.
func (p *progress) end() {
	if p.open {
		p.open = false
		_, _ = fmt.Fprintln(p.errs)
	}
}

// bar draws a part of all, full when nothing is left.
func bar(part, all int) string {
	const cells = 20
	full := cells
	if part < all {
		full = part * cells / all
	}
	return "[" + strings.Repeat("=", full) + strings.Repeat(" ", cells-full) + "]"
}
