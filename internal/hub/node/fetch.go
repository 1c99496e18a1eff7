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
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/txnlist"
)

// errNotHere is that only the hub that leads can read something.
var errNotHere = errors.New("the hub that leads has not told this")

// do answers what the lanes of a reader ask for. It reads memory only.
func (m *mirror) do(_ context.Context, effect kernel.Effect) kernel.Event {
	if _, fetches := effect.(kernel.Fetch); !fetches {
		return nil // There is nothing else that a reader does.
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	meta := kernel.Meta{Sent: now, At: now}
	switch f := effect.(type) {
	case state.FetchCards:
		items := m.cardPage(f.Hot)
		return state.CardsLoaded{FetchCards: f, Meta: meta, Items: items, Total: len(m.cards), TotalPages: 1}
	case codes.Fetch:
		return codes.Loaded{Fetch: f, Meta: meta, Items: m.challenges()}
	case state.FetchWallet:
		if m.wallet != nil {
			return state.WalletLoaded{FetchWallet: f, Meta: meta, Wallet: *m.wallet}
		}
	case state.FetchDeposits:
		items := slices.SortedFunc(maps.Values(m.deposits), func(a, b api.Deposit) int {
			return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(a.ID, b.ID))
		})
		return state.DepositsLoaded{FetchDeposits: f, Meta: meta, Items: items}
	case state.FetchTransactions:
		if items, more, ok := m.since(f); ok {
			return state.TransactionsLoaded{FetchTransactions: f, Meta: meta, Items: items, More: more}
		}
	default:
	}
	return state.FetchFailed{Meta: meta, Effect: effect, Err: errNotHere}
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

// since returns the transactions since a time, the newest first; false when the leader
// has not told of all of them. Before the first answer the newest are enough.
func (m *mirror) since(f state.FetchTransactions) (items []api.Transaction, more, ok bool) {
	if !f.From.IsZero() && !m.complete(f.From) || f.Page > 1 {
		return nil, false, false
	}
	for _, t := range m.txns {
		if !t.CreatedAt.Before(f.From) {
			items = append(items, t)
		}
	}
	slices.SortFunc(items, func(a, b api.Transaction) int { return txnlist.Compare(b, a) })
	if f.From.IsZero() && len(items) > api.MaxPerPage {
		return items[:api.MaxPerPage], true, true
	}
	return items, false, true
}

// complete reports whether all transactions since a time are here.
func (m *mirror) complete(from time.Time) bool {
	a := m.ages.last
	return a.All || !a.Back.IsZero() && !from.Before(a.Back)
}
