package txns

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/ui/pane"
)

// written is a column of an export.
type written struct {
	name  string
	value func(*exported, *api.Transaction) rows.Cell
}

// exported is what an export has besides the transactions, as it was when the
// export was asked for.
type exported struct {
	cards   map[api.CardID]exportedCard
	reasons map[api.TransactionID]string
	causes  map[api.TransactionID]string
}

type exportedCard struct{ label, campaign, last4, name string }

// always are the columns that every export has.
func always() []written {
	text := func(name string, of func(*api.Transaction) string) written {
		return written{name, func(_ *exported, t *api.Transaction) rows.Cell { return rows.Text(of(t)) }}
	}
	ofCard := func(name string, of func(exportedCard) string) written {
		return written{name, func(x *exported, t *api.Transaction) rows.Cell { return rows.Text(of(x.cards[t.CardID])) }}
	}
	return []written{
		text("id", func(t *api.Transaction) string { return string(t.ID) }),
		text("card_id", func(t *api.Transaction) string { return string(t.CardID) }),
		ofCard("label", func(c exportedCard) string { return c.label }),
		ofCard("campaign", func(c exportedCard) string { return c.campaign }),
		ofCard("last4", func(c exportedCard) string { return c.last4 }),
		text("type", func(t *api.Transaction) string { return string(t.Type) }),
		{"amount", func(_ *exported, t *api.Transaction) rows.Cell { return rows.Units(t.Sent()) }},
		text("currency", func(t *api.Transaction) string { return string(t.Currency) }),
		text("merchant", func(t *api.Transaction) string { return string(t.Merchant.Name) }),
		text("mcc", func(t *api.Transaction) string { return string(t.Merchant.MCC) }),
		text("country", func(t *api.Transaction) string { return string(t.Merchant.Country) }),
		{timeColumn, func(_ *exported, t *api.Transaction) rows.Cell { return rows.Time(t.CreatedAt) }},
		{"reason", func(x *exported, t *api.Transaction) rows.Cell { return rows.Text(x.reasons[t.ID]) }},
		{whyColumn, func(x *exported, t *api.Transaction) rows.Cell { return rows.Text(x.causes[t.ID]) }},
	}
}

// export asks for what is shown in a file. What of it was not read yet can be
// read first.
func (p *Pane) export() []kernel.Intent {
	if p.store == nil {
		return nil
	}
	return []kernel.Intent{pane.ExportRows{Rows: p.rows(), Rest: p.rest(), Again: p.rows, Wanted: p.filter.On()}}
}

// rows are what is shown, for other programs.
func (p *Pane) rows() rows.Rows {
	x := exported{cards: make(map[api.CardID]exportedCard), reasons: make(map[api.TransactionID]string), causes: make(map[api.TransactionID]string)}
	list := make([]api.Transaction, 0, len(p.matched))
	for _, i := range p.matched {
		t := p.at(i)
		list = append(list, *t)
		if _, known := x.cards[t.CardID]; !known {
			c, _ := p.store.Cards.Get(t.CardID)
			x.cards[t.CardID] = exportedCard{string(c.Label), p.store.Insight.Campaign(t.CardID, c.Label), string(c.Last4), p.store.Cards.Name(t.CardID)}
		}
		if reason := p.store.Insight.DeclineReason(t.ID); reason != "" {
			x.reasons[t.ID] = reason
		}
		if answer, declined := p.store.Insight.Decline(t.ID); declined {
			x.causes[t.ID] = answer.Line(nil)
		}
	}
	columns := p.written()
	items := rows.Rows{What: "transactions", N: len(list), Lacks: p.lacks(), Row: func(i int) []rows.Cell {
		cells := make([]rows.Cell, len(columns))
		for at := range columns {
			cells[at] = columns[at].value(&x, &list[i])
		}
		return cells
	}}
	for _, c := range columns {
		items.Columns = append(items.Columns, c.name)
	}
	return items
}

// written are the columns that an export has: those of every export, and what
// else the screen shows.
func (p *Pane) written() []written {
	out := always()
	for _, c := range p.columns {
		if slices.ContainsFunc(out, func(w written) bool { return w.name == c.Name }) {
			continue
		}
		out = append(out, written{c.Name, func(x *exported, t *api.Transaction) rows.Cell {
			switch {
			case c.Name == cardColumn:
				return rows.Text(x.cards[t.CardID].name)
			case c.value != nil:
				return c.value(t)
			}
			return rows.Text(c.text(t))
		}})
	}
	return out
}

// oldest is the time that the filter asks for nothing before, zero for none.
func (p *Pane) oldest() time.Time {
	var from time.Time
	for _, ask := range p.query.Asks() {
		if ask.Field == query.AgeField && ask.Op[0] == '<' {
			if at := p.store.ServerNow().Add(-ask.Age); at.After(from) {
				from = at
			}
		}
	}
	return from
}

// past is how far back the list was read.
func (p *Pane) past() txns.Older {
	if p.searching() {
		return p.store.Past.Found().Older
	}
	return p.store.Past.State("")
}

// whole reports whether all that the filter asks for was read.
func (p *Pane) whole() bool {
	from, feed := p.oldest(), p.store.Past.State("")
	return feed.End || p.past().End || !from.IsZero() && !feed.Back.IsZero() && feed.Back.Before(from)
}

// lacks says what of the list was not read.
func (p *Pane) lacks() rows.Partial {
	if p.whole() {
		return rows.Partial{}
	}
	return rows.Since(p.past().Back)
}

// rest is what of the list can be read first; nil for nothing.
func (p *Pane) rest() *txns.Rest {
	if p.whole() || p.past().Full {
		return nil
	}
	return &txns.Rest{Search: p.searched(), From: p.oldest()}
}
