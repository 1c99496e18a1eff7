package txns

import (
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/ui/pane"
)

// row is a transaction as the filter asks of it.
type row struct {
	*api.Transaction
	now time.Time
	// card is asked instead of the transaction's, where it is set.
	card *folded
}

// language is what the feed can be filtered by. What is held is filtered here:
// all that is new is read in any case, so that spending adds up. What is older is
// searched by the API as far as it can (search.go).
func (p *Pane) language() query.Language[*row] {
	merchant := func(r *row) string { return p.folds.text(string(r.Merchant.Name)) }
	return query.Transactions[*row]{
		Holds: func(r *row, want *query.Needle) bool {
			return want.In(merchant(r)) || want.In(pane.KindWord(r.Transaction)) ||
				want.In(p.folds.text(string(r.Merchant.Country))) || want.In(p.folds.name(p.store, r.CardID)) ||
				want.InAmount(r.Amount)
		},
		Amount:   func(r *row) (api.USD, bool) { return max(r.Amount, -r.Amount), r.InUSD() },
		Type:     func(r *row) string { return pane.KindWord(r.Transaction) },
		Merchant: merchant,
		Last4:    func(r *row) string { return p.cardOf(r).last4 },
		Label:    func(r *row) string { return p.cardOf(r).label },
		Campaign: func(r *row) string { return p.cardOf(r).campaign },
		Country:  func(r *row) string { return p.folds.text(string(r.Merchant.Country)) },
		MCC:      func(r *row) string { return string(r.Merchant.MCC) },
		Age:      func(r *row) (time.Duration, bool) { return r.now.Sub(r.CreatedAt), true },
	}.Language()
}

func (p *Pane) cardOf(r *row) folded {
	if r.card != nil {
		return *r.card
	}
	return p.folds.of(p.store, r.CardID)
}

// folds keeps lower-case text: the same merchants and cards come again and
// again.
type folds struct {
	texts map[string]string
	cards map[api.CardID]folded
}

// folded is a card in lower case.
type folded struct{ name, label, campaign, last4 string }

// foldedOf leaves out the name, which only words look for.
func foldedOf(s *state.Store, c *cardlist.Card) folded {
	return folded{label: strings.ToLower(string(c.Label)), campaign: strings.ToLower(s.Insight.Campaign(c.ID, c.Label)), last4: string(c.Last4)}
}

// foldsKept bounds the texts that are kept.
const foldsKept = 10_000

func (f *folds) text(s string) string {
	low, ok := f.texts[s]
	if !ok {
		if f.texts == nil || len(f.texts) >= foldsKept {
			f.texts = make(map[string]string)
		}
		low = strings.ToLower(s)
		f.texts[s] = low
	}
	return low
}

func (f *folds) of(s *state.Store, id api.CardID) folded {
	v, ok := f.cards[id]
	if !ok {
		if f.cards == nil {
			f.cards = make(map[api.CardID]folded)
		}
		c, _ := s.Cards.Get(id)
		v = foldedOf(s, &c)
		v.name = strings.ToLower(s.Cards.Name(id))
		f.cards[id] = v
	}
	return v
}

func (f *folds) name(s *state.Store, id api.CardID) string { return f.of(s, id).name }

// forgetCards forgets what cards were called.
func (f *folds) forgetCards() { clear(f.cards) }
