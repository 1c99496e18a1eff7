package state

import (
	"cmp"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
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
	// Cached says that all this is from an earlier run, and no answer of this
	// one has told of the card yet.
	Cached bool

	// fence is the newest request whose answer is too old to change this card:
	// an operation, or the answer to a later request, has told better since.
	fence Seq
	// sweep is the sweep during which the card was last listed.
	sweep int
	// turned is when another status was read than the one that was shown, this
	// machine's clock; zero for never.
	turned time.Time
	// number tells cards apart where their names are hidden; 0 before they ever
	// were. It is never given twice in a run.
	number int
	// after is the newest operation that was begun here when the card was first
	// heard of.
	after OpID
}

// TurnedAt is when another status was read than the one that was shown before,
// this machine's clock; zero for never.
func (c Card) TurnedAt() time.Time { return c.turned }

// turn notes that the status is not the one that was shown; empty for none.
func (c *Card) turn(shown api.CardStatus, at time.Time) {
	if shown != "" && shown != c.Status {
		c.turned = at
	}
}

// mostRoom is for how many cards room is made at once, whatever a server says
// how many there are.
const mostRoom = 200_000

// cardBook keeps the cards in the order they were first seen.
type cardBook struct {
	rows  []Card
	at    map[api.CardID]int
	pages int // of the last sweep
	total int // as the server counts
	full  bool
	sweep int // the number of the one under way
	log   changeLog
	// numbered says that cards have numbers, last is the one given last.
	numbered bool
	last     int
	begun    OpID // the newest operation begun here
}

func newCardBook() cardBook {
	return cardBook{at: make(map[api.CardID]int), log: changeLog{from: 1}}
}

// Cards lists all cards in the order they were first seen. The slice is the
// store's own: it is read, not kept and not changed.
func (s *Store) Cards() []Card { return s.cards.rows }

// Card finds a card.
func (s *Store) Card(id api.CardID) (Card, bool) {
	if i, ok := s.cards.at[id]; ok {
		return s.cards.rows[i], true
	}
	return Card{}, false
}

// CardRow is a card's place among Cards.
func (s *Store) CardRow(id api.CardID) (int, bool) {
	i, ok := s.cards.at[id]
	return i, ok
}

// CardChanges gives the places among Cards that may have changed since a
// version, 0 for all there ever were, and the version now. Places are told
// once or more; those that came in between are among them. False says that
// this is not known: every place may hold another card.
func (s *Store) CardChanges(since uint64) (rows []int32, version uint64, ok bool) {
	rows, ok = s.cards.log.since(since)
	return rows, s.cards.log.version(), ok
}

// CardsTotal is how many cards the server says there are; Complete tells
// whether all of them have been read at least once in this run.
func (s *Store) CardsTotal() (total int, complete bool) { return s.cards.total, s.cards.full }

// find gives a card to be changed.
func (b *cardBook) find(id api.CardID) *Card {
	if i, ok := b.at[id]; ok {
		b.log.note(i)
		return &b.rows[i]
	}
	return nil
}

// add takes a card in that was not known.
func (b *cardBook) add(c Card) *Card {
	c.after = b.begun
	if b.numbered {
		b.last++
		c.number = b.last
	}
	b.at[c.ID] = len(b.rows)
	b.rows = append(b.rows, c)
	return b.find(c.ID)
}

// giveNumbers numbers the cards from now on, the oldest first.
func (b *cardBook) giveNumbers() {
	if b.numbered {
		return
	}
	b.numbered = true
	oldest := make([]*Card, 0, len(b.rows))
	for i := range b.rows {
		oldest = append(oldest, &b.rows[i])
	}
	slices.SortFunc(oldest, func(x, y *Card) int {
		return cmp.Or(x.CreatedAt.Compare(y.CreatedAt), cmp.Compare(x.ID, y.ID))
	})
	for _, c := range oldest {
		b.last++
		c.number = b.last
	}
}

// upsert merges a list item that was asked for with seq. It gives the card
// when the item tells anything newer, and whether that changed it.
func (b *cardBook) upsert(item api.CardItem, seq Seq) (merged *Card, changed bool) {
	c := b.find(item.ID)
	if c == nil {
		c = b.add(Card{ID: item.ID})
	}
	c.sweep = b.sweep
	if seq <= c.fence {
		return nil, false
	}
	c.fence = seq - 1
	before := *c
	c.BIN, c.Network, c.Last4, c.Label = item.BIN, item.Network, item.Last4, item.Label
	c.Status, c.Balance, c.CreatedAt, c.Cached = item.Status, item.Balance, item.CreatedAt, false
	return c, *c != before
}

// whole tells whether the sweep that ends with a page listed as many cards as
// the server says there are.
func (b *cardBook) whole(last CardsLoaded) bool {
	listed := 0
	for i := range b.rows {
		if b.rows[i].sweep == b.sweep {
			listed++
		}
	}
	return last.Page >= last.TotalPages && listed >= last.Total
}

// forgetMissing lets go of the cards that two sweeps did not list, and of those
// of an earlier run that one whole sweep did not; it tells whether there were
// any. One that is being written to stays: what comes of it is to be seen.
func (s *Store) forgetMissing(whole bool) bool {
	b := &s.cards
	missing := func(c Card) bool {
		_, busy := s.Pending(c.ID)
		return (c.sweep < b.sweep-1 || whole && c.Cached && c.sweep < b.sweep) && !busy
	}
	if !slices.ContainsFunc(b.rows, missing) {
		return false
	}
	// Readers may hold the slice until they are told.
	b.rows = slices.DeleteFunc(slices.Clone(b.rows), missing)
	clear(b.at)
	b.log.reset()
	for i, c := range b.rows {
		b.at[c.ID] = i
	}
	return true
}

func (s *Store) cardsLoaded(ev CardsLoaded) (Topic, []Effect) {
	var (
		topics  Topic
		effects []Effect
		had     = len(s.cards.rows)
	)
	if room := min(ev.Total, mostRoom) - had; room > 0 {
		s.cards.rows = slices.Grow(s.cards.rows, room)
	}
	if !ev.Hot && ev.Page == 1 {
		s.cards.sweep++
	}
	for _, item := range ev.Items {
		before, known := s.Card(item.ID)
		c, changed := s.cards.upsert(item, ev.Seq)
		if changed {
			topics |= TopicCards
		}
		if c != nil {
			if known {
				s.sawStatus(before, c.Status, ev.At)
				c.turn(before.Status, ev.At)
			}
			judged, forget := s.judge(c)
			topics, effects = topics|judged, append(effects, forget...)
		}
	}
	// The feed may have been read before the card was known.
	for i := had; i < len(s.cards.rows); i++ {
		c := &s.cards.rows[i]
		c.Spent24h, c.LastUsed = s.feed.use[c.ID].spent, s.feed.use[c.ID].last
	}
	s.cards.total = max(ev.Total, len(s.cards.rows))
	if ev.Hot {
		s.succeed(LaneHot, ev.Meta)
		return topics, effects
	}
	if len(ev.Items) > 0 && ev.Page < ev.TotalPages {
		next := ev.FetchCards
		next.Page++
		next.Seq = s.follow(LaneSweep)
		return topics, append(effects, next)
	}
	s.cards.pages, s.cards.full = ev.Page, true
	if s.forgetMissing(s.cards.whole(ev)) {
		s.cards.total = max(ev.Total, len(s.cards.rows))
	}
	s.allot()
	s.succeed(LaneSweep, ev.Meta)
	return topics | TopicCards, effects
}
