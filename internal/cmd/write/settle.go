package write

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/output"
	"github.com/cardtop/cardtop/internal/engine/act"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/kernel"
)

// Settle settles the operation of a key, as the user says if they do.
func (c *Command) Settle(ctx context.Context, key api.IdempotencyKey, happened *bool) error {
	if _, err := output.One(c.Program, c.Output, Fields()); err != nil {
		return err
	}
	return c.WithAccount(ctx, c.Account, func(ctx context.Context, acc app.Account) error {
		pending := acc.Journal.Pending()
		i := slices.IndexFunc(pending, func(op state.Op) bool { return op.Key == key })
		if i < 0 {
			return c.settledAlready(acc, key)
		}
		c.about = pending[i].Name
		var known []kernel.Event
		if pending[i].Kind == state.OpIssue && happened == nil {
			cards, err := likeIssued(ctx, acc, pending[i])
			if err != nil {
				return err
			}
			known = append(known, c.Cards(cards, false))
		}
		cfg := c.config(acc, known...)
		cfg.Key = ""
		r, e, err := act.Settle(ctx, cfg, key, happened)
		if err != nil {
			return refusal("settle "+string(key), err)
		}
		if r.Status == state.OpStatusUnknown {
			return c.evidence(r, e)
		}
		if r.Status == state.OpStatusRefused || r.Status == state.OpStatusNotSent {
			return c.failed(r)
		}
		o := outcomeOf(r)
		if c.Output.Free() && happened != nil {
			_, err := fmt.Fprintf(c.Out, "noted: %s %s is %s\n", o.Action, o.Name, o.Outcome)
			return err
		}
		return c.print(o)
	})
}

// settledAlready says of a key that is not open what is known of it.
func (c *Command) settledAlready(acc app.Account, key api.IdempotencyKey) error {
	fates, err := acc.Engine.Fates([]api.IdempotencyKey{key}, c.Now().Add(-lookBack), nil)
	if err != nil {
		return err
	}
	switch status := fates[key]; {
	case status == "":
		return app.Usage(errors.New("no operation has that key: cardtop operations list prints those that are open"))
	case state.Settled(status):
		return c.print(Outcome{Record: state.Record{Outcome: Skipped, Key: key, Err: "it is settled already: " + status}})
	}
	return &cli.UnknownError{Text: "another cardtop is settling it", Settle: c.settle(key)}
}

// evidence is the error of what nobody but the user can settle, with what was
// read since.
func (c *Command) evidence(r act.Result, e state.Evidence) error {
	text := fmt.Sprintf("%s %s, begun %s, has no answer", spoken(r.Op.Kind.Verb()), r.Op.Name, r.Op.At.Local().Format("2006-01-02 15:04:05"))
	if !e.CardAt.IsZero() {
		text += fmt.Sprintf("; the card is %s and holds $%s", e.Status, e.Card.Grouped())
		if x := r.Op.Expected; x != (state.Preview{}) {
			text += fmt.Sprintf(", $%s before it and $%s after it", x.CardBefore.Grouped(), x.CardAfter.Grouped())
		}
	}
	if !e.WalletAt.IsZero() {
		text += fmt.Sprintf("; the wallet holds $%s", e.Wallet.Grouped())
	}
	if r.Op.Kind == state.OpIssue {
		text += "; issued since with its label and BIN: " + named(e.Appeared)
	}
	switch e.Suggests {
	case state.SuggestsDone:
		text += "; it seems to be done"
	case state.SuggestsNotDone:
		text += "; it seems not to be done"
	default:
	}
	return &cli.UnknownError{Text: text, Settle: c.settle(r.Key) + " --done or --not-done"}
}

func named(cards []cardlist.Card) string {
	if len(cards) == 0 {
		return "no card"
	}
	names := make([]string, len(cards))
	for i, c := range cards {
		names[i] = cardlist.Name(c.Label, c.Last4) + " " + string(c.ID)
	}
	return strings.Join(names, ", ")
}

// likeIssued reads the cards that an issue may have made, and others like them.
func likeIssued(ctx context.Context, acc app.Account, op state.Op) ([]api.CardItem, error) {
	var asked api.CreateCardRequest
	if op.Write == nil || json.Unmarshal(op.Write.Body, &asked) != nil {
		return nil, nil // Of an earlier format: there is nothing to compare with.
	}
	var out []api.CardItem
	like := api.ListCardsOptions{BIN: asked.BIN, Label: asked.Label, Sort: api.SortCreatedAt, Order: api.Ascending}
	for page, err := range acc.Engine.Cards(ctx, like) {
		if err != nil {
			return nil, cli.Failed("read the cards", err)
		}
		out = append(out, page...)
	}
	return out, nil
}
