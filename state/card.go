package state

import (
	"cmp"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
)

// Card is what the list knows of one card.
type Card struct {
	ID        api.CardID
	BIN       api.BINID
	Network   api.Text
	Last4     api.Text
	Label     api.Text
	Status    api.CardStatus
	Balance   api.USD
	CreatedAt time.Time
	// Spent24h is what settled on the card in the last 24 hours, net of
	// refunds, and LastUsed its latest transaction: both as far as the feed
	// has been read.
	Spent24h api.USD
	LastUsed time.Time
	// Month is what settled in the calendar month, net of refunds, as far as it
	// was read, and Limit the monthly limit, USD; both 0 while nobody wants to
	// know, and the limit while it was not read.
	Month, Limit api.USD
	// Cached says that all this is from an earlier run, and no answer of this
	// one has told of the card yet.
	Cached bool

	// number stands for the name where names are hidden; 0 before they ever were.
	number int32
}

// Name calls the card by its label and last digits.
func (c Card) Name() string {
	if c.Label == "" {
		return "••" + string(c.Last4)
	}
	return string(c.Label) + " ••" + string(c.Last4)
}

// CardsTable keeps the cards in the order they were first seen.
type CardsTable struct {
	*core
	privacy *PrivacyTable
	notices *NoticesTable

	PackedCards
	places cardPlaces
	total  int // as the server counts
	full   bool
	sweep  int32 // the number of the one under way
	log    changeLog
	// numbered says that cards have numbers, last is the one given last.
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
		return Verdict{Reason: noReveal, Remedy: "start without --no-reveal, on a profile whose reveal is not false"}
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

// name calls a card in a sentence: by its label and last digits, or by its
// place when those are hidden.
func (ca *CardsTable) name(id api.CardID) string {
	c, ok := ca.Get(id)
	switch {
	case !ok:
		return "an unknown card"
	case ca.privacy.Private():
		return alias(c)
	}
	return CardName(c.Label, c.Last4)
}

// trueName calls a card by its label and last digits, for what is kept.
func (ca *CardsTable) trueName(id api.CardID) string {
	if c, ok := ca.Get(id); ok {
		return CardName(c.Label, c.Last4)
	}
	return ca.name(id)
}

// Name calls a card by its label and last digits, as far as they may be seen.
func (ca *CardsTable) Name(id api.CardID) string { return ca.name(id) }

func newCardsTable(c *core, s *Store) *CardsTable {
	t := &CardsTable{core: c, privacy: s.Privacy, notices: s.Notices, places: newCardPlaces(), log: changeLog{from: 1}}
	if c.cfg.Private {
		t.giveNumbers()
	}
	return t
}

// Cards lists all cards in the order they were first seen. The table is the
// store's own: it is read, not kept and not changed.
func (ca *CardsTable) All() *PackedCards { return &ca.PackedCards }

// Card finds a card.
func (ca *CardsTable) Get(id api.CardID) (Card, bool) {
	if r := ca.get(id); r != nil {
		return r.card(), true
	}
	return Card{}, false
}

// TurnedAt is when another status of a card was read than the one that was
// shown before, this machine's clock; zero for never.
func (ca *CardsTable) StatusChangedAt(id api.CardID) time.Time {
	if r := ca.get(id); r != nil {
		return r.turned.time()
	}
	return time.Time{}
}

// CardRow is a card's place among Cards.
func (ca *CardsTable) Row(id api.CardID) (int, bool) {
	return ca.places.find(&ca.PackedCards, id)
}

// CardChanges gives the places among Cards that may have changed since a
// version, 0 for all there ever were, and the version now. Places are told
// once or more; those that came in between are among them. False says that
// this is not known: every place may hold another card.
func (ca *CardsTable) Changes(since uint64) (rows []int32, version uint64, ok bool) {
	rows, ok = ca.log.since(since)
	return rows, ca.log.version(), ok
}

// CardsTotal is how many cards the server says there are; Complete tells
// whether all of them have been read at least once in this run.
func (ca *CardsTable) Total() (total int, complete bool) { return ca.total, ca.full }

// get gives a card to be read; nil for none.
func (b *CardsTable) get(id api.CardID) *cardRow {
	if i, ok := b.places.find(&b.PackedCards, id); ok {
		return b.row(i)
	}
	return nil
}

// find gives a card to be changed; nil for none.
func (b *CardsTable) find(id api.CardID) *cardRow {
	if i, ok := b.places.find(&b.PackedCards, id); ok {
		return b.change(i)
	}
	return nil
}

// change gives the card in a place to be changed.
func (b *CardsTable) change(i int) *cardRow {
	b.log.note(i)
	return b.own(i)
}

// add takes a card in that was not known.
func (b *CardsTable) add(c Card) *cardRow {
	b.Add(c)
	b.places.add(&b.PackedCards)
	r := b.change(b.Len() - 1)
	r.after = b.begun
	if b.numbered {
		b.last++
		r.number = b.last
	}
	return r
}

// giveNumbers numbers the cards from now on, the oldest first.
func (b *CardsTable) giveNumbers() {
	if b.numbered {
		return
	}
	b.numbered = true
	oldest := make([]int, b.Len())
	for i := range oldest {
		oldest[i] = i
	}
	slices.SortFunc(oldest, func(x, y int) int {
		return cmp.Or(cmp.Compare(b.row(x).created, b.row(y).created), cmp.Compare(b.row(x).id, b.row(y).id))
	})
	for _, i := range oldest {
		b.last++
		b.own(i).number = b.last
	}
}

// upsert merges a list item that was asked for with seq. It gives the card
// when the item tells anything newer, and whether that changed it.
func (b *CardsTable) upsert(item api.CardItem, seq Seq) (merged *cardRow, changed bool) {
	r := b.find(item.ID)
	if r == nil {
		r = b.add(Card{ID: item.ID})
	}
	r.sweep = b.sweep
	if seq <= r.fence {
		return nil, false
	}
	r.fence = seq - 1
	before := *r
	r.bin, r.network, r.last4 = wordOf(item.BIN), wordOf(item.Network), wordOf(item.Last4)
	r.status, r.balance, r.created, r.cached = wordOf(item.Status), item.Balance, stampOf(item.CreatedAt), false
	if r.label != item.Label { // Else the one that is held stays.
		r.label = item.Label
	}
	return r, *r != before
}

// turn notes that the status is not the one that was shown; empty for none.
func (r *cardRow) turn(shown api.CardStatus, at time.Time) {
	if shown != "" && shown != r.status.text() {
		r.turned = stampOf(at)
	}
}

// whole tells whether the sweep that ends with a page listed as many cards as
// the server says there are.
func (b *CardsTable) whole(last CardsLoaded) bool {
	listed := 0
	for _, r := range b.rows() {
		if r.sweep == b.sweep {
			listed++
		}
	}
	return last.Page >= last.TotalPages && listed >= last.Total
}

// forgetMissing lets go of the cards that two sweeps did not list, and of those
// of an earlier run that one whole sweep did not; it tells whether there were
// any. One that is being written to stays: what comes of it is to be seen.
func (s *Store) forgetMissing(whole bool) bool {
	b := s.Cards
	had := b.Len()
	b.keep(func(r *cardRow) bool {
		_, busy := s.Ops.Pending(r.id)
		return r.sweep >= b.sweep-1 && (!whole || !r.cached || r.sweep >= b.sweep) || busy
	})
	if b.Len() == had {
		return false
	}
	b.log.reset()
	b.places.reset(&b.PackedCards)
	return true
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
			r.read = stampOf(ev.At)
			if known {
				s.sawStatus(before, r.status.text(), ev.At)
				r.turn(before.Status, ev.At)
			}
			judged, forget := s.judge(r.card())
			topics, effects = topics|judged, append(effects, forget...)
		}
	}
	// The feed may have been read before the card was known.
	for i := had; i < s.Cards.Len(); i++ {
		r := s.Cards.own(i)
		r.spent, r.used, r.month = s.Txns.feed.use[r.id].spent, stampOf(s.Txns.feed.use[r.id].last), s.Limits.month.sums[r.id]
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
	if s.forgetMissing(s.Cards.whole(ev)) {
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

// CardName calls a card by its label and last digits.
func CardName(label, last4 api.Text) string {
	if label == "" {
		return "••" + string(last4)
	}
	return string(label) + " ••" + string(last4)
}
