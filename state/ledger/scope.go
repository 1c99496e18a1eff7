package ledger

import (
	"github.com/cardtop/cardtop/api"
)

// By is what figures are put together by.
type By uint8

// The ways to put figures together.
const (
	ByAccount By = iota
	ByCard
	ByCampaign
	ByBIN
	ByMerchant
)

// Scope is whose figures are asked for: Name is the id of a card or a BIN, the
// name of a campaign or a merchant.
type Scope struct {
	By   By
	Name string
}

// Account is everything.
func Account() Scope { return Scope{} }

// OfCard is one card.
func OfCard(id api.CardID) Scope { return Scope{ByCard, string(id)} }

// place returns the place of what a scope names; false when nothing is known of
// it.
func (l *Ledger) place(s Scope) (uint32, bool) {
	switch s.By {
	case ByAccount:
		return 0, true
	case ByCard:
		at, ok := l.cards.places[api.CardID(s.Name)]
		return at, ok
	case ByCampaign:
		at, ok := l.cards.campaigns.names.places[s.Name]
		return at, ok
	case ByBIN:
		at, ok := l.cards.bins.names.places[s.Name]
		return at, ok
	default:
		at := l.merchants.fold(api.Text(s.Name))
		return uint32(at), at != otherMerchants
	}
}

// Place returns the place of what a scope names, by which rows and traces tell it;
// false when nothing is known of it.
func (l *Ledger) Place(s Scope) (uint32, bool) { return l.place(s) }

// Places returns how many cards, campaigns, BINs or merchants there are: their places
// are below that, and stay.
func (l *Ledger) Places(by By) int { return l.places(by) }

// groups returns the group of each card, nil where a group is no set of cards.
func (l *Ledger) groups(by By) []uint32 {
	switch by {
	case ByCampaign:
		return l.cards.campaigns.of
	case ByBIN:
		return l.cards.bins.of
	default:
		return nil
	}
}

// placeOf returns the place of what a record is of: its merchant's where a group is no set of cards.
func placeOf(e *entry, groups []uint32) uint32 {
	if groups == nil {
		return uint32(e.merchant)
	}
	return groups[e.card]
}

// sums returns the sums of all cards, campaigns, BINs or merchants.
func (l *Ledger) sums(by By) *sums {
	switch by {
	case ByCampaign:
		return &l.cards.campaigns.totals
	case ByBIN:
		return &l.cards.bins.totals
	case ByMerchant:
		return &l.merchants.totals
	default:
		return &l.cards.totals
	}
}

// Name returns what a row of a table stands for. Other reports that it stands for
// the merchants that there is no room for.
func (l *Ledger) Name(by By, place uint32) (name string, other bool) {
	switch by {
	case ByCard:
		return string(l.cards.ids[place]), false
	case ByCampaign:
		return l.cards.campaigns.names.texts[place], false
	case ByBIN:
		return l.cards.bins.names.texts[place], false
	case ByMerchant:
		return string(l.merchants.names[place]), place == otherMerchants
	default:
		return "", false
	}
}

// each calls visit with the records of a scope that were made from a day on, only
// those of a kind where one is given.
func (l *Ledger) each(s Scope, from int32, only kind, visit func(day int32, at ref, e *entry)) {
	place, ok := l.place(s)
	if !ok {
		return
	}
	if s.By == ByCard {
		for at := l.cards.heads[place]; at != 0; {
			e, k := l.records.at(at)
			if day := l.records.dayOf(at); day >= from && (only == 0 || only == k.kind) {
				visit(day, at, e)
			}
			at = k.next
		}
		return
	}
	groups := l.groups(s.By)
	for _, d := range l.days {
		if d.number < from {
			continue
		}
		for _, number := range d.chunks {
			c := l.records.chunks[number]
			for i := range c.entries[:c.n] {
				e := &c.entries[i]
				switch {
				case e.kind() == dead || only != 0 && only != e.kind():
				case groups != nil && groups[e.card] != place:
				case s.By == ByMerchant && uint32(e.merchant) != place:
				default:
					visit(d.number, ref(number*chunkSize+uint32(i))+1, e)
				}
			}
		}
	}
}
