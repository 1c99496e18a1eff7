package state

import (
	"slices"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/txlink"
)

// Related is a transaction that another most likely belongs with.
type Related = txlink.Related

const (
	// linkReach is how many rows of the feed are looked through before and after
	// a transaction, linkAmong how many of the card's are paired.
	linkReach = 20_000
	linkAmong = 2000
)

// Linked gives what a transaction belongs with, oldest first: the hold, the
// settlement that took its place and the refund of that, but for itself. It
// looks through what is held around it, so it is for one transaction at a time,
// of which the answer is kept. The slice is the store's own.
func (inf *InfoTable) Linked(t Transaction) []Related {
	if l := &inf.txns.links; !l.known || !sameTransaction(l.of, t) {
		*l = links{known: true, of: t, found: inf.link(t)}
	}
	return inf.txns.links.found
}

// links is what one transaction belongs with, as long as no rows or steps are
// read and no other card is looked at.
type links struct {
	known bool
	of    Transaction
	found []Related
}

func (inf *InfoTable) link(t Transaction) []Related {
	return txlink.Link(t, inf.nearby(t), inf.txns.detail.read[t.ID].Timeline)
}

// nearby are the transactions of a card that are held about the time of one,
// oldest first.
func (inf *InfoTable) nearby(t Transaction) []api.Transaction {
	from, to := t.CreatedAt.Add(-txlink.Within), t.CreatedAt.Add(txlink.Within)
	own := func(r *api.Transaction) bool {
		return r.CardID == t.CardID && !r.CreatedAt.Before(from) && !r.CreatedAt.After(to)
	}
	fed, at := inf.txns.feed.rows(), before(inf.txns.feed.rows(), t)
	var rows []api.Transaction
	for i := max(0, at-linkReach); i < min(len(fed), at+linkReach); i++ {
		if own(&fed[i]) {
			rows = append(rows, fed[i])
		}
	}
	slices.Reverse(rows)
	more := []api.Transaction{t}
	if inf.inspector.card == t.CardID {
		for i := range inf.inspector.txns {
			if r := &inf.inspector.txns[i]; own(r) && r.ID != t.ID {
				more = append(more, *r)
			}
		}
	}
	rows = withRows(newestFirst(more), rows)
	slices.Reverse(rows)
	if extra := len(rows) - linkAmong; extra > 0 {
		first := max(0, min(before(rows, t)-linkAmong/2, extra))
		rows = rows[first : first+linkAmong]
	}
	return rows
}

// followLink goes to the next of those that the transaction belongs with, from
// the last back to the first.
func (s *Store) followLink() (Topic, []Effect) {
	next, ok := s.nextLink()
	if !ok {
		return 0, nil
	}
	return s.lookAt(InspectTransaction{Transaction: next, Among: s.Txns.detail.among})
}

func (s *Store) nextLink() (api.TransactionID, bool) {
	d := s.Detailed()
	if !d.Known {
		return "", false
	}
	links := s.Info.Linked(d.Row)
	for _, l := range links {
		if !transactionBefore(l.Row, d.Row) {
			return l.Row.ID, true
		}
	}
	if len(links) == 0 {
		return "", false
	}
	return links[0].Row.ID, true
}
