package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
)

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

// Cost is counted with the card screen.
func (FetchTransaction) Cost() Cost { return Cost{Priority: budget.User, Lane: "inspector"} }

// Label is what the user waits for.
func (FetchTransaction) Label(bool) string { return "reading the transaction" }

func (f FetchTransaction) failed(s *Store, e failure) Topic {
	if e.deferred {
		return s.Txns.detailFailed(f.Seq, e.err, e.at.Add(e.wait))
	}
	return s.Txns.detailFailed(f.Seq, e.err, e.at)
}

// FetchTransactions reads one page of the feed, newest first, since From
// (UTC; zero for no bound). History marks the one-time reading of the past.
type FetchTransactions struct {
	Seq     Seq
	From    time.Time
	Page    int
	History bool
}

func (FetchTransactions) effect() {}

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

// FetchTransaction reads one transaction in full.
type FetchTransaction struct {
	Seq         Seq
	Transaction api.TransactionID
}

func (FetchTransaction) effect() {}

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

// OlderLoaded is a page of the past. More says that it was full.
type OlderLoaded struct {
	FetchOlder
	Meta
	Items []api.Transaction
	More  bool
}

func (ev OlderLoaded) apply(s *Store) (Topic, []Effect) { return s.Older.loaded(ev), nil }

// TransactionLoaded is one transaction in full.
type TransactionLoaded struct {
	FetchTransaction
	Meta
	Detail api.TransactionDetail
}

func (ev TransactionLoaded) apply(s *Store) (Topic, []Effect) { return s.Txns.detailLoaded(ev), nil }

// LoadOlder requests the next page of the inspected card's past, or of all
// cards for an empty id, unless one is on its way or there is none. With a
// search only what it is for is asked for; what it finds is Store.Found's.
type LoadOlder struct {
	Card   api.CardID
	Search Search
}

func (in LoadOlder) start(s *Store) (Topic, []Effect) { return s.Older.start(in) }

// EndSearch removes what a search in the past has found.
type EndSearch struct{}

func (EndSearch) start(s *Store) (Topic, []Effect) {
	s.Older.endSearch()
	return TopicHealth | TopicFeed, nil
}

// InspectTransaction requests a transaction in full. Next and previous go
// through Among, newest first; it is shared and not changed. An empty id
// closes it.
type InspectTransaction struct {
	Transaction api.TransactionID
	Among       []api.TransactionID
}

func (in InspectTransaction) check(*Store) Verdict {
	if in.Transaction == "" && len(in.Among) > 0 {
		return Verdict{Reason: "this is no transaction: there is nothing to open"}
	}
	return Verdict{}
}

func (in InspectTransaction) start(s *Store) (Topic, []Effect) { return s.inspectTransaction(in) }

// StepTransaction requests a transaction that is so many places older than
// the inspected one, or newer.
type StepTransaction struct{ By int }

func (in StepTransaction) start(s *Store) (Topic, []Effect) { return s.stepTransaction(in) }

// FollowLink requests the next of the transactions that the inspected one
// belongs with.
type FollowLink struct{}

func (FollowLink) check(s *Store) Verdict {
	if _, ok := s.nextLink(); !ok {
		return Verdict{Reason: "no other transaction belongs with this one"}
	}
	return Verdict{}
}

func (FollowLink) start(s *Store) (Topic, []Effect) { return s.followLink() }

// ReadRest asks to read a rest to its end, page after page, until EndRest.
type ReadRest struct{ Rest }

func (in ReadRest) start(s *Store) (Topic, []Effect) {
	s.Older.readRest(in)
	return TopicHealth, nil
}

// EndRest ends the reading of a rest. What was read of it stays.
type EndRest struct{}

func (EndRest) start(s *Store) (Topic, []Effect) {
	s.Older.endRest()
	return TopicHealth, nil
}
