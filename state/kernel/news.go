package kernel

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/news"
)

// News collects what just happened, for notifications and the event command.
type News struct {
	*Core
	named func(api.CardID) (label, last4 api.Text)
	news  []news.News
}

// NewNews collects news; named is how the card that something happened to is called, empty where it is not known.
func NewNews(c *Core, named func(api.CardID) (label, last4 api.Text)) *News {
	return &News{Core: c, named: named}
}

// Drain returns what has happened since it was asked for last, in order.
// What was so already when the program began is no news.
func (ne *News) Drain() []news.News {
	n := ne.news
	ne.news = nil
	return n
}

// Report adds what happened now.
func (ne *News) Report(n news.News) {
	n.At = ne.Time
	n.Label, n.Last4 = ne.named(n.Card)
	if len(ne.news) >= newsKept {
		ne.news = ne.news[1:]
	}
	ne.news = append(ne.news, n)
}

// ReportTransaction adds a transaction. It points at what t holds: a copy of each amount would be most of what a page costs.
func (ne *News) ReportTransaction(t *api.Transaction) {
	n := news.News{Kind: news.Transaction, ID: string(t.ID), Card: t.CardID, Type: string(t.Type), Merchant: t.Merchant.Name}
	if t.InUSD() {
		n.Amount = &t.Amount
	} else {
		n.Foreign, n.Currency = &t.Foreign, t.Currency
	}
	ne.Report(n)
}

// newsKept bounds what was not drained yet.
const newsKept = 1000
