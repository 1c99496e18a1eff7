package report

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/state/campaign"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/rows"
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

// What a report has a line for.
const (
	byCampaign = "campaign"
	byCard     = "card"
	byBIN      = "bin"
	byMerchant = "merchant"
	byDay      = "day"
	total      = "total"
)

// Line is a line of a report.
type Line struct {
	// By is what the line is for, Name which: empty for cards without a campaign or
	// BIN and for a merchant without a name.
	By, Name     string
	Label, Last4 api.Text
	// From and To bound the time of its transactions.
	From, To time.Time
	ledger.Totals
	// Open is what is held now, of a day what is held of its holds.
	Open ledger.Open
	// Before is of the span before, where Compared says that it was read. Paired
	// says that so was what tells which holds have settled.
	Before           ledger.Past
	Compared, Paired bool
}

// Fields are what is printed of a line.
func Fields() []rows.Field[Line] { return fields("") }

// fields are those of Fields, with names of cards in the table when the lines are cards.
func fields(by string) []rows.Field[Line] {
	count := func(n int32) rows.Cell { return rows.Count(int(n)) }
	cards := by == byCard
	return []rows.Field[Line]{
		{Name: "by", About: "campaign, card, bin, merchant or day; total for all", Cell: func(l Line) rows.Cell { return rows.Text(l.By) }},
		{Name: "name", About: "campaign, card id, BIN, merchant or UTC day", Brief: true, Cell: func(l Line) rows.Cell { return rows.Text(l.Name) }},
		{Name: "label", About: "label of the card", Brief: cards, Cell: func(l Line) rows.Cell { return rows.Text(l.Label) }},
		{Name: "last4", About: "last four digits of the card", Brief: cards, Cell: func(l Line) rows.Cell { return rows.Text(l.Last4) }},
		{Name: "from", About: "begin of the range", Cell: func(l Line) rows.Cell { return rows.Time(l.From) }},
		{Name: "to", About: "end of the range", Cell: func(l Line) rows.Cell { return rows.Time(l.To) }},
		{Name: "spent", About: "USD that settled, less refunds", Brief: true, Cell: func(l Line) rows.Cell { return rows.Money(l.Spent()) }},
		{Name: "settled", About: "USD that settled", Cell: func(l Line) rows.Cell { return rows.Money(l.Settled) }},
		{Name: "refunded", About: "USD that was refunded", Cell: func(l Line) rows.Cell { return rows.Money(l.Refunded) }},
		{Name: "authorized", About: "USD that was authorized, settled since or not", Cell: func(l Line) rows.Cell { return rows.Money(l.Held) }},
		{Name: "holds", About: "USD that is held now, an estimate; of a day what is held of its authorizations", Brief: true, Cell: func(l Line) rows.Cell {
			if !l.Paired {
				return rows.Cell{}
			}
			return rows.Money(l.Open.USD)
		}},
		{Name: "foreign", About: "number of authorizations, settlements and refunds in other currencies, which no sum includes", Cell: func(l Line) rows.Cell { return count(l.Foreign) }},
		{Name: "attempts", About: "authorizations and declines", Brief: true, Cell: func(l Line) rows.Cell { return rows.Count(l.Attempts()) }},
		{Name: "declines", About: "number of declines", Brief: true, Cell: func(l Line) rows.Cell { return count(l.Declined) }},
		{Name: "decline_rate", About: "declines in percent of the attempts", Brief: true, Cell: func(l Line) rows.Cell { return rate(int(l.Declined), l.Attempts()) }},
		{Name: "spent_before", About: "USD spent in the span before, where it was read", Cell: func(l Line) rows.Cell {
			if !l.Compared {
				return rows.Cell{}
			}
			return rows.Money(l.Before.Spent)
		}},
		{Name: "change", About: "of what was spent, in percent of the span before", Brief: true, Cell: change},
	}
}

// rate is a part in percent, with one decimal; empty when there is nothing to be a
// part of.
func rate(part, of int) rows.Cell {
	if of == 0 {
		return rows.Cell{}
	}
	return percent(float64(part) / float64(of))
}

// change is what was spent more than before, in percent; empty where nothing was.
func change(l Line) rows.Cell {
	if !l.Compared || l.Before.Spent <= 0 {
		return rows.Cell{}
	}
	return percent(float64(l.Spent()-l.Before.Spent) / float64(l.Before.Spent))
}

func percent(part float64) rows.Cell {
	tenths := int(math.Round(1000 * part)) // No minus sign before a zero.
	return rows.Cell{Text: strconv.FormatFloat(float64(tenths)/10, 'f', 1, 64), Number: true}
}

// lines returns the lines of a report, what was spent most on first or by day, and
// last their total.
func (r *reading) lines(by string) []Line {
	line := Line{From: r.from, To: r.to, Paired: !r.alone}
	all := line
	all.By, all.Name, all.Open = total, total, r.ledger.Open(ledger.Account())
	if r.dated {
		_, all.Totals = r.ledger.TableSince(ledger.ByAccount, r.from)
	} else {
		sum := r.ledger.Total(ledger.Account(), r.over)
		line.Compared = sum.Compared && sum.BeforeRead.Complete
		all.Totals, all.Before, all.Compared = sum.Totals, sum.Before, line.Compared
	}
	if by == byDay {
		return append(r.days(line), all)
	}
	return append(r.table(by, line), all)
}

// table returns the lines by something else than the day. like is what they have in
// common.
func (r *reading) table(by string, like Line) []Line {
	of := map[string]ledger.By{byCampaign: ledger.ByCampaign, byCard: ledger.ByCard, byBIN: ledger.ByBIN, byMerchant: ledger.ByMerchant}[by]
	var table []ledger.Row
	if r.dated {
		table, _ = r.ledger.TableSince(of, r.from)
	} else {
		table, _ = r.ledger.Table(of, r.over, nil)
	}
	out := make([]Line, 0, len(table))
	for _, row := range table {
		if row.Now.Empty() && (!like.Compared || row.Before == ledger.Past{}) && (!like.Paired || row.Open.USD == 0) {
			continue
		}
		out = append(out, r.line(by, of, row, like))
	}
	slices.SortFunc(out, func(a, b Line) int {
		return cmp.Or(cmp.Compare(b.Spent(), a.Spent()), cmp.Compare(b.Attempts(), a.Attempts()), cmp.Compare(a.Name, b.Name))
	})
	return out
}

func (r *reading) line(by string, of ledger.By, row ledger.Row, l Line) Line {
	other := false
	l.By, l.Totals, l.Before, l.Open = by, row.Now, row.Before, row.Open
	if l.Name, other = r.ledger.Name(of, row.Place); other {
		l.Name = "other merchants"
	}
	if by == byCard {
		card := r.cards[api.CardID(l.Name)]
		l.Label, l.Last4 = card.Label, card.Last4
	}
	return l
}

// days returns a line for each UTC day, of the first one from where the range begins. They are not
// compared: the present one is not over.
func (r *reading) days(l Line) []Line {
	var out []Line
	l.By, l.Compared = byDay, false
	for _, b := range r.ledger.DaysSince(ledger.Account(), r.from) {
		l.Name, l.From, l.To, l.Totals, l.Open = b.Start.Format(time.DateOnly), b.Start, b.Start.Truncate(day).Add(day), b.Totals, b.Open
		if l.To.After(r.to) {
			l.To = r.to
		}
		out = append(out, l)
	}
	return out
}
