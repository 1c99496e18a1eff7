package cards

import (
	"context"
	"fmt"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/state/campaign"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/rows"
)

const day = 24 * time.Hour

// expiresAt is what is printed of query.ExpiresField.
const expiresAt = "expires_at"

// figures are what transactions and the configuration say of cards. What was not asked
// for is not read, and not known.
type figures struct {
	rule campaign.Rule
	// ledger has the transactions since from; nil where none are needed.
	ledger    *ledger.Ledger
	burns     *ledger.Burns
	from, now time.Time
	// named are the campaigns that metadata told; nil where labels tell them, or nothing
	// is asked of them.
	named map[api.CardID]string
	// expires reports whether it is asked when cards expire.
	expires bool
}

// back returns how far back transactions are read for a field; 0 for not at all.
func back(field string) time.Duration {
	switch field {
	case query.SpentField, query.LastField:
		return day
	case query.LeftField, query.BurnField, query.DeclinesField:
		return 8 * day // A week of whole hours, and what was held before it.
	case query.IdleField:
		return (ledger.Days - 1) * day
	default:
		return 0
	}
}

// readFigures reads what the asked fields need.
func readFigures(ctx context.Context, eng *engine.Engine, rule string, asked func(field string) bool, now time.Time) (*figures, error) {
	f, far := &figures{now: now, expires: asked(query.ExpiresField) || asked(expiresAt)}, time.Duration(0)
	for _, name := range rows.Names(FigureFields()) {
		if asked(name) {
			far = max(far, back(name))
		}
	}
	if asked(query.CampaignField) {
		var err error
		if f.rule, err = campaign.Parse(rule); err != nil {
			return nil, app.Usage(err)
		}
		if f.rule.ByMetadata() {
			f.named = make(map[api.CardID]string)
		}
	}
	if far == 0 {
		return f, nil
	}
	if err := engine.ReadClock(ctx, eng); err != nil {
		return nil, cli.Failed("read the time of the API", err)
	}
	f.now = eng.ServerNow()
	f.from = f.now.Add(-far).Truncate(time.Hour)
	if far > day {
		f.from = f.from.Truncate(day)
	}
	return f, f.readTransactions(ctx, eng)
}

// readTransactions adds up what was made since from.
func (f *figures) readTransactions(ctx context.Context, eng *engine.Engine) error {
	l := ledger.New()
	for page, err := range eng.Transactions(ctx, api.ListTransactionsOptions{From: f.from}) {
		if err != nil {
			return cli.Failed(fmt.Sprintf("read the transactions since %s", f.from.UTC().Format(time.RFC3339)), err)
		}
		l.Add(eng.ServerNow(), page)
	}
	f.now = eng.ServerNow()
	l.Advance(f.now)
	l.Cover(f.from, f.now)
	f.ledger, f.burns = l, ledger.NewBurns(l, nil)
	return nil
}

// readCard reads of a card what lists of cards do not have, where that is asked: the
// metadata where it tells campaigns, and when the card expires.
func (f *figures) readCard(ctx context.Context, eng *engine.Engine, q *query.Query[*subject], s *subject) error {
	if f.named == nil && (!s.expires.IsZero() || !f.expires && !s.asksExpired(q)) {
		return nil
	}
	card, err := engine.Read(ctx, eng, "cards", func(ctx context.Context, c *client.Client) (api.CardSummary, error) { return c.GetCard(ctx, s.ID) })
	if err != nil && f.named != nil {
		return cli.Failed("read the metadata of card "+string(s.ID), err)
	}
	if err != nil {
		return cli.Failed("read when card "+string(s.ID)+" expires", err)
	}
	if f.named != nil {
		f.named[s.ID] = f.rule.Of("", card.Metadata)
	}
	s.expires, s.now = card.ExpiresAt, eng.ServerNow()
	return nil
}

// asksExpired reports whether a filter takes an active card only if it has expired.
func (s *subject) asksExpired(q *query.Query[*subject]) bool {
	if s.Status != api.CardActive || !q.Asked(query.StatusField) {
		return false
	}
	over := *s
	over.expires = s.now
	return !q.Match(s) && q.Match(&over)
}

// spent is what settled on a card less refunds in Last24h, USD.
func (s *subject) spent() api.USD {
	if s.figures.ledger == nil {
		return 0
	}
	return s.figures.ledger.Spent24h(s.ID)
}

// foreign is how many of the transactions that were added up are in other currencies, which no
// figure includes.
func (f *figures) foreign() int {
	if f.ledger == nil {
		return 0
	}
	return int(f.ledger.Total(ledger.Account(), ledger.Last30d).Foreign)
}

// last is when a card had its last transaction in Last24h; zero for none.
func (s *subject) last() time.Time {
	l := s.figures.ledger
	if l == nil {
		return time.Time{}
	}
	if used := l.Used(s.ID); !used.Before(l.Begin(ledger.Last24h)) {
		return used
	}
	return time.Time{}
}

// campaign is that of a card; empty for none, and where it was not asked for.
func (s *subject) campaign() string {
	if s.figures.named != nil {
		return s.figures.named[s.ID]
	}
	return s.figures.rule.Of(s.Label, nil)
}

// left is how long the balance of an active card lasts, in nanoseconds.
func (s *subject) left() query.Figure {
	if s.figures.burns == nil || s.status() != api.CardActive {
		return query.Figure{}
	}
	runway, ok := s.figures.burns.Runway(ledger.OfCard(s.ID), s.Balance)
	least, most := runway.Bounds()
	return query.Figure{Least: least, Most: most, Known: ok}
}

// burn is what the next six hours are likely to cost, USD an hour.
func (s *subject) burn() query.Figure {
	if s.figures.burns == nil {
		return query.Figure{}
	}
	b, ok := s.figures.burns.Of(ledger.OfCard(s.ID))
	least, most := b.Bounds()
	return query.Figure{Least: least, Most: most, Known: ok}
}

// declines is which part of the payments of 7 days was declined.
func (s *subject) declines() query.Figure {
	if s.figures.ledger == nil {
		return query.Figure{}
	}
	sum := s.figures.ledger.Total(ledger.OfCard(s.ID), ledger.Last7d)
	return query.PercentOf(int64(sum.Declined), int64(sum.Attempts()))
}

// idle is how long an active card with a balance was not used. One of which no use is
// known was not used for as long as transactions were read, or as it is old.
func (s *subject) idle() query.Figure {
	f := s.figures
	if f.ledger == nil || s.Status != api.CardActive || s.Balance <= 0 {
		return query.Figure{}
	}
	return query.Unused(f.ledger.Used(s.ID), s.CreatedAt, f.from, f.now)
}

// FigureFields are what is printed of a card where it is asked for: by --fields, by
// the template or in the filter. They take reading transactions.
func FigureFields() []rows.Field[*subject] {
	return []rows.Field[*subject]{
		{Name: query.CampaignField, About: "campaign", Brief: true, Cell: func(s *subject) rows.Cell { return rows.Text(s.campaign()) }},
		{Name: query.SpentField, About: "USD that settled less refunds, of 24 hours", Brief: true, Cell: func(s *subject) rows.Cell { return rows.Money(s.spent()) }},
		{Name: query.LastField, About: "when it had its last transaction, of 24 hours", Brief: true, Cell: func(s *subject) rows.Cell { return rows.Time(s.last()) }},
		{Name: query.LeftField, About: "days that the balance lasts; empty where it is known only at most", Brief: true, Cell: func(s *subject) rows.Cell {
			f := s.left()
			f.Known = f.Known && f.Least == f.Most
			return number(f, float64(day))
		}},
		{Name: query.BurnField, About: "USD an hour that the next six hours are likely to cost", Brief: true, Cell: func(s *subject) rows.Cell {
			if b := s.burn(); b.Known {
				return rows.Money(api.USD(b.Least))
			}
			return rows.Cell{}
		}},
		{Name: query.DeclinesField, About: "percent of the payments of 7 days that were declined", Brief: true, Cell: func(s *subject) rows.Cell { return number(s.declines(), 100) }},
		{Name: expiresAt, About: "when it expires", Brief: true, Cell: func(s *subject) rows.Cell { return rows.Time(s.expires) }},
		{Name: query.IdleField, About: "days that an active card with a balance was not used, at least", Brief: true, Cell: func(s *subject) rows.Cell { return number(s.idle(), float64(day)) }},
	}
}

// number is the least of a figure in a unit, with a decimal; nothing where it is not
// known.
func number(f query.Figure, unit float64) rows.Cell {
	if !f.Known {
		return rows.Cell{}
	}
	return rows.Cell{Text: fmt.Sprintf("%.1f", float64(f.Least)/unit), Number: true}
}
