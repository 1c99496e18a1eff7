package txns

import (
	"fmt"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/state/campaign"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/rows"
)

// subject is a transaction as a filter asks of it.
type subject struct {
	rows.Transaction
	now time.Time
	// rule tells the campaign from the label.
	rule campaign.Rule
}

// language is what transactions are filtered by.
func language() query.Language[*subject] {
	kind := func(s *subject) string { return query.KindWord(s.Type) }
	merchant := func(s *subject) string { return low(s.Merchant.Name) }
	return query.Transactions[*subject]{
		Holds: func(s *subject, want *query.Needle) bool {
			return want.In(merchant(s)) || want.In(kind(s)) || want.In(low(s.Merchant.Country)) ||
				want.In(strings.ToLower(cardlist.Name(s.Transaction.Label, s.Transaction.Last4))) || want.InAmount(s.Transaction.Amount)
		},
		Amount:   func(s *subject) (api.USD, bool) { return max(s.Transaction.Amount, -s.Transaction.Amount), s.InUSD() },
		Type:     kind,
		Merchant: merchant,
		Last4:    func(s *subject) string { return string(s.Transaction.Last4) },
		Label:    func(s *subject) string { return low(s.Transaction.Label) },
		Campaign: func(s *subject) string { return strings.ToLower(s.rule.Of(s.Transaction.Label, nil)) },
		Country:  func(s *subject) string { return low(s.Merchant.Country) },
		MCC:      func(s *subject) string { return string(s.Merchant.MCC) },
		Age:      func(s *subject) (time.Duration, bool) { return s.now.Sub(s.CreatedAt), true },
	}.Language()
}

func low[T ~string](text T) string { return strings.ToLower(string(text)) }

// parse reads a filter.
func parse(text string) (query.Query[*subject], error) {
	l := language()
	q, err := l.Parse(text)
	if err != nil {
		return q, app.Usage(fmt.Errorf("filter: %w", err))
	}
	if hint := q.Hint(); hint != "" {
		return q, app.Usage(fmt.Errorf("filter: a term is not complete: %s", hint))
	}
	return q, nil
}

// Suggest returns what a filter may go on as; values are those of the fields.
func Suggest(text string, values func(field string) []string) []query.Suggestion {
	l := language()
	return l.Suggest(text, values)
}

// skew is how far the clocks of this machine and the API may differ for a term
// of an age to be asked of the API.
const skew = 15 * time.Minute

// narrowed adds to what the API is asked for what it can tell of a filter, so
// that all that matches is in its answer.
func narrowed(o api.ListTransactionsOptions, q *query.Query[*subject], now time.Time) api.ListTransactionsOptions {
	for _, ask := range q.Asks() {
		if ask.Field != query.AgeField {
			continue
		}
		at := now.Add(-ask.Age)
		if ask.Op[0] == '<' && at.Add(-skew).After(o.From) {
			o.From = at.Add(-skew)
		}
		if to := at.Add(skew); ask.Op[0] == '>' && to.Before(now) && (o.To.IsZero() || to.Before(o.To)) {
			o.To = to
		}
	}
	if o.Type == "" {
		o.Type = kindOf(q)
	}
	return o
}

// kindOf returns the one type of transaction that a filter lets through; empty when
// there are several, or others than the contract's.
func kindOf(q *query.Query[*subject]) (kind api.TransactionType) {
	about := q.About(query.TypeField)
	passes := func(t api.TransactionType) bool {
		return about.Match(&subject{Transaction: rows.Transaction{Transaction: api.Transaction{Type: t}}})
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
