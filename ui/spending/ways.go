package spending

import (
	"slices"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/ui/pane"
)

// span is a range that figures are shown over.
type span struct {
	over ledger.Range
	name string
	// before is what it is compared with; empty where nothing is kept.
	before string
	// each is what a bar is of.
	each string
}

func ranges() []span {
	return []span{
		{ledger.Last24h, "24 h", "24 h before", "an hour"},
		{ledger.Last7d, "7 d", "7 d before", "a day"},
		{ledger.Last14d, "14 d", "", "a day"},
		{ledger.Last30d, "30 d", "", "a day"},
	}
}

// span is the range that is shown.
func (p *Pane) span() span {
	all := ranges()
	return all[slices.IndexFunc(all, func(s span) bool { return s.over == p.over })]
}

// way is what rows can be. One and many are what they are called, none is the
// row of those without a name.
type way struct {
	by              ledger.By
	one, many, none string
}

func ways() []way {
	return []way{
		{ledger.ByCampaign, "campaign", "campaigns", "(no campaign)"},
		{ledger.ByBIN, "BIN", "BINs", "(no BIN)"},
		{ledger.ByMerchant, "merchant", "merchants", "(no name)"},
		{ledger.ByCard, "card", "cards", "(no name)"},
	}
}

// way is what the rows are.
func (p *Pane) way() way {
	all := ways()
	return all[slices.IndexFunc(all, func(w way) bool { return w.by == p.by })]
}

// open asks for the cards of the row under the cursor: the list of them, the card
// itself, or the transactions of a merchant.
func (p *Pane) open() []state.Intent {
	r, ok := p.Picked()
	if !ok {
		return nil
	}
	name, _ := p.Store.Spend.Ledger().Name(p.by, r.Place)
	in := state.ShowList{List: state.CardList}
	switch {
	case name == "":
		in.Lacks = "no filter finds " + p.name(&r)
	case p.by == ledger.ByCard:
		return []state.Intent{state.InspectCard{Card: state.CardID(name)}}
	case p.by == ledger.ByMerchant:
		in.List, in.Filter = state.FeedList, pane.Term("merchant", name)
	case p.by == ledger.ByBIN:
		in.Filter = pane.Term("bin", name)
	default:
		in.Filter = pane.Term("campaign", name)
	}
	return []state.Intent{in}
}
