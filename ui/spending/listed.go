package spending

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/ledger"
)

// listed finds the cards of the ledger in the list. What the table asks of 100,000 of
// them a second is side by side here; only cards that changed are looked at again.
type listed struct {
	version uint64
	cards   []listedCard // by their places in the ledger
	places  []int32      // of the cards in the ledger, by their rows; -1 for none
}

// listedCard is a card of the ledger: its row in the list, -1 when it is not listed, what
// is on it, and that when it is active.
type listedCard struct {
	row             int32
	balance, active api.USD
}

// read brings the cards up to date, and calls changed with the places of those that may
// have another label.
func (l *listed) read(s *state.Store, changed func(place uint32)) {
	rows, version, known := s.Cards.Changes(l.version)
	l.version = version
	all, sums := s.Cards.All(), s.Insight.Ledger()
	if !known {
		l.cards, l.places = l.cards[:0], l.places[:0]
	}
	for i := len(l.places); i < all.Len(); i++ {
		at := int32(-1)
		if place, ok := sums.Place(ledger.OfCard(all.ID(i))); ok {
			at = int32(place)
		}
		l.places = append(l.places, at)
		if at >= 0 && int(at) < len(l.cards) {
			l.set(all, i, changed)
		}
	}
	for at := len(l.cards); at < sums.Places(ledger.ByCard); at++ {
		l.cards = append(l.cards, listedCard{row: -1})
		name, _ := sums.Name(ledger.ByCard, uint32(at))
		if i, ok := s.Cards.Row(api.CardID(name)); ok {
			l.places[i] = int32(at)
			l.set(all, i, changed)
		} else {
			changed(uint32(at))
		}
	}
	for _, i := range rows {
		if l.places[i] >= 0 {
			l.set(all, int(i), changed)
		}
	}
}

// set takes over the card of a row.
func (l *listed) set(all *cardlist.List, i int, changed func(place uint32)) {
	r, at := all.Row(i), l.places[i]
	l.cards[at] = listedCard{int32(i), r.Balance, active(r)}
	changed(uint32(at))
}

// card returns a card by its place in the ledger; none of row -1.
func (l *listed) card(place uint32) listedCard {
	if int(place) >= len(l.cards) {
		return listedCard{row: -1}
	}
	return l.cards[place]
}

// active is what can be spent from a card: its balance while it is active.
func active(r *cardlist.Row) api.USD {
	if r.Shown() != api.CardActive {
		return 0
	}
	return r.Balance
}
