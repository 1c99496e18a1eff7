package campaign

import "github.com/cardtop/cardtop/api"

// Balances are the balances of cards, USD, added up. The zero value has none.
type Balances struct {
	cards  []held // by place
	names  map[string]int32
	active []api.USD // of the active cards, by campaign
	count  []int     // of these
	all    api.USD
	on     int // active cards
}

// held is what a card adds.
type held struct {
	balance  api.USD
	campaign int32
	active   bool
}

// Set sets what the card in a place holds. Only an active card can spend its balance.
func (b *Balances) Set(place int, campaign string, balance api.USD, active bool) {
	if b.names == nil {
		b.names = make(map[string]int32)
	}
	at, ok := b.names[campaign]
	if !ok {
		at = int32(len(b.active))
		b.names[campaign], b.active, b.count = at, append(b.active, 0), append(b.count, 0)
	}
	for len(b.cards) <= place {
		b.cards = append(b.cards, held{})
	}
	b.add(b.cards[place], -1)
	b.cards[place] = held{balance, at, active}
	b.add(b.cards[place], 1)
}

func (b *Balances) add(h held, sign int) {
	b.all += api.USD(sign) * h.balance
	if h.active {
		b.active[h.campaign] += api.USD(sign) * h.balance
		b.count[h.campaign] += sign
		b.on += sign
	}
}

// Reset removes all cards.
func (b *Balances) Reset() { *b = Balances{cards: b.cards[:0]} }

// All is what all cards hold.
func (b *Balances) All() api.USD { return b.all }

// Cards is how many cards are active.
func (b *Balances) Cards() int { return b.on }

// Active is what the active cards of a campaign hold, and how many there are.
func (b *Balances) Active(campaign string) (api.USD, int) {
	if at, ok := b.names[campaign]; ok {
		return b.active[at], b.count[at]
	}
	return 0, 0
}
