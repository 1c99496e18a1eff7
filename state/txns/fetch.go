package txns

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/txnlist"
)

// Fetch reads one page of the feed, newest first, since From
// (UTC; zero for no bound). Pages after the first are up to To, when that one was
// read. History marks the one-time reading of the past.
type Fetch struct {
	Seq      poll.Seq
	From, To time.Time
	Page     int
	History  bool
}

func (Fetch) Effect() {}

// Lane implements kernel.Polled.
func (f Fetch) Lane() (poll.Lane, poll.Seq) {
	if f.History {
		return poll.History, f.Seq
	}
	return poll.Feed, f.Seq
}

// AtPage implements kernel.Paged.
func (f Fetch) AtPage() int { return f.Page }

// Cost is that of a poll: later pages and the past can wait.
func (f Fetch) Cost() kernel.Cost {
	if f.History || f.Page > 1 {
		return kernel.Polling(f, budget.Low)
	}
	return kernel.Polling(f, budget.Middle)
}

func (f Fetch) Run(ctx context.Context, on kernel.Env) (kernel.Event, error) {
	page, err := on.API.ListTransactions(ctx, api.ListTransactionsOptions{From: f.From, To: f.To, Page: f.Page, PerPage: api.MaxPerPage})
	return Loaded{Fetch: f, Meta: on.Over(page.Unread...), Items: page.Data, More: page.Full()}, err
}

// Loaded is a page of the feed. More says that it was full.
type Loaded struct {
	Fetch
	kernel.Meta
	Items []api.Transaction
	More  bool
}

func (ev Loaded) Transactions() []api.Transaction { return ev.Items }

func (ev Loaded) Apply(tx *Table) (kernel.Topic, []kernel.Effect) {
	return tx.lanes.Answer(ev.Fetch, ev.Meta, func() (kernel.Topic, []kernel.Effect) { return tx.addPage(ev) })
}

// PageRead is a page of the feed that was read. Fresh are the transactions of it that were made since the
// feed was first read in this run, oldest first.
type PageRead struct{ Items, Fresh []api.Transaction }

// Covered means that all transactions between two moments, on the server's clock, were read.
type Covered struct{ From, To time.Time }

// Trimmed are transactions that the feed dropped, because it has as many as it may.
type Trimmed struct{ Rows []api.Transaction }

func (tx *Table) addPage(ev Loaded) (kernel.Topic, []kernel.Effect) {
	reached := tx.feed.reached(ev.Items)
	fresh := tx.fresh(ev)
	if !ev.History && ev.Page == 1 {
		tx.lanes.Found(poll.Feed, ev.Meta, len(fresh) > 0)
	}
	topics := kernel.Topic(0)
	if tx.merge(ev.Items) {
		topics = kernel.TopicFeed | kernel.TopicCards
		tx.trim()
	}
	kernel.Tell(tx.Core, PageRead{ev.Items, fresh})
	last := ev.Page >= historyPages
	if !ev.History {
		// Before the first answer the past is the history's to read.
		first := ev.From.IsZero() && tx.lanes.OKAt(poll.Feed).IsZero()
		last = last || reached && !tx.feed.deep || first
	}
	if ev.History {
		tx.feed.past.Reach(ev.Items)
	}
	if ev.More && !last {
		return topics, []kernel.Effect{tx.nextPage(ev)}
	}
	if ev.History {
		return topics | tx.endHistory(ev), nil
	}
	return topics | tx.endPoll(ev, reached), nil
}

// nextPage requests the page after one that was full.
func (tx *Table) nextPage(ev Loaded) Fetch {
	next := ev.Fetch
	if next.Page == 1 {
		next.To = txnlist.Pin(next.To, ev.Items, tx.Clock.Server(ev.At))
	}
	next.Page++
	lane, _ := next.Lane()
	next.Seq = tx.lanes.Follow(lane)
	return next
}

// endHistory ends the reading of the past with its last page.
func (tx *Table) endHistory(ev Loaded) kernel.Topic {
	if !ev.More { // Else there is more than was read.
		kernel.Tell(tx.Core, Covered{ev.From, tx.Clock.Server(ev.Sent)})
		tx.feed.past.ReachTime(ev.From.Add(-1)) // It is included.
	}
	tx.lanes.Answered(poll.History, ev.Meta)
	return kernel.TopicFeed
}

// endPoll ends a poll of the feed with its last page.
func (tx *Table) endPoll(ev Loaded, reached bool) (topics kernel.Topic) {
	tx.cover(ev, reached)
	switch cached := tx.lanes.Cached(poll.Feed); {
	case cached && ev.More && ev.Page >= historyPages:
		tx.notices.Say(kernel.Warn, tx.Lang.T("more transactions came since the last run than are read at a start: the earliest of them are not in the list"))
		topics = kernel.TopicNotice
	case cached:
		// What the last run had continues without a gap.
		tx.feed.past.Reach(tx.All()[:min(1, len(tx.All()))])
	}
	tx.EndFeed(ev.Page, ev.At)
	tx.lanes.Answered(poll.Feed, ev.Meta)
	return topics
}

// cover tells what a poll of the feed has read without a gap, up to when it
// began: all since From, or since the oldest row of its last page, with which others may
// have been made at once that are on the next.
func (tx *Table) cover(ev Loaded, reached bool) {
	from := ev.From
	if ev.More {
		if len(ev.Items) == 0 {
			return
		}
		from = slices.MinFunc(ev.Items, txnlist.Compare).CreatedAt
		if !reached {
			from = from.Add(time.Microsecond)
		}
	}
	if !from.IsZero() {
		kernel.Tell(tx.Core, Covered{from, tx.Clock.Server(tx.feed.began)})
	}
}

// fresh are the transactions of a page that are new and were made since the
// feed was first read in this run, oldest first.
func (tx *Table) fresh(ev Loaded) []api.Transaction {
	if ev.History {
		return nil
	}
	if tx.feed.since.IsZero() {
		tx.feed.since = tx.ServerNow()
	}
	var fresh []api.Transaction
	for _, t := range ev.Items {
		if _, known := tx.feed.known[t.ID]; !known && !t.CreatedAt.Before(tx.feed.since) {
			fresh = append(fresh, t)
		}
	}
	slices.SortFunc(fresh, txnlist.Compare)
	return slices.CompactFunc(fresh, func(a, b api.Transaction) bool { return a.ID == b.ID })
}

// FetchOlder reads on into the past: one page, newest first, of what a card was
// used for up to To (UTC, included), or all cards for an empty id. Of a search
// only what it is for, not before From where that is set. Rest says that many
// pages are read while the user does other things.
type FetchOlder struct {
	Seq      poll.Seq
	Card     api.CardID
	Search   Search
	From, To time.Time
	Page     int
	Rest     bool
}

func (FetchOlder) Effect() {}

// Cost is counted with the history.
func (f FetchOlder) Cost() kernel.Cost {
	if f.Rest {
		return kernel.Cost{Priority: budget.Bulk, Lane: lang.N("history")}
	}
	return kernel.Cost{Priority: budget.User, Lane: lang.N("history")}
}

func (f FetchOlder) Run(ctx context.Context, on kernel.Env) (kernel.Event, error) {
	o := api.ListTransactionsOptions{
		CardID: cmp.Or(f.Search.Card, f.Card), Type: f.Search.Type, Merchant: f.Search.Merchant, From: f.From, To: f.To, Page: f.Page, PerPage: api.MaxPerPage,
	}
	if f.Search.Min != 0 {
		o.MinAmount = &f.Search.Min
	}
	if f.Search.Max != 0 {
		o.MaxAmount = &f.Search.Max
	}
	page, err := on.API.ListTransactions(ctx, o)
	return OlderLoaded{FetchOlder: f, Meta: on.Over(page.Unread...), Items: page.Data, More: page.Full()}, err
}

func (f FetchOlder) Failed(ol *Past, e kernel.Failure) kernel.Topic {
	return ol.failed(f, e.Err, e.At, e.Wait)
}

// OlderLoaded is a page of the past. More says that it was full.
type OlderLoaded struct {
	FetchOlder
	kernel.Meta
	Items []api.Transaction
	More  bool
}

func (ev OlderLoaded) Transactions() []api.Transaction { return ev.Items }

func (ev OlderLoaded) Apply(ol *Past) (kernel.Topic, []kernel.Effect) {
	return ol.loaded(ev), nil
}

// LoadOlder requests the next page of the inspected card's past, or of all
// cards for an empty id, unless one is on its way or there is none. With a
// search only what it is for is asked for; what it finds is Store.Found's.
type LoadOlder struct {
	Card   api.CardID
	Search Search
}

func (in LoadOlder) Start(ol *Past) (kernel.Topic, []kernel.Effect) { return ol.start(in) }

// Search is what the API is asked to find in the past instead of reading all
// of it. Fields that are empty ask for nothing. Every one of them must leave in
// all that is searched for: what else a filter asks, it asks of what comes back.
type Search struct {
	Card api.CardID
	Type api.TransactionType
	// Merchant is a part of the merchant's name.
	Merchant string
	// Min and Max are compared with their sign by some servers and without it
	// by others (ASSUMED 15).
	Min, Max api.USD
	// Older and Younger bound how long ago a transaction was made.
	Older, Younger time.Duration
}

// On reports whether there is anything to find. What bounds only the near
// end, or amounts from above, leaves almost all in: that is read as it is.
func (a Search) On() bool {
	return a.Card != "" || a.Type != "" || a.Merchant != "" || a.Min != 0 || a.Older != 0
}

// within reports whether a search finds nothing that another does not find.
func (a Search) within(b Search) bool {
	same := func(empty, equal bool) bool { return empty || equal }
	return same(b.Card == "", a.Card == b.Card) && same(b.Type == "", a.Type == b.Type) && same(b.Merchant == "", a.Merchant == b.Merchant) &&
		same(b.Min == 0, a.Min == b.Min) && same(b.Max == 0, a.Max == b.Max) &&
		same(b.Older == 0, a.Older == b.Older) && same(b.Younger == 0, a.Younger == b.Younger)
}

// Rest is what a list of transactions goes on with in the past and was not read
// yet, as far as the user wants it.
type Rest struct {
	// Card is the card of the list, empty for all cards.
	Card api.CardID
	// Search is what the API can find instead of reading all of it.
	Search Search
	// From is how far back it is wanted, on the server's clock; zero for the
	// beginning.
	From time.Time
}

// EndSearch removes what a search in the past has found.
type EndSearch struct{}

func (EndSearch) Start(ol *Past) (kernel.Topic, []kernel.Effect) {
	ol.endSearch()
	return kernel.TopicHealth | kernel.TopicFeed, nil
}

// ReadRest asks to read a rest to its end, page after page, until EndRest.
type ReadRest struct{ Rest }

func (in ReadRest) Start(ol *Past) (kernel.Topic, []kernel.Effect) {
	ol.readRest(in)
	return kernel.TopicHealth, nil
}

// EndRest ends the reading of a rest. What was read of it stays.
type EndRest struct{}

func (EndRest) Start(ol *Past) (kernel.Topic, []kernel.Effect) {
	ol.endRest()
	return kernel.TopicHealth, nil
}
