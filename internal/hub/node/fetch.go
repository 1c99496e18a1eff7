package node

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/cluster/replica"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/txnlist"
)

// errNotHere is that only the hub that leads can read something.
var errNotHere = errors.New("the hub that leads has not told this")

// do answers what the lanes of a reader ask for. It reads memory only, and there is nothing else that a reader does.
func (m *mirror) do(ctx context.Context, effect kernel.Effect) kernel.Event {
	if _, fetches := effect.(kernel.Fetch); !fetches {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	meta := kernel.Meta{Sent: now, At: now}
	err := errNotHere
	if lane, ok := effect.(kernel.Polled); ok {
		var ev kernel.Event
		ev, err = lane.Run(ctx, kernel.Env{API: calls{m: m}, Over: func(...api.Unread) kernel.Meta { return meta }})
		if err == nil {
			return ev
		}
	}
	return state.FetchFailed{Meta: meta, Effect: effect, Err: err}
}

// calls are those of the API that lanes make, answered by what the hub that leads told. Whoever makes them holds the mirror.
type calls struct {
	api.Calls // nil: no lane makes others

	m *mirror
}

func (c calls) ListCards(_ context.Context, o api.ListCardsOptions) (page api.Page[api.CardItem], err error) {
	page.Data = c.m.cardPage(o.Sort == api.SortLastUsed)
	page.Pagination.Total, page.Pagination.TotalPages = len(c.m.cards), 1
	return page, nil
}

func (c calls) ListChallenges(context.Context, api.ListChallengesOptions) (page api.Page[api.Challenge], err error) {
	page.Data = c.m.challenges()
	return page, nil
}

func (c calls) WalletBalance(context.Context) (api.Wallet, error) {
	if c.m.wallet == nil {
		return api.Wallet{}, errNotHere
	}
	return *c.m.wallet, nil
}

func (c calls) ListDeposits(context.Context, api.ListDepositsOptions) (page api.Page[api.Deposit], err error) {
	page.Data = slices.SortedFunc(maps.Values(c.m.deposits), func(a, b api.Deposit) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return page, nil
}

// ListTransactions returns those since a time, the newest first. When the leader has not told of all of them they are not
// here. Before the first answer the newest are enough.
func (c calls) ListTransactions(_ context.Context, o api.ListTransactionsOptions) (page api.Page[api.Transaction], err error) {
	if !o.From.IsZero() && !c.m.complete(o.From) || o.Page > 1 {
		return page, errNotHere
	}
	for _, t := range c.m.txns {
		if !t.CreatedAt.Before(o.From) {
			page.Data = append(page.Data, t)
		}
	}
	slices.SortFunc(page.Data, func(a, b api.Transaction) int { return txnlist.Compare(b, a) })
	if o.From.IsZero() && len(page.Data) > api.MaxPerPage {
		page.Data, page.Rows = page.Data[:api.MaxPerPage], api.MaxPerPage
	}
	return page, nil
}

// cardPage is the list of cards, or those that changed and were used last.
func (m *mirror) cardPage(hot bool) []api.CardItem {
	if hot {
		return m.hotPage()
	}
	m.fresh = fresh{} // The list has them.
	return slices.SortedFunc(maps.Values(m.cards), func(a, b api.CardItem) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
}

// challenges opens the codes. One that does not open is shown without its code: it is
// read from the hub that leads.
func (m *mirror) challenges() []api.Challenge {
	var items []api.Challenge
	for _, i := range m.codes {
		if c, err := replica.GetCode(m.keys, i); err == nil {
			items = append(items, c)
		}
	}
	slices.SortFunc(items, func(a, b api.Challenge) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return items
}

// complete reports whether all transactions since a time are here.
func (m *mirror) complete(from time.Time) bool {
	a := m.ages.last
	return a.All || !a.Back.IsZero() && !from.Before(a.Back)
}
