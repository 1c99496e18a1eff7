package node

import (
	"cmp"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
)

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
