package state

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/txnlist"
)

// FetchTransactions reads one page of the feed, newest first, since From
// (UTC; zero for no bound). History marks the one-time reading of the past.
type FetchTransactions struct {
	Seq     Seq
	From    time.Time
	Page    int
	History bool
}

func (FetchTransactions) effect() {}

func (f FetchTransactions) lane() (Lane, Seq) {
	if f.History {
		return LaneHistory, f.Seq
	}
	return LaneFeed, f.Seq
}

func (f FetchTransactions) page() int { return f.Page }

// Cost is that of a poll: later pages and the past can wait.
func (f FetchTransactions) Cost() Cost {
	if f.History || f.Page > 1 {
		return polling(f, budget.Low)
	}
	return polling(f, budget.Middle)
}

// TransactionsLoaded is a page of the feed. More says that it was full.
type TransactionsLoaded struct {
	FetchTransactions
	Meta
	Items []api.Transaction
	More  bool
}

func (ev TransactionsLoaded) apply(s *Store) (Topic, []Effect) {
	return s.answer(ev.FetchTransactions, ev.merge)
}

func (ev TransactionsLoaded) merge(s *Store) (Topic, []Effect) {
	reached := s.Txns.feed.reached(ev.Items)
	fresh := s.Txns.fresh(ev)
	changed := s.Txns.merge(ev.Items)
	topics := s.reportTransactions(fresh)
	if changed {
		topics |= TopicFeed | TopicCards
		s.Older.addTrimmed(s.Txns.trim())
	}
	last := ev.Page >= historyPages
	if !ev.History {
		// Before the first answer the past is the history's to read.
		first := ev.From.IsZero() && s.Poll.OKAt(LaneFeed).IsZero()
		last = last || reached && !s.Txns.feed.deep || first
	}
	if ev.History {
		s.Txns.paging().Reach(ev.Items)
	}
	if ev.More && !last {
		next := ev.FetchTransactions
		next.Page++
		lane, _ := next.lane()
		next.Seq = s.Poll.follow(lane)
		return topics, []Effect{next}
	}
	if ev.History {
		if !ev.More { // Else there is more than was read.
			s.Txns.paging().ReachTime(ev.From.Add(-1)) // It is included.
		}
		s.Poll.succeed(LaneHistory, ev.Meta)
		return topics | TopicFeed, nil
	}
	switch cached := s.Poll.Cached(LaneFeed); {
	case cached && ev.More && ev.Page >= historyPages:
		s.Notices.say(Warn, "more transactions came since the last run than are read at a start: the earliest of them are not in the list")
		topics |= TopicNotice
	case cached:
		// What the last run held goes on without a gap.
		s.Txns.paging().Reach(s.Txns.All()[:min(1, len(s.Txns.All()))])
	}
	s.Txns.endFeed(ev.Page, ev.At)
	s.Poll.succeed(LaneFeed, ev.Meta)
	return topics, nil
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

// OlderTable reads transactions of the past: pages behind the feed and a card, a
// search, the rest for an export.
type OlderTable struct {
	*core
	poll   *PollTable
	txns   *TxnsTable
	info   *InfoTable
	search search
	rest   restReading
}

// search is the one search in the past, from where the feed was read back to.
// What it finds is not the feed's: it adds up to nothing, and no gap between two
// found rows counts as read.
type search struct {
	txnlist.List
	Search
	past  txnlist.Paging
	began time.Time // on the server's clock
}

// restReading is the one reading of a rest.
type restReading struct {
	Rest
	on bool
	// due is when to check whether it is over, and else to ask for the next page;
	// zero while one is on its way.
	due time.Time
	// refused reports whether the API refuses to go on.
	refused bool
}

// FetchOlder reads on into the past: one page, newest first, of what a card was
// used for up to To (UTC, included), or all cards for an empty id. Of a search
// only what it is for, not before From where that is set. Rest says that many
// pages are read while the user does other things.
type FetchOlder struct {
	Seq      Seq
	Card     api.CardID
	Search   Search
	From, To time.Time
	Page     int
	Rest     bool
}

func (FetchOlder) effect() {}

// Cost is counted with the history.
func (f FetchOlder) Cost() Cost {
	if f.Rest {
		return Cost{Priority: budget.Bulk, Lane: "history"}
	}
	return Cost{Priority: budget.User, Lane: "history"}
}

func (f FetchOlder) failed(s *Store, e failure) Topic {
	return s.Older.failed(f, e.err, e.at, e.wait)
}

// OlderLoaded is a page of the past. More says that it was full.
type OlderLoaded struct {
	FetchOlder
	Meta
	Items []api.Transaction
	More  bool
}

func (ev OlderLoaded) apply(s *Store) (Topic, []Effect) { return s.Older.loaded(ev), nil }

// LoadOlder requests the next page of the inspected card's past, or of all
// cards for an empty id, unless one is on its way or there is none. With a
// search only what it is for is asked for; what it finds is Store.Found's.
type LoadOlder struct {
	Card   api.CardID
	Search Search
}

func (in LoadOlder) start(s *Store) (Topic, []Effect) { return s.Older.start(in) }

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

// olderPause is so long that a key that is held down cannot spend the hour: a page a
// second is more than anyone reads.
const olderPause = time.Second

// Older is how far a list was read back into the past.
type Older struct {
	// Back is on the server's clock; zero when it is not known.
	Back    time.Time
	Loading bool
	// End: nothing is older. Full: as many are held as may be.
	End, Full bool
	// Why is why the last page could not be read; empty when it was.
	// ByItself reports whether it is asked for again without a key: it is the first.
	Why      string
	ByItself bool
}

// olderOf says how far a list was read.
func olderOf(p *txnlist.Paging) Older {
	o := Older{Back: p.Back, Loading: p.Asked != 0, End: p.End}
	if p.Err != nil {
		o.Why = errtext.Explain(p.Err)
	}
	return o
}

// State returns how far the inspected card's own list was read back, or the feed
// for an empty id.
func (ol *OlderTable) State(card api.CardID) Older {
	b, begun := ol.paging(card)
	o := olderOf(b)
	o.Full = ol.full()
	if !begun {
		err := ol.notBegun(card)
		o.Loading, o.ByItself, o.Why = err == nil, err != nil, ""
		if err != nil {
			o.Why = errtext.Explain(err)
		}
	}
	return o
}

// notBegun returns why the first rows of a list are not there yet; nil while they
// are on the way.
func (ol *OlderTable) notBegun(card api.CardID) error {
	switch src := ol.poll.Source(LaneHistory); {
	case card == ol.info.card() && card != "":
		return ol.info.readErr()
	case card != "":
		return nil
	case !src.ShortTill.IsZero():
		return errtext.ErrLimitUsed
	default:
		return src.Err
	}
}

// paging finds the reading of a list; begun reports whether its first rows
// were read.
func (ol *OlderTable) paging(card api.CardID) (b *txnlist.Paging, begun bool) {
	if card == "" {
		return ol.txns.paging(), ol.poll.Done(LaneHistory)
	}
	return ol.info.paging(card)
}

// full reports whether as many transactions are held as may be.
func (ol *OlderTable) full() bool {
	return len(ol.txns.All())+ol.info.held() >= feedKept
}

// loadOlder requests the next page of a list's past, or of a search in it.
func (ol *OlderTable) loadOlder(in LoadOlder) []Effect {
	if e, ok := ol.nextOlder(in, olderPause); ok {
		return []Effect{e}
	}
	return nil
}

// nextOlder is the next page, unless the one before came less than a pause ago;
// false when there is none to ask for.
func (ol *OlderTable) nextOlder(in LoadOlder, pause time.Duration) (e FetchOlder, ok bool) {
	if in.Search.On() {
		return ol.nextFound(in.Search, pause)
	}
	if in.Card == "" {
		ol.search = search{} // Now its rows are to be the feed's.
	}
	b, begun := ol.paging(in.Card)
	if !begun || ol.full() || !b.Ready(ol.now, pause) {
		return e, false
	}
	if in.Card != "" {
		// The feed's rows of the card need not be read again.
		b.ContinueFrom(*ol.txns.paging())
	}
	e = nextPage(b, ol.nextSeq())
	e.Card = in.Card
	return e, true
}

// nextPage starts the request for the next page of a list.
func nextPage(p *txnlist.Paging, seq Seq) FetchOlder {
	to, page := p.Next(seq)
	return FetchOlder{Seq: seq, To: to, Page: page}
}

// pagingOf finds the reading that a page belongs to.
func (ol *OlderTable) pagingOf(f FetchOlder) *txnlist.Paging {
	if f.Search.On() {
		return &ol.search.past
	}
	b, _ := ol.paging(f.Card)
	return b
}

func (ol *OlderTable) loaded(ev OlderLoaded) Topic {
	b := ol.pagingOf(ev.FetchOlder)
	if b.Asked != ev.Seq {
		return 0
	}
	b.Asked, b.At, b.Page, b.End = 0, ev.At, ev.Page, !ev.More
	b.Reach(ev.Items)
	ol.restAnswered(ev.At, nil, false, 0)
	if ev.Search.On() {
		ol.addFound(ev)
		return TopicHealth | TopicFeed
	}
	if ev.Card == "" {
		if !ol.txns.merge(ev.Items) {
			return TopicHealth // There is only less to be read.
		}
		ol.addTrimmed(ol.txns.trim())
		return TopicHealth | TopicFeed | TopicCards
	}
	ol.info.addOlder(ev.Items)
	return TopicInspector
}

// failed shows why, and waits to be asked again. A page that the API
// refuses would be refused for ever: the next reading begins where this one
// ended. wait is how long the API or the budget asks to wait.
func (ol *OlderTable) failed(f FetchOlder, err error, at time.Time, wait time.Duration) Topic {
	b := ol.pagingOf(f)
	if b.Asked != f.Seq {
		return 0
	}
	b.Asked, b.At, b.Err = 0, at, err
	ol.restAnswered(at, err, f.Page == 1, wait)
	if refusesRequest(err) {
		b.Page = 0
	}
	return TopicHealth | TopicInspector
}

// start reads the next page and reports what it changes.
func (ol *OlderTable) start(in LoadOlder) (Topic, []Effect) {
	had := ol.search.Search
	effects := ol.loadOlder(in)
	if ol.search.Search != had {
		return TopicHealth | TopicInspector | TopicFeed, effects
	}
	return TopicHealth | TopicInspector, effects
}

// wakes calls at with the times at which the table has something to do.
func (ol *OlderTable) wakes(at func(time.Time)) { at(ol.rest.due) }

// addTrimmed adds what the feed removed to where it is still shown.
func (ol *OlderTable) addTrimmed(gone []api.Transaction) {
	if len(gone) > 0 {
		ol.info.addTrimmed(gone)
		ol.search.addTrimmed(gone)
	}
}
