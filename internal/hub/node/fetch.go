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
	"github.com/cardtop/cardtop/state/poll"
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

// fresh are the cards that changed since a page told of them. Each is told of by two
// pages: one may come too late to count.
type fresh struct{ first, again map[api.CardID]bool }

func (f *fresh) add(id api.CardID) {
	if f.first == nil {
		f.first = make(map[api.CardID]bool)
	}
	f.first[id] = true
}

// page returns the cards that a page has to tell of.
func (f *fresh) page() []api.CardID {
	var ids []api.CardID
	for id := range f.first {
		ids = append(ids, id)
	}
	for id := range f.again {
		if !f.first[id] {
			ids = append(ids, id)
		}
	}
	f.first, f.again = nil, f.first
	slices.Sort(ids)
	return ids
}

// hotPage is the cards that changed, and those used last.
func (m *mirror) hotPage() []api.CardItem {
	changed := m.fresh.page()
	ids := changed
	for _, id := range m.hottest() {
		if _, found := slices.BinarySearch(changed, id); !found {
			ids = append(ids, id)
		}
	}
	items := make([]api.CardItem, 0, len(ids))
	for _, id := range ids {
		if c, ok := m.cards[id]; ok {
			items = append(items, c)
		}
	}
	return items
}

// hottest returns the cards used last, as many as a page of the API has.
func (m *mirror) hottest() []api.CardID {
	const most = api.MaxPerPage
	ids := make([]api.CardID, 0, 2*most)
	least := time.Time{} // No card that was used before is one of them.
	newest := func() {
		slices.SortFunc(ids, func(a, b api.CardID) int {
			return cmp.Or(m.used[b].Compare(m.used[a]), cmp.Compare(a, b))
		})
		if ids = ids[:min(len(ids), most)]; len(ids) == most {
			least = m.used[ids[most-1]]
		}
	}
	for id, at := range m.used {
		if at.Before(least) {
			continue
		}
		if ids = append(ids, id); len(ids) == cap(ids) {
			newest()
		}
	}
	newest()
	return ids
}

// ageing says how old it is what a leader has read. The wall clocks of two machines may
// differ by any amount. So the leader's time is followed by when its messages arrive:
// the one that was least delayed tells how the two clocks stand to each other. Messages
// that came at once, after a gap, were sent earlier: until two have come as far apart
// as they were sent, the wall clocks have to do.
type ageing struct {
	clock func() time.Duration // monotonic
	now   func() time.Time

	last    replica.Ages
	arrived time.Duration
	// offset is what the leader's time is behind this hub's clock, with the delay of the
	// message that came soonest.
	offset time.Duration
	live   bool
}

// between is how far apart two messages have to be sent to say that they came live.
const between = 500 * time.Millisecond

// told takes what the leader says.
func (a *ageing) told(t replica.Ages) {
	at := a.clock()
	offset := at - t.Up
	if t.Leader != a.last.Leader || t.Up < a.last.Up {
		a.live, a.offset = false, offset
	} else {
		sent := t.Up - a.last.Up
		a.live = a.live || sent >= between && at-a.arrived >= sent/2
		a.offset = min(a.offset, offset)
	}
	a.last, a.arrived = t, at
}

// of is how old what a lane of the leader read is.
func (a *ageing) of(lane poll.Lane) time.Duration {
	since := a.now().Sub(a.last.At)
	if a.live {
		since = a.clock() - a.offset - a.last.Up
	}
	return max(0, since) + a.last.Lanes[laneName(lane)]
}

// age is how old what a lane of the leader read is.
func (m *mirror) age(lane poll.Lane) time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.ages.of(lane)
}

// lanes are those whose ages are told.
func lanes() []poll.Lane {
	return []poll.Lane{poll.Codes, poll.Wallet, poll.Feed, poll.Hot, poll.Sweep, poll.Deposits}
}

// laneName names a lane between hubs.
func laneName(lane poll.Lane) string {
	switch lane {
	case poll.Codes:
		return "codes"
	case poll.Wallet:
		return "wallet"
	case poll.Feed:
		return "feed"
	case poll.Hot:
		return "hot"
	case poll.Sweep:
		return "sweep"
	default:
		return "deposits"
	}
}
