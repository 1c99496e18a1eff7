package spending

import (
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/ledger"
)

// holdings adds up the cards of each campaign or BIN, those without a transaction
// among them. Only cards that changed are looked at again.
type holdings struct {
	by      ledger.By
	rule    string // how campaigns are told
	version uint64
	cards   []holding // by the card's place in the list
	places  map[string]int32
	sums    []holdingSum
}

// holdingSum is how many cards there are, what is on them, and on those of them that
// are active.
type holdingSum struct {
	cards           int
	balance, active api.USD
}

// holding is what a card adds to which sum.
type holding struct {
	group           int32
	balance, active api.USD
}

// read brings the sums up to date.
func (h *holdings) read(s *state.Store, by ledger.By) {
	if by != ledger.ByCampaign && by != ledger.ByBIN {
		return
	}
	if rule := s.Reloadable().Campaign; h.by != by || h.rule != rule {
		*h = holdings{by: by, rule: rule}
	}
	changed, version, known := s.Cards.Changes(h.version)
	h.version = version
	all := s.Cards.All()
	if !known || len(h.places) == 0 {
		h.cards, h.sums, h.places = make([]holding, all.Len()), h.sums[:0], make(map[string]int32)
		for i := range all.Len() {
			h.add(s, i)
		}
		return
	}
	for _, i := range changed {
		if int(i) < len(h.cards) {
			was := h.cards[i]
			sum := &h.sums[was.group]
			sum.cards, sum.balance, sum.active = sum.cards-1, sum.balance-was.balance, sum.active-was.active
		} else {
			h.cards = append(h.cards, make([]holding, int(i)+1-len(h.cards))...)
		}
		h.add(s, int(i))
	}
}

// add adds the card of a place to its sum.
func (h *holdings) add(s *state.Store, i int) {
	r := s.Cards.All().Row(i)
	name := ""
	if h.by == ledger.ByBIN {
		name = string(r.BIN())
	} else {
		name = s.Insight.Campaign(r.ID, r.Label)
	}
	at, ok := h.places[name]
	if !ok {
		at = int32(len(h.sums))
		h.places[strings.Clone(name)], h.sums = at, append(h.sums, holdingSum{})
	}
	is := holding{at, r.Balance, active(r)}
	sum := &h.sums[at]
	sum.cards, sum.balance, sum.active = sum.cards+1, sum.balance+is.balance, sum.active+is.active
	h.cards[i] = is
}

// sum returns what is on the cards of a group.
func (h *holdings) sum(name string) holdingSum {
	at, ok := h.places[name]
	if !ok {
		return holdingSum{}
	}
	return h.sums[at]
}

// sumOf returns what the cards of a row come to; of none for a merchant.
func (p *Pane) sumOf(r *ledger.Row) holdingSum {
	if p.by == ledger.ByCard {
		c := p.table.listed.card(r.Place)
		return holdingSum{1, c.balance, c.active}
	}
	name, _ := p.Store.Insight.Ledger().Name(p.by, r.Place)
	return p.table.held.sum(name)
}
