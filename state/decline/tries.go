package decline

import (
	"cmp"
	"hash/maphash"
	"slices"

	"github.com/cardtop/cardtop/api"
)

// tries are the declines that are looked through for storms, by card and merchant and
// then by time. Most are the only one of theirs, so that a map of lists would take
// ten times the memory. The zero value is empty.
type tries struct {
	seed   maphash.Seed
	seeded bool
	rows   []tryRow
}

// tryRow is a decline. Its shop is the hash of its card and merchant: 64 bits tell
// those of 20,000 declines apart.
type tryRow struct {
	shop uint64
	at   int64 // microseconds since 1970
	id   api.TransactionID
}

func compareTries(a, b tryRow) int {
	return cmp.Or(cmp.Compare(a.shop, b.shop), cmp.Compare(a.at, b.at), cmp.Compare(a.id, b.id))
}

// shop returns what stands for a card and a merchant, in lower case.
func (l *tries) shop(card api.CardID, merchant api.Text) uint64 {
	if !l.seeded {
		l.seed, l.seeded = maphash.MakeSeed(), true
	}
	return maphash.Comparable(l.seed, [2]string{string(card), string(merchant)})
}

// add holds a decline and returns its shop.
func (l *tries) add(t *api.Transaction) uint64 {
	row := tryRow{l.shop(t.CardID, api.Text(fold(t.Merchant.Name))), t.CreatedAt.UnixMicro(), t.ID}
	if at, held := slices.BinarySearchFunc(l.rows, row, compareTries); !held {
		l.rows = slices.Insert(l.rows, at, row)
	}
	return row.shop
}

// of returns the declines of a card and a merchant, oldest first.
func (l *tries) of(shop uint64) []tryRow {
	first, _ := slices.BinarySearchFunc(l.rows, shop, func(r tryRow, shop uint64) int { return cmp.Compare(r.shop, shop) })
	last := first
	for last < len(l.rows) && l.rows[last].shop == shop {
		last++
	}
	return l.rows[first:last]
}

// keepNewest drops all but the n newest.
func (l *tries) keepNewest(n int) {
	if len(l.rows) <= n {
		return
	}
	times := make([]int64, len(l.rows))
	for i, r := range l.rows {
		times[i] = r.at
	}
	slices.Sort(times)
	oldest := times[len(times)-n]
	l.rows = slices.DeleteFunc(l.rows, func(r tryRow) bool { return r.at < oldest })
}
