package engine

import (
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"iter"
	"maps"
	"slices"

	"github.com/cardtop/cardtop/api"
)

// Cards yields the pages of a list of cards. No card comes twice because others
// were issued meanwhile.
func (e *Engine) Cards(ctx context.Context, o api.ListCardsOptions) iter.Seq2[[]api.CardItem, error] {
	o.PerPage = api.MaxPerPage
	return pages(func(page int) (api.Page[api.CardItem], bool, error) {
		o.Page = page
		p, err := Read(ctx, e, "cards", func(ctx context.Context, c *api.Client) (api.Page[api.CardItem], error) { return c.ListCards(ctx, o) })
		if e.cfg.Listed != nil {
			e.cfg.Listed(p.Data)
		}
		return p, p.Full() || page < p.Pagination.TotalPages, err
	}, func(c *api.CardItem) string { return string(c.ID) })
}

// Transactions yields the pages of a list of transactions. None comes twice
// because others were made meanwhile.
func (e *Engine) Transactions(ctx context.Context, o api.ListTransactionsOptions) iter.Seq2[[]api.Transaction, error] {
	o.PerPage = api.MaxPerPage
	return pages(func(page int) (api.Page[api.Transaction], bool, error) {
		o.Page = page
		p, err := Read(ctx, e, "transactions", func(ctx context.Context, c *api.Client) (api.Page[api.Transaction], error) {
			return c.ListTransactions(ctx, o)
		})
		return p, p.Full(), err
	}, func(t *api.Transaction) string { return string(t.ID) })
}

// pages yields pages while there are more. A row that comes in at the front
// shifts the others: what an earlier page had is left out. A page that
// is refused after others is past the last.
func pages[T any](read func(page int) (_ api.Page[T], more bool, err error), id func(*T) string) iter.Seq2[[]T, error] {
	return func(yield func([]T, error) bool) {
		seed, seen := maphash.MakeSeed(), make(map[uint64]bool)
		for page := 1; ; page++ {
			p, more, err := read(page)
			items := p.Data
			switch {
			case page > 1 && (errors.Is(err, api.ErrInvalid) || errors.Is(err, api.ErrNotFound)):
				return
			case err != nil:
				yield(nil, err)
				return
			}
			fresh := items[:0]
			for i := range items {
				// The hash of an identifier takes less room than the identifier.
				if name := maphash.String(seed, id(&items[i])); !seen[name] {
					seen[name] = true
					fresh = append(fresh, items[i])
				}
			}
			if !yield(fresh, nil) || !more || p.Rows == 0 {
				return
			}
		}
	}
}

// unreadKept bounds how many items are remembered that could not be read.
const unreadKept = 1000

// addUnread records what of a list could not be read. The engine is locked.
func (e *Engine) addUnread(c api.Call) {
	for _, u := range c.Unread {
		if len(e.unread) < unreadKept {
			e.unread[u] = true
		}
	}
}

// Unread returns the items of lists that could not be read.
func (e *Engine) Unread() []api.Unread {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.SortedFunc(maps.Keys(e.unread), func(a, b api.Unread) int {
		return cmp.Or(cmp.Compare(a.Route, b.Route), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Page, b.Page), cmp.Compare(a.Row, b.Row))
	})
}
