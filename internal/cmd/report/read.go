package report

import (
	"context"
	"fmt"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/state/campaign"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/ledger"
)

// reading is what a report is made of.
type reading struct {
	window
	ledger *ledger.Ledger
	cards  map[api.CardID]api.CardItem // Where they are needed.
}

// readTransactions adds up all transactions of the window.
func (r *reading) readTransactions(ctx context.Context, eng *engine.Engine, say *progress) error {
	r.ledger = ledger.New()
	r.ledger.Advance(r.now)
	read := 0
	for page, err := range eng.Transactions(ctx, api.ListTransactionsOptions{From: r.read, To: r.to}) {
		if err != nil {
			return fmt.Errorf("%w; %s read, no report", cli.Failed("read the transactions", err), errtext.Plural(read, "was", "were"))
		}
		r.ledger.Add(r.now, page)
		read += len(page)
		say.at("read " + errtext.Plural(read, "transaction", "transactions"))
	}
	r.ledger.Cover(r.read, r.to)
	return nil
}

// readCards describes the cards that have transactions.
func (r *reading) readCards(ctx context.Context, eng *engine.Engine, rule campaign.Rule, say *progress) error {
	r.cards = make(map[api.CardID]api.CardItem)
	for page, err := range eng.Cards(ctx, api.ListCardsOptions{Sort: api.SortCreatedAt, Order: api.Ascending}) {
		if err != nil {
			return cli.Failed("read the cards", err)
		}
		for _, c := range page {
			if r.ledger.Holds(c.ID) {
				r.cards[c.ID] = c
				r.ledger.Describe(c.ID, c.BIN, rule.Of(c.Label, nil))
				r.ledger.End(c.ID, c.Status == api.CardTerminated)
			}
		}
		say.at("read " + errtext.Plural(len(r.cards), "card", "cards") + " that were used")
	}
	return nil
}

// readMetadata describes the cards by their metadata, which lists do not have.
func (r *reading) readMetadata(ctx context.Context, eng *engine.Engine, rule campaign.Rule, say *progress) error {
	read := 0
	for id, item := range r.cards {
		card, err := engine.Read(ctx, eng, "cards", func(ctx context.Context, c *client.Client) (api.CardSummary, error) { return c.GetCard(ctx, id) })
		if err != nil {
			return cli.Failed("read the metadata of the cards", err)
		}
		r.ledger.Describe(id, item.BIN, rule.Of(card.Label, card.Metadata))
		read++
		say.at(fmt.Sprintf("read the metadata of %d of %s", read, errtext.Plural(len(r.cards), "card", "cards")))
	}
	return nil
}

// progressEvery is how often progress is printed.
const progressEvery = time.Second

// progress prints how far a reading is, beside the output.
type progress struct {
	cli.Program
	since time.Time
	shown bool // on a line of a terminal that is not ended
}

func (p *progress) at(text string) {
	now := p.Now()
	if p.since.IsZero() {
		p.since = now
	}
	if now.Sub(p.since) < progressEvery {
		return
	}
	p.since = now
	if !cli.IsTerminal(p.Errs) {
		_, _ = fmt.Fprintln(p.Errs, text) // Nobody misses it.
		return
	}
	p.shown = true
	_, _ = fmt.Fprintf(p.Errs, "\r%s\x1b[K", text) // As above.
}

// end ends the line of a terminal.
func (p *progress) end() {
	if p.shown {
		_, _ = fmt.Fprintln(p.Errs) // As above.
		p.shown = false
	}
}
