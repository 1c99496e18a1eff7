package spending

import (
	"slices"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/pane"
)

// span is what is said of a range.
type span struct {
	name string
	// on is what it is compared with, unread that this was not read; empty where nothing is, and why says so.
	on, unread, why string
	// each is what a bar is of, and over how many of them an average is.
	each string
}

// span is that of the range that is shown.
func (p *Pane) span() span {
	out := span{name: pane.RangeName(p.over), each: lang.N("a day, of %d d")}
	switch p.over {
	case ledger.Today:
		out.on, out.unread, out.each = lang.N("on yesterday by now"), lang.N("yesterday not read"), lang.N("an hour, of %d h")
	case ledger.Last24h:
		out.on, out.unread, out.each = lang.N("on the 24 h before"), lang.N("24 h before not read"), lang.N("an hour, of %d h")
	case ledger.Last7d:
		out.on, out.unread = lang.N("on the 7 d before"), lang.N("7 d before not read")
	case ledger.Last14d:
		out.why = lang.N("only for 24 h and 7 d")
	default:
		out.why = lang.N("nothing older is read")
	}
	return out
}

// way is what rows can be. One and many are what they are called, none is the
// row of those without a name, lost says that none matches a filter.
type way struct {
	by                    ledger.By
	one, many, none, lost string
}

func ways() []way {
	return []way{
		{ledger.ByCampaign, lang.N("campaign"), "campaigns", lang.N("(no campaign)"), lang.N("no campaign matches; esc clears the filter")},
		{ledger.ByBIN, "BIN", "BINs", lang.N("(no BIN)"), lang.N("no BIN matches; esc clears the filter")},
		{ledger.ByMerchant, lang.N("merchant"), "merchants", lang.N("(no name)"), lang.N("no merchant matches; esc clears the filter")},
		{ledger.ByCard, lang.N("card"), "cards", lang.N("(no name)"), lang.N("no card matches; esc clears the filter")},
	}
}

// way is what the rows are.
func (p *Pane) way() way {
	all := ways()
	return all[slices.IndexFunc(all, func(w way) bool { return w.by == p.by })]
}

// count says how many rows there are.
func (w way) count(words *lang.Words, n int) string {
	switch w.by {
	case ledger.ByCampaign:
		return words.Tn(n, "%d campaign", "%d campaigns")
	case ledger.ByBIN:
		return words.Tn(n, "%d BIN", "%d BINs")
	case ledger.ByMerchant:
		return words.Tn(n, "%d merchant", "%d merchants")
	default:
		return words.Tn(n, "%d card", "%d cards")
	}
}

// open asks for the cards of the row under the cursor: the list of them, the card
// itself, or the transactions of a merchant.
func (p *Pane) open() []kernel.Intent {
	r, ok := p.Picked()
	if !ok {
		return nil
	}
	name, _ := p.Store.Insight.Ledger().Name(p.by, r.Place)
	in := pane.ShowList{List: settings.CardList}
	switch {
	case name == "":
		in.Lacks = p.Theme.Words.Tf("no filter finds %s", p.name(&r))
	case p.by == ledger.ByCard:
		return []kernel.Intent{state.InspectCard{Card: api.CardID(name)}}
	case p.by == ledger.ByMerchant:
		in.List, in.Filter = settings.FeedList, pane.Term("merchant", name)
	case p.by == ledger.ByBIN:
		in.Filter = pane.Term("bin", name)
	default:
		in.Filter = pane.Term("campaign", name)
	}
	return []kernel.Intent{in}
}
