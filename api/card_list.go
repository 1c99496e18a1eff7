package api

import (
	"context"
	"iter"
	"net/url"
)

// CardSort is what a list of cards is sorted by.
type CardSort string

// The sorts of a list of cards.
const (
	SortCreatedAt CardSort = "created_at"
	SortBalance   CardSort = "balance"
	SortLastUsed  CardSort = "last_used"
)

// Order is the direction of a sort.
type Order string

// The directions.
const (
	Ascending  Order = "asc"
	Descending Order = "desc"
)

// ListCardsOptions narrows and sorts a list of cards; the zero value asks for
// all, newest first, 25 a page.
type ListCardsOptions struct {
	Status        CardStatus
	BIN           BINID
	Label         string // part of the label
	Sort          CardSort
	Order         Order
	Page, PerPage int // PerPage is at most 100
}

func (o ListCardsOptions) query() (url.Values, error) {
	q := url.Values{}
	set(q, "status", o.Status)
	set(q, "bin_id", o.BIN)
	set(q, "label", o.Label)
	set(q, "sort", o.Sort)
	set(q, "order", o.Order)
	return q, firstError(
		oneOf("status", o.Status, CardActive, CardFrozen, CardTerminated),
		oneOf("sort", o.Sort, SortCreatedAt, SortBalance, SortLastUsed),
		oneOf("order", o.Order, Ascending, Descending),
		setPage(q, o.Page, o.PerPage),
	)
}

// ListCards asks for one page of cards.
func (c *Client) ListCards(ctx context.Context, o ListCardsOptions) (Page[CardItem], error) {
	q, err := o.query()
	if err != nil {
		return Page[CardItem]{}, err
	}
	return get[Page[CardItem]](ctx, c, request{route: "/cards", path: "/cards", query: q})
}

// Cards iterates over all pages, from the one in the options. It ends after
// the first error.
func (c *Client) Cards(ctx context.Context, o ListCardsOptions) iter.Seq2[CardItem, error] {
	const perPage = 25 // the contract's default
	if o.PerPage == 0 {
		o.PerPage = perPage
	}
	return pages(o.Page, o.PerPage, func(page int) (Page[CardItem], error) {
		o.Page = page
		return c.ListCards(ctx, o)
	})
}

// GetCard asks for one card, without its secrets.
func (c *Client) GetCard(ctx context.Context, id CardID) (CardSummary, error) {
	s, err := segment("card", id)
	if err != nil {
		return CardSummary{}, err
	}
	return get[CardSummary](ctx, c, request{route: "/cards/{card_id}", path: "/cards/" + s})
}
