package engine

import (
	"context"
	"errors"
	"iter"

	"github.com/cardtop/cardtop/api"
)

// Cards yields the pages of a list of cards. No card comes twice because others
// were issued meanwhile.
func (e *Engine) Cards(ctx context.Context, o api.ListCardsOptions) iter.Seq2[[]api.CardItem, error] {
	o.PerPage = api.MaxPerPage
	return pages(func(page int) ([]api.CardItem, bool, error) {
		o.Page = page
		p, err := Read(ctx, e, "cards", func(ctx context.Context, c *api.Client) (api.Page[api.CardItem], error) { return c.ListCards(ctx, o) })
		if e.cfg.Listed != nil {
			e.cfg.Listed(p.Data)
		}
		return p.Data, len(p.Data) == api.MaxPerPage || page < p.Pagination.TotalPages, err
	}, func(c *api.CardItem) string { return string(c.ID) })
}

// Transactions yields the pages of a list of transactions. None comes twice
// because others were made meanwhile.
func (e *Engine) Transactions(ctx context.Context, o api.ListTransactionsOptions) iter.Seq2[[]api.Transaction, error] {
	o.PerPage = api.MaxPerPage
	return pages(func(page int) ([]api.Transaction, bool, error) {
		o.Page = page
		p, err := Read(ctx, e, "transactions", func(ctx context.Context, c *api.Client) (api.Page[api.Transaction], error) {
			return c.ListTransactions(ctx, o)
		})
		return p.Data, len(p.Data) == api.MaxPerPage, err
	}, func(t *api.Transaction) string { return string(t.ID) })
}

// pages yields pages while there are more. A row that comes in at the front
// shifts the others: what the pages before held already is left out. A page that
// is refused after others is past the last.
func pages[T any](read func(page int) (items []T, more bool, err error), id func(*T) string) iter.Seq2[[]T, error] {
	return func(yield func([]T, error) bool) {
		var before, last map[string]bool
		for page := 1; ; page++ {
			items, more, err := read(page)
			switch {
			case page > 1 && (errors.Is(err, api.ErrInvalid) || errors.Is(err, api.ErrNotFound)):
				return
			case err != nil:
				yield(nil, err)
				return
			}
			seen := make(map[string]bool, len(items))
			fresh := items[:0]
			for i := range items {
				name := id(&items[i])
				if seen[name] = true; !before[name] && !last[name] {
					fresh = append(fresh, items[i])
				}
			}
			before, last = last, seen
			if !yield(fresh, nil) || !more || len(items) == 0 {
				return
			}
		}
	}
}
