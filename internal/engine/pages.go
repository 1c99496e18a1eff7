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
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/state/txnlist"
)

// Cards yields the pages of a list of cards. No card comes twice because others
// were issued meanwhile.
func (e *Engine) Cards(ctx context.Context, o api.ListCardsOptions) iter.Seq2[[]api.CardItem, error] {
	o.PerPage = api.MaxPerPage
	l := list[api.CardItem]{id: func(c *api.CardItem) string { return string(c.ID) }, missed: e.addMissed("cards")}
	l.reorders = o.Sort == api.SortBalance || o.Sort == api.SortLastUsed
	l.read = func(page int) (api.Page[api.CardItem], bool, error) {
		o.Page = page
		p, err := Read(ctx, e, "cards", func(ctx context.Context, c *client.Client) (api.Page[api.CardItem], error) {
			return c.ListCards(ctx, o)
		})
		if e.cfg.Listed != nil {
			e.cfg.Listed(p.Data)
		}
		return p, p.Full() || page < p.Pagination.TotalPages, err
	}
	return l.pages()
}

// Transactions yields the pages of a list of transactions, up to the time of the
// first page. None comes twice.
func (e *Engine) Transactions(ctx context.Context, o api.ListTransactionsOptions) iter.Seq2[[]api.Transaction, error] {
	o.PerPage = api.MaxPerPage
	l := list[api.Transaction]{id: func(t *api.Transaction) string { return string(t.ID) }, missed: e.addMissed("transactions")}
	pinned := false
	l.read = func(page int) (api.Page[api.Transaction], bool, error) {
		o.Page = page
		p, err := Read(ctx, e, "transactions", func(ctx context.Context, c *client.Client) (api.Page[api.Transaction], error) {
			return c.ListTransactions(ctx, o)
		})
		if err == nil && !pinned {
			o.To, pinned = txnlist.Pin(o.To, p.Data, e.ServerNow()), true
		}
		return p, p.Full(), err
	}
	return l.pages()
}

// listPasses bounds how often a list is read that changes so that items are missed.
const listPasses = 3

// list is a list of the API that is read in pages.
type list[T any] struct {
	read func(page int) (_ api.Page[T], more bool, err error)
	id   func(*T) string
	// reorders reports whether a row may move from one place to another.
	reorders bool
	// missed records that items may not have been read.
	missed func()
}

// pages yields pages while there are more. Rows that come in at the front shift the
// others: what an earlier page had is left out. Rows that leave the list, or move in it,
// shift others past the reader: then it is read again, until nothing new is in it.
func (l list[T]) pages() iter.Seq2[[]T, error] {
	return func(yield func([]T, error) bool) {
		r := reading[T]{list: l, seed: maphash.MakeSeed(), seen: make(map[uint64]struct{})}
		for pass := 1; ; pass++ {
			had := len(r.seen)
			if !r.pass(yield) {
				return
			}
			switch {
			case r.cut:
				l.missed()
				return
			case pass == 1 && !r.moved, pass > 1 && len(r.seen) == had:
				return
			case pass == listPasses:
				l.missed()
				return
			}
		}
	}
}

// reading is one reading of a list.
type reading[T any] struct {
	list[T]
	seed maphash.Seed
	// seen are the hashes of the identifiers that were read: they take less room than the
	// identifiers, 35 MiB for a million.
	seen     map[uint64]struct{}
	nameless int // rows of this pass that have no identifier
	total    int // as the last page counts
	// moved reports whether rows were shifted past the reader, cut whether the API
	// refused to go on before all were read that it counts.
	moved, cut bool
}

// pass reads the list from its first page to its last. It returns false when nothing more
// is wanted.
func (r *reading[T]) pass(yield func([]T, error) bool) bool {
	r.nameless, r.total = 0, 0
	for page := 1; ; page++ {
		p, more, err := r.read(page)
		switch {
		case page > 1 && (errors.Is(err, api.ErrInvalid) || errors.Is(err, api.ErrNotFound)):
			r.cut = r.total > len(r.seen)+r.nameless
			return true
		case err != nil:
			yield(nil, err)
			return false
		}
		// Nothing tells whether a list of several pages moved when a page does not say how many there are.
		r.moved = r.moved || p.Uncounted() && (more || page > 1)
		if !yield(r.fresh(p), nil) {
			return false
		}
		if !more || p.Rows == 0 {
			return true
		}
	}
}

// fresh returns the items of a page that none had before. It changes the page.
func (r *reading[T]) fresh(p api.Page[T]) []T {
	if !p.Uncounted() {
		r.moved = r.moved || p.Pagination.Total < r.total
		r.total = p.Pagination.Total
	}
	fresh := p.Data[:0]
	for i := range p.Data {
		if r.add(r.id(&p.Data[i])) {
			fresh = append(fresh, p.Data[i])
		}
	}
	r.moved = r.moved || r.reorders && len(fresh) < len(p.Data)
	for _, u := range p.Unread {
		if u.ID == "" {
			r.nameless++
		} else {
			r.add(string(u.ID))
		}
	}
	return fresh
}

// add reports whether an identifier is new.
func (r *reading[T]) add(id string) bool {
	had := len(r.seen)
	r.seen[maphash.String(r.seed, id)] = struct{}{}
	return len(r.seen) > had
}

// addMissed returns what records that items of a list may have been missed.
func (e *Engine) addMissed(list string) func() {
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if !slices.Contains(e.missed, list) {
			e.missed = append(e.missed, list)
		}
	}
}

// Missed returns the names of lists of which items may not have been read, because the
// lists changed meanwhile or the API did not list them to their end.
func (e *Engine) Missed() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.missed)
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
