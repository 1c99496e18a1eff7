package txns

import (
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// seek asks for older transactions: of those that match what the API can look
// for, or of all where it cannot.
func (p *Pane) seek(older []kernel.Intent) []kernel.Intent {
	if len(older) == 0 {
		return nil
	}
	if p.search.On() && p.sought == p.filter.Text() {
		return []kernel.Intent{txns.LoadOlder{Search: p.search}} // All cards need not be looked through again.
	}
	p.searchFor(p.searched())
	return []kernel.Intent{txns.LoadOlder{Search: p.search}}
}

// searchFor notes what the API is asked to look for, of the filter as it is.
func (p *Pane) searchFor(s txns.Search) {
	p.search, p.sought = s, p.filter.Text()
	p.asked = p.query.About(query.AmountField, query.TypeField, query.MerchantField, query.CardField, query.LabelField, query.CampaignField, query.AgeField)
}

// joinRest lists what is found for an export that this list was asked for: the
// filter stays as it is until the rest is read.
func (p *Pane) joinRest() {
	if r := p.store.Past.RestRead(); r.On && r.Card == "" && r.Search.On() && r.Search != p.search {
		p.searchFor(r.Search)
	}
}

// searching reports whether what was found is of this list: the filter may have
// other words since, and become narrower in what was searched for.
func (p *Pane) searching() bool {
	return p.search.On() && p.store.Past.Found().Search == p.search && p.query.Narrows(&p.asked)
}

// leave forgets what was found for another filter.
func (p *Pane) leave() []kernel.Intent {
	if !p.search.On() || p.query.Narrows(&p.asked) {
		return nil
	}
	p.search = txns.Search{}
	return []kernel.Intent{txns.EndSearch{}}
}

// find takes the rows that a search has found, oldest first.
func (p *Pane) find() {
	p.found = nil
	if p.searching() {
		p.found = p.store.Past.Found().Rows
	}
}

// at returns a row by its place in order: a negative one is the number of a found
// row, from 1 on.
func (p *Pane) at(place int) *api.Transaction {
	if place < 0 {
		return &p.found[-place-1]
	}
	return &p.store.Txns.All()[place]
}

// searched is what the API can be asked of the filter, so that all that matches
// is in its answer.
func (p *Pane) searched() txns.Search {
	var s txns.Search
	s.Type = p.kind()
	s.Card = p.only()
	for _, ask := range p.query.Asks() {
		below, above := strings.HasPrefix(ask.Op, "<"), strings.HasPrefix(ask.Op, ">")
		switch ask.Field {
		case query.MerchantField:
			// ASSUMED 13, but letters that are not ASCII's have cases of their own.
			if v := ask.Values; len(v) == 1 && len(v[0]) > len(s.Merchant) && strings.Trim(v[0], ascii) == "" {
				s.Merchant = v[0]
			}
		case query.AmountField:
			// ASSUMED 15: the filter takes amounts without their sign, servers may
			// not. From above both bounds hold, from below those of refunds alone,
			// which are positive (ASSUMED 16).
			if !above && (s.Max == 0 || ask.Amount < s.Max) {
				s.Max = max(0, ask.Amount)
			}
			if !below && s.Type == api.TransactionRefund {
				s.Min = max(s.Min, ask.Amount)
			}
		case query.AgeField:
			if above {
				s.Older = max(s.Older, ask.Age)
			} else if s.Younger == 0 || ask.Age < s.Younger {
				s.Younger = ask.Age
			}
		}
	}
	return s
}

// ascii are the letters that any server compares alike.
const ascii = "abcdefghijklmnopqrstuvwxyz0123456789 !#$%&'()*+,-./:;<=>?@[]^_{|}~"

// kind is the one type of transaction that the filter lets through; empty when
// there are several, or others than the contract's.
func (p *Pane) kind() (kind api.TransactionType) {
	about := p.query.About(query.TypeField)
	passes := func(t api.TransactionType) bool {
		return about.Match(&row{Transaction: &api.Transaction{Type: t}})
	}
	if about.All() || passes("") {
		return ""
	}
	for _, t := range []api.TransactionType{api.TransactionAuthorization, api.TransactionSettlement, api.TransactionRefund, api.TransactionDecline} {
		if passes(t) {
			if kind != "" {
				return ""
			}
			kind = t
		}
	}
	return kind
}

// only is the one card that the filter lets through; empty when there are
// several, or when not all cards are known.
func (p *Pane) only() (card api.CardID) {
	about := p.query.About(query.CardField, query.LabelField, query.CampaignField)
	asked := row{card: &folded{}}
	if src := p.store.Poll.Source(poll.Sweep); about.All() || src.OKAt.IsZero() || src.Cached || about.Match(&asked) {
		return ""
	}
	for _, c := range p.store.Cards.All().All() {
		*asked.card = foldedOf(p.store, &c)
		if about.Match(&asked) {
			if card != "" {
				return ""
			}
			card = c.ID
		}
	}
	return card
}

// searchNote says, for the foot, which rows below the feed's the API has looked
// for, and how far back; less or nothing where it has no room.
func (p *Pane) searchNote(room int) []widget.Span {
	if !p.searching() {
		return nil
	}
	var by []string
	for _, part := range []struct {
		on   bool
		name string
	}{
		{p.search.Type != "", query.TypeField},
		{p.search.Card != "", query.CardField},
		{p.search.Merchant != "", query.MerchantField},
		{p.search.Min != 0 || p.search.Max != 0, query.AmountField},
		{p.search.Older != 0 || p.search.Younger != 0, query.AgeField},
	} {
		if part.on {
			by = append(by, part.name)
		}
	}
	words := p.theme.Words
	text := words.Tf("older results filtered by %s", strings.Join(by, ", "))
	whole := text
	if o := p.store.Past.Found().Older; !o.End {
		whole = words.Tf("older results filtered by %s, back to %s", strings.Join(by, ", "), pane.When(words, o.Back, p.store.ServerNow()))
	}
	for _, note := range []string{whole, text} {
		if note += " · "; widget.Width(note) <= room {
			return []widget.Span{{Style: p.theme.Accent, Text: note}}
		}
	}
	return nil
}
