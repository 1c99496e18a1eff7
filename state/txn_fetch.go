package state

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/txnlist"
)

// FetchTransactions reads one page of the feed, newest first, since From
// (UTC; zero for no bound). Pages after the first are up to To, when that one was
// read. History marks the one-time reading of the past.
type FetchTransactions struct {
	Seq      poll.Seq
	From, To time.Time
	Page     int
	History  bool
}

func (FetchTransactions) Effect() {}

// Lane implements kernel.Polled.
func (f FetchTransactions) Lane() (poll.Lane, poll.Seq) {
	if f.History {
		return poll.History, f.Seq
	}
	return poll.Feed, f.Seq
}

// AtPage implements kernel.Paged.
func (f FetchTransactions) AtPage() int { return f.Page }

// Cost is that of a poll: later pages and the past can wait.
func (f FetchTransactions) Cost() kernel.Cost {
	if f.History || f.Page > 1 {
		return kernel.Polling(f, budget.Low)
	}
	return kernel.Polling(f, budget.Middle)
}

func (f FetchTransactions) Run(ctx context.Context, on kernel.Env) (kernel.Event, error) {
	page, err := on.API.ListTransactions(ctx, api.ListTransactionsOptions{From: f.From, To: f.To, Page: f.Page, PerPage: api.MaxPerPage})
	return TransactionsLoaded{FetchTransactions: f, Meta: on.Over(page.Unread...), Items: page.Data, More: page.Full()}, err
}

// TransactionsLoaded is a page of the feed. More says that it was full.
type TransactionsLoaded struct {
	FetchTransactions
	kernel.Meta
	Items []api.Transaction
	More  bool
}

func (ev TransactionsLoaded) Transactions() []api.Transaction { return ev.Items }

func (ev TransactionsLoaded) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	return s.Poll.Answer(ev.FetchTransactions, ev.Meta, func() (kernel.Topic, []kernel.Effect) { return ev.merge(s) })
}

func (ev TransactionsLoaded) merge(s *Store) (kernel.Topic, []kernel.Effect) {
	reached := s.Txns.feed.reached(ev.Items)
	fresh := s.Txns.fresh(ev)
	if !ev.History && ev.Page == 1 {
		s.Poll.Found(poll.Feed, ev.Meta, len(fresh) > 0)
	}
	changed := s.Txns.merge(ev.Items)
	topics := s.addDeclines(ev.Items) | s.reportTransactions(fresh)
	if changed {
		topics |= kernel.TopicFeed | kernel.TopicCards
		s.Older.addTrimmed(s.Txns.trim())
	}
	last := ev.Page >= historyPages
	if !ev.History {
		// Before the first answer the past is the history's to read.
		first := ev.From.IsZero() && s.Poll.OKAt(poll.Feed).IsZero()
		last = last || reached && !s.Txns.feed.deep || first
	}
	if ev.History {
		s.Txns.paging().Reach(ev.Items)
	}
	if ev.More && !last {
		next := ev.FetchTransactions
		if next.Page == 1 {
			next.To = txnlist.Pin(next.To, ev.Items, s.Clock.Server(ev.At))
		}
		next.Page++
		lane, _ := next.Lane()
		next.Seq = s.Poll.Follow(lane)
		return topics, []kernel.Effect{next}
	}
	if ev.History {
		if !ev.More { // Else there is more than was read.
			s.Spend.cover(ev.From, s.Clock.Server(ev.Sent))
			s.Txns.paging().ReachTime(ev.From.Add(-1)) // It is included.
		}
		s.Poll.Answered(poll.History, ev.Meta)
		return topics | kernel.TopicFeed, nil
	}
	s.coverFeed(ev, reached)
	switch cached := s.Poll.Cached(poll.Feed); {
	case cached && ev.More && ev.Page >= historyPages:
		s.Notices.Say(kernel.Warn, s.Lang.T("more transactions came since the last run than are read at a start: the earliest of them are not in the list"))
		topics |= kernel.TopicNotice
	case cached:
		// What the last run held goes on without a gap.
		s.Txns.paging().Reach(s.Txns.All()[:min(1, len(s.Txns.All()))])
	}
	s.Txns.endFeed(ev.Page, ev.At)
	s.Poll.Answered(poll.Feed, ev.Meta)
	return topics, nil
}

// coverFeed records what a poll of the feed has read without a gap, up to when it
// began: all since From, or since the oldest row of its last page, with which others may
// have been made at once that are on the next.
func (s *Store) coverFeed(ev TransactionsLoaded, reached bool) {
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
		s.Spend.cover(from, s.Clock.Server(s.Txns.feed.began))
	}
}

// fresh are the transactions of a page that are new and were made since the
// feed was first read in this run, oldest first.
func (tx *TxnsTable) fresh(ev TransactionsLoaded) []api.Transaction {
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

// reportTransactions reports transactions that have just been made.
func (s *Store) reportTransactions(fresh []api.Transaction) kernel.Topic {
	var topics kernel.Topic
	for i := range fresh {
		t := &fresh[i]
		s.News.ReportTransaction(t)
		if t.Type == api.TransactionDecline {
			s.readDecline(*t)
		}
		topics |= s.Alerts.Used(*t)
	}
	return topics
}

// readDecline reads a decline that alerts in full, and of a storm of retries only the
// first: the rest were declined for the same.
func (s *Store) readDecline(t api.Transaction) {
	rules, storm := s.Alerts.Rules(), s.Spend.Storm(t.ID)
	if rules.Declines && (storm == nil || storm.Tries[0].ID == t.ID) {
		s.Txns.readDecline(t.ID)
	}
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

func (f FetchOlder) Failed(s *Store, e kernel.Failure) kernel.Topic {
	return s.Older.failed(f, e.Err, e.At, e.Wait)
}

// OlderLoaded is a page of the past. More says that it was full.
type OlderLoaded struct {
	FetchOlder
	kernel.Meta
	Items []api.Transaction
	More  bool
}

func (ev OlderLoaded) Transactions() []api.Transaction { return ev.Items }

func (ev OlderLoaded) Apply(s *Store) (kernel.Topic, []kernel.Effect) { return s.Older.loaded(ev), nil }

// LoadOlder requests the next page of the inspected card's past, or of all
// cards for an empty id, unless one is on its way or there is none. With a
// search only what it is for is asked for; what it finds is Store.Found's.
type LoadOlder struct {
	Card   api.CardID
	Search Search
}

func (in LoadOlder) Start(s *Store) (kernel.Topic, []kernel.Effect) { return s.Older.start(in) }

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

func (EndSearch) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	s.Older.endSearch()
	return kernel.TopicHealth | kernel.TopicFeed, nil
}

// ReadRest asks to read a rest to its end, page after page, until EndRest.
type ReadRest struct{ Rest }

func (in ReadRest) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	s.Older.readRest(in)
	return kernel.TopicHealth, nil
}

// EndRest ends the reading of a rest. What was read of it stays.
type EndRest struct{}

func (EndRest) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	s.Older.endRest()
	return kernel.TopicHealth, nil
}

// WatchLimits sets whether a list shows how much of their limits cards used, and whether
// it shows or asks when they expire.
type WatchLimits struct{ Shown, Expiries bool }

func (in WatchLimits) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	s.Limits.show(in)
	return kernel.TopicHealth, nil
}

func (f FetchMonth) Failed(s *Store, e kernel.Failure) kernel.Topic {
	return s.Limits.monthFailed(f, e.Err, e.At, e.Wait)
}

func (ev MonthLoaded) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	return s.Limits.monthLoaded(ev), nil
}

// readLimits requests the next page or card when it is due: all of it is read in one lane.
func (s *Store) readLimits(now time.Time) kernel.Topic {
	l := &s.Limits.limits
	limits := s.Limits.watchesLimits()
	if !s.Limits.reads() {
		l.due = time.Time{}
		return 0
	}
	var topics kernel.Topic
	if limits {
		topics = s.startMonth(s.Clock.Server(now))
	}
	if !s.Limits.mayRead(limits) {
		l.due = time.Time{}
		return topics
	}
	if l.asked != 0 || !poll.Reached(now, l.due) {
		return topics
	}
	l.turn++
	var page FetchMonth
	more := false
	if limits {
		page, more = s.Limits.month.next()
	}
	card, dates, found := s.Limits.nextCard(now)
	switch {
	case more && !s.Limits.wantsNow() && (!found || !l.shown && !l.expiries || l.turn%limitTurn != 0):
		l.due = now.Add(s.Limits.limitsPause(true))
		l.asked = s.NextSeq()
		page.Seq = l.asked
		s.Wants = append(s.Wants, page)
	case found:
		seen := len(l.wanted) > 0 || dates && l.expiries || !dates && l.shown
		l.due, l.dated = now.Add(s.Limits.limitsPause(seen)), dates
		l.asked = s.NextSeq()
		s.Wants = append(s.Wants, FetchSummary{Seq: l.asked, Card: card, Ahead: true, Limit: true})
	default:
		l.due = now.Add(limitsIdle)
	}
	return topics
}

// reads reports whether limits or expiries are read by themselves.
func (l *LimitsTable) reads() bool {
	return l.watchesLimits() || l.watchesExpiries() || len(l.limits.wanted) > 0
}

// mayRead reports whether what the next reading adds to was read: the month of limits, or the
// feed of expiries alone.
func (l *LimitsTable) mayRead(limits bool) bool {
	if limits {
		return l.month.on || len(l.limits.wanted) > 0
	}
	return l.poll.Done(poll.History) || len(l.limits.wanted) > 0
}

// startMonth begins to add up as soon as it is known what the feed holds, and
// anew with every month.
func (s *Store) startMonth(serverNow time.Time) kernel.Topic {
	start, back := monthOf(serverNow), s.Txns.paging().Back
	if !s.Poll.Done(poll.History) || back.IsZero() && !s.Txns.paging().End || s.Limits.month.on && s.Limits.month.start.Equal(start) {
		return 0
	}
	m := monthSums{on: true, start: start, after: start.Add(-1), sums: make(map[api.CardID]api.USD), foreign: make(map[api.CardID]int)}
	if !s.Txns.paging().ReadSince(start) {
		m.after, m.to = back, back
		m.left = []api.TransactionType{api.TransactionSettlement, api.TransactionRefund}
	}
	s.Limits.month = m
	rows := s.Txns.All()
	from := sort.Search(len(rows), func(i int) bool { return rows[i].CreatedAt.After(m.after) })
	for i := range rows[from:] {
		m.add(&rows[from+i], 1)
	}
	for i, r := range s.Cards.rows() {
		if sum := m.sums[r.ID]; r.Month != sum {
			s.Cards.table.Change(i).Month = sum
		}
	}
	return kernel.TopicCards
}
