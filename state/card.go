package state

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/errtext"
)

type (
	// Card is what the list knows of one card.
	Card = cardlist.Card
	// PackedCards are cards in the order they were first seen.
	PackedCards = cardlist.List
)

// PackCards returns a list of cards.
func PackCards(cards ...Card) PackedCards { return cardlist.ListOf(cards...) }

// CardsTable holds the cards in the order they were first seen.
type CardsTable struct {
	*core
	privacy *PrivacyTable
	notices *NoticesTable

	table *cardlist.Table
	total int // as the server counts
	full  bool
	sweep int32 // the number of the one under way
	// numbered reports whether cards have numbers, last is the one given last.
	numbered bool
	last     int32
	begun    OpID // the newest operation begun here
}

// checkFresh refuses what must not rest on what an earlier run knew of a card.
// Freezing may: it only makes the card safer.
func (ca *CardsTable) checkFresh(id api.CardID, v Verdict) Verdict {
	if c, _ := ca.Get(id); v.Reason == "" && c.Cached {
		v.Reason = ca.name(id) + " is not read yet: what is shown of it is from the last run"
	}
	return v
}

// checkDetails refuses what needs a card's details where reveal is off or the
// card has none.
func (ca *CardsTable) checkDetails(id api.CardID) Verdict {
	if ca.cfg.NoReveal {
		return Verdict{Reason: errtext.NoReveal, Remedy: "start without --no-reveal, on a profile whose reveal is not false"}
	}
	return ca.checkAlive(id)
}

// checkAlive refuses a card that is not known or terminated.
func (ca *CardsTable) checkAlive(id api.CardID) Verdict {
	c, ok := ca.Get(id)
	switch {
	case !ok:
		return Verdict{Reason: "no card is selected"}
	case c.Status == api.CardTerminated:
		return Verdict{Reason: ca.name(id) + " is terminated"}
	}
	return Verdict{}
}

// name is a card's name in a sentence: by its label and last digits, or by its
// place when those are hidden.
func (ca *CardsTable) name(id api.CardID) string {
	c, ok := ca.Get(id)
	switch {
	case !ok:
		return "an unknown card"
	case ca.privacy.Private():
		return c.Alias()
	}
	return CardName(c.Label, c.Last4)
}

// trueName is a card's label and last digits, for what is stored.
func (ca *CardsTable) trueName(id api.CardID) string {
	if c, ok := ca.Get(id); ok {
		return CardName(c.Label, c.Last4)
	}
	return ca.name(id)
}

// Name is a card's label and last digits, as far as they may be shown.
func (ca *CardsTable) Name(id api.CardID) string { return ca.name(id) }

func newCardsTable(c *core, s *Store) *CardsTable {
	t := &CardsTable{core: c, privacy: s.Privacy, notices: s.Notices, table: cardlist.New()}
	if c.cfg.Private {
		t.numberCards()
	}
	return t
}

// All lists all cards in the order they were first seen. The table is the
// store's own: it is read only.
func (ca *CardsTable) All() *PackedCards { return ca.table.List() }

// Get finds a card.
func (ca *CardsTable) Get(id api.CardID) (Card, bool) {
	if r := ca.table.Get(id); r != nil {
		return r.Card(), true
	}
	return Card{}, false
}

// StatusChangedAt is when another status of a card was read than the one that was
// shown before, this machine's clock; zero for never.
func (ca *CardsTable) StatusChangedAt(id api.CardID) time.Time {
	if r := ca.table.Get(id); r != nil {
		return r.StatusChanged.Time()
	}
	return time.Time{}
}

// Row is a card's place among Cards.
func (ca *CardsTable) Row(id api.CardID) (int, bool) {
	return ca.table.Place(id)
}

// Changes returns the places among Cards that may have changed since a
// version, 0 for all there ever were, and the version now. Places are listed
// once or more; those that came in between are among them. False says that
// this is not known: every place may hold another card.
func (ca *CardsTable) Changes(since uint64) (rows []int32, version uint64, ok bool) {
	return ca.table.Changes(since)
}

// Total is how many cards the server says there are; complete reports
// whether all of them have been read at least once in this run.
func (ca *CardsTable) Total() (total int, complete bool) { return ca.total, ca.full }

// get returns a card's row for reading; nil for none.
func (ca *CardsTable) get(id api.CardID) *cardlist.Row { return ca.table.Get(id) }

// find returns a card's row for writing; nil for none.
func (ca *CardsTable) find(id api.CardID) *cardlist.Row { return ca.table.Find(id) }

// rows returns all rows with their places, for reading.
func (ca *CardsTable) rows() iter.Seq2[int, *cardlist.Row] { return ca.table.Rows() }

// Len is how many cards are known.
func (ca *CardsTable) Len() int { return ca.table.Len() }

// add adds a card that was not known.
func (ca *CardsTable) add(c Card) *cardlist.Row {
	r := ca.table.Add(c)
	r.After = uint32(ca.begun)
	if ca.numbered {
		ca.last++
		r.Number = ca.last
	}
	return r
}

// numberCards numbers the cards from now on, the oldest first.
func (ca *CardsTable) numberCards() {
	if ca.numbered {
		return
	}
	ca.numbered = true
	oldest := make([]int, ca.table.Len())
	for i := range oldest {
		oldest[i] = i
	}
	slices.SortFunc(oldest, func(x, y int) int {
		return cmp.Or(cmp.Compare(ca.table.Row(x).Created, ca.table.Row(y).Created), cmp.Compare(ca.table.Row(x).ID, ca.table.Row(y).ID))
	})
	for _, i := range oldest {
		ca.last++
		ca.table.Own(i).Number = ca.last
	}
}

// upsert merges a list item that was asked for with seq. It returns the card
// when the item is newer, and whether that changed it.
func (ca *CardsTable) upsert(item api.CardItem, seq Seq) (merged *cardlist.Row, changed bool) {
	r := ca.table.Find(item.ID)
	if r == nil {
		r = ca.add(Card{ID: item.ID})
	}
	r.Sweep = ca.sweep
	if seq <= r.Fence {
		return nil, false
	}
	r.Fence = seq - 1
	before := *r
	r.BIN, r.Network, r.Last4 = cardlist.Intern(item.BIN), cardlist.Intern(item.Network), cardlist.Intern(item.Last4)
	r.Status, r.Balance, r.Created, r.Cached = cardlist.Intern(item.Status), item.Balance, cardlist.StampOf(item.CreatedAt), false
	if r.Label != item.Label { // Else the one that is held stays.
		r.Label = item.Label
	}
	return r, *r != before
}

// changeStatus records that the status is not the one that was shown; empty for none.
func changeStatus(r *cardlist.Row, shown api.CardStatus, at time.Time) {
	if shown != "" && shown != r.Status.Text() {
		r.StatusChanged = cardlist.StampOf(at)
	}
}

// complete reports whether the sweep that ends with a page listed as many cards as
// the server says there are.
func (ca *CardsTable) complete(last CardsLoaded) bool {
	listed := 0
	for _, r := range ca.table.Rows() {
		if r.Sweep == ca.sweep {
			listed++
		}
	}
	return last.Page >= last.TotalPages && listed >= last.Total
}

// forgetMissing removes the cards that two sweeps did not list, and of those
// of an earlier run that one complete sweep did not; it reports whether there were
// any. One that is being written to stays: what comes of it is to be seen.
func (s *Store) forgetMissing(whole bool) bool {
	b := s.Cards
	return b.table.Filter(func(r *cardlist.Row) bool {
		_, busy := s.Ops.Pending(r.ID)
		return r.Sweep >= b.sweep-1 && (!whole || !r.Cached || r.Sweep >= b.sweep) || busy
	})
}

func (ev CardsLoaded) merge(s *Store) (Topic, []Effect) {
	var (
		topics  Topic
		effects []Effect
		had     = s.Cards.Len()
	)
	if !ev.Hot && ev.Page == 1 {
		s.Cards.sweep++
	}
	for _, item := range ev.Items {
		before, known := s.Cards.Get(item.ID)
		r, changed := s.Cards.upsert(item, ev.Seq)
		if changed {
			topics |= TopicCards
		}
		if r != nil {
			r.Read = cardlist.StampOf(ev.At)
			if known {
				s.recordStatus(before, r.Status.Text(), ev.At)
				changeStatus(r, before.Status, ev.At)
			}
			resolved, forget := s.resolveByStatus(r.Card())
			topics, effects = topics|resolved, append(effects, forget...)
		}
	}
	// The feed may have been read before the card was known.
	for i := had; i < s.Cards.Len(); i++ {
		r := s.Cards.table.Own(i)
		r.Spent, r.Used, r.Month = s.Txns.feed.use[r.ID].spent, cardlist.StampOf(s.Txns.feed.use[r.ID].last), s.Limits.month.sums[r.ID]
	}
	s.Cards.total = max(ev.Total, s.Cards.Len())
	if ev.Hot {
		s.Poll.succeed(LaneHot, ev.Meta)
		return topics, effects
	}
	if len(ev.Items) > 0 && ev.Page < ev.TotalPages {
		next := ev.FetchCards
		next.Page++
		next.Seq = s.Poll.follow(LaneSweep)
		return topics, append(effects, next)
	}
	s.Poll.SetPages(ev.Page)
	s.Cards.full = true
	if s.forgetMissing(s.Cards.complete(ev)) {
		s.Cards.total = max(ev.Total, s.Cards.Len())
	}
	s.Poll.succeed(LaneSweep, ev.Meta)
	return topics | TopicCards, effects
}

// FetchCards reads one page of the card list: the most recently used when
// Hot, else by age, oldest first, so that pages never shift under the reader.
type FetchCards struct {
	Seq  Seq
	Hot  bool
	Page int
}

func (FetchCards) effect() {}

func (f FetchCards) lane() (Lane, Seq) {
	if f.Hot {
		return LaneHot, f.Seq
	}
	return LaneSweep, f.Seq
}

func (f FetchCards) page() int { return f.Page }

// Cost is that of a poll: later pages and the sweep can wait.
func (f FetchCards) Cost() Cost {
	if !f.Hot || f.Page > 1 {
		return polling(f, budget.Low)
	}
	return polling(f, budget.Middle)
}

// CardsLoaded is a page of cards.
type CardsLoaded struct {
	FetchCards
	Meta
	Items      []api.CardItem
	TotalPages int
	Total      int
}

func (ev CardsLoaded) apply(s *Store) (Topic, []Effect) { return s.answer(ev.FetchCards, ev.merge) }

// CardName is the name of a card with a label and last digits.
func CardName(label, last4 api.Text) string { return cardlist.Name(label, last4) }

// setNewestOp sets the newest operation begun here: cards read from now on are
// newer.
func (ca *CardsTable) setNewestOp(id OpID) { ca.begun = id }

// markCompared marks the balance of a card as compared with the limits of the
// alerts, and reports whether it was before.
func (ca *CardsTable) markCompared(i int) (before bool) {
	r := ca.table.Own(i)
	before, r.Compared = r.Compared, true
	return before
}

// CardsKnown are cards that were read by themselves, for a program that is about
// some cards and polls no list. All says that it is about no others.
type CardsKnown struct {
	Meta
	Items []api.CardItem
	All   bool
}

func (ev CardsKnown) apply(s *Store) (topics Topic, effects []Effect) {
	for _, item := range ev.Items {
		if r, _ := s.Cards.upsert(item, s.nextSeq()); r != nil {
			r.Read = cardlist.StampOf(ev.At)
			resolved, forget := s.resolveByStatus(r.Card())
			topics, effects = topics|resolved, append(effects, forget...)
		}
	}
	s.Cards.total = max(s.Cards.total, s.Cards.Len())
	s.Cards.full = s.Cards.full || ev.All
	return topics | TopicCards, effects
}
