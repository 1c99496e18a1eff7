package state

import (
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
)

// The contract names no parent of a transaction: which settlement took the
// place of which hold, and what a refund gives back, is told by card, merchant,
// amount and time. That is a guess and called one, but for a transaction whose
// own steps tell the times of the others.

const (
	// linkWithin is how long after a hold its settlement may come, and after a
	// settlement its refund.
	linkWithin = 10 * 24 * time.Hour
	// linkNear is what part of an amount another may differ by that is perhaps
	// still the same purchase: one fifth, as with a tip.
	linkNear = 5
	// linkReach is how many rows of the feed are looked through before and after
	// a transaction, linkAmong how many of the card's are paired.
	linkReach = 20_000
	linkAmong = 2000
	// linkOpen is how many rows of a merchant that none of the same amount came
	// for are compared with a later one, the latest.
	linkOpen = 200
)

// Related is a transaction that another most likely belongs with.
type Related struct {
	Row Transaction
	// Told says that the steps of the transaction tell it: it is no guess.
	Told bool
	// Same says that the amounts are the same.
	Same bool
	// Of is how many it could be as well, itself counted.
	Of int
}

// tie is where in the rows a partner is; the zero value is none.
type tie struct {
	ok   bool
	at   int
	same bool
	of   int
}

// ties are the partners of rows: of each settlement and refund the row before,
// of each hold and settlement the row after. No row is the partner of two.
type ties struct{ before, after []tie }

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
	rows := inf.nearby(t)
	told, doubt := inf.stepped(t, rows)
	if len(told) > 0 && len(doubt) == 0 {
		return told
	}
	at := slices.IndexFunc(rows, func(r api.Transaction) bool { return r.ID == t.ID })
	if at < 0 {
		return nil
	}
	found := tied(rows)
	var out []Related
	follow := func(way []tie) {
		sure := tie{same: true, of: 1}
		for i := at; way[i].ok; i = way[i].at {
			// What is linked over another is no surer than that.
			r := rows[way[i].at]
			sure.same, sure.of = sure.same && way[i].same, max(sure.of, way[i].of, doubt[r.ID])
			out = append(out, Related{Row: r, Same: sure.same, Of: sure.of})
		}
	}
	follow(found.before)
	slices.Reverse(out)
	follow(found.after)
	return out
}

// nearby are the transactions of a card that are held about the time of one,
// oldest first.
func (inf *InfoTable) nearby(t Transaction) []api.Transaction {
	from, to := t.CreatedAt.Add(-linkWithin), t.CreatedAt.Add(linkWithin)
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

// stepped gives the rows that the steps of a transaction are about (ASSUMED
// 27): those of its card and merchant that were made at their times. Processors
// settle many purchases at one time: of several rows a step is about the one of
// the same amount. Where that is not one either, doubt holds each that it could
// be, and how many they are.
func (inf *InfoTable) stepped(t Transaction, rows []api.Transaction) (told []Related, doubt map[api.TransactionID]int) {
	full, ok := inf.txns.detail.read[t.ID]
	if !ok {
		return nil, nil
	}
	var sure []int
	own := false
	for _, step := range full.Timeline {
		if !own && step.At.Equal(t.CreatedAt) {
			own = true // This step is about the transaction itself.
			continue
		}
		could := madeAt(step.At, t, rows)
		switch len(could) {
		case 0:
		case 1:
			sure = append(sure, could[0])
		default:
			if doubt == nil {
				doubt = make(map[api.TransactionID]int)
			}
			for _, i := range could {
				doubt[rows[i].ID] = len(could)
			}
		}
	}
	slices.Sort(sure)
	for _, i := range slices.Compact(sure) {
		told = append(told, Related{Row: rows[i], Told: true, Same: size(&rows[i]) == size(&t), Of: 1})
	}
	return told, doubt
}

// madeAt gives the places of the rows of another kind that were made for a
// transaction at a time: of several those of its amount, if there are any.
func madeAt(at time.Time, t Transaction, rows []api.Transaction) []int {
	var all, same []int
	for i := range rows {
		r := &rows[i]
		if !r.CreatedAt.Equal(at) || r.Type == t.Type || r.Type == api.TransactionDecline || merchantKey(r) != merchantKey(&t) {
			continue
		}
		if all = append(all, i); size(r) == size(&t) {
			same = append(same, i)
		}
	}
	if len(same) > 0 {
		return same
	}
	return all
}

// tied pairs the rows of one card, which are oldest first: first those of the
// same amount, then those that come near.
func tied(rows []api.Transaction) ties {
	t := ties{make([]tie, len(rows)), make([]tie, len(rows))}
	for _, step := range [...][2]api.TransactionType{
		{api.TransactionAuthorization, api.TransactionSettlement}, {api.TransactionSettlement, api.TransactionRefund},
	} {
		t.pairSame(rows, step[0], step[1])
		t.pairNear(rows, step[0], step[1])
	}
	return t
}

// purchases are rows that may each be the one that a later row is about. most
// is how many they were since there was none: who is taken last was in doubt
// as well.
type purchases struct {
	rows []int
	most int
}

// pairSame pairs rows of one merchant and amount in the order of time.
func (t *ties) pairSame(rows []api.Transaction, from, to api.TransactionType) {
	type name struct {
		merchant string
		amount   api.USD
	}
	open := make(map[name]*purchases)
	for i := range rows {
		r := &rows[i]
		if merchantKey(r) == "" || r.Type != from && r.Type != to {
			continue
		}
		key := name{merchantKey(r), size(r)}
		p := open[key]
		if p == nil {
			p = &purchases{}
			open[key] = p
		}
		for len(p.rows) > 0 && r.CreatedAt.Sub(rows[p.rows[0]].CreatedAt) > linkWithin {
			p.rows = p.rows[1:]
		}
		if len(p.rows) == 0 {
			p.most = 0
		}
		if r.Type == from {
			p.rows = append(p.rows, i)
			p.most = max(p.most, len(p.rows))
			continue
		}
		if len(p.rows) > 0 {
			t.tie(p.rows[0], i, true, p.most)
			p.rows = p.rows[1:]
		}
	}
}

// pairNear pairs what is left, each with the nearest amount of its merchant
// among the latest.
func (t *ties) pairNear(rows []api.Transaction, from, to api.TransactionType) {
	left := make(map[string][]int)
	for i := range rows {
		r := &rows[i]
		key := merchantKey(r)
		switch {
		case key == "":
		case r.Type == from && !t.after[i].ok:
			if left[key] = append(left[key], i); len(left[key]) > linkOpen {
				left[key] = left[key][1:]
			}
		case r.Type == to && !t.before[i].ok:
			open, best, of := left[key], -1, 0
			for n, at := range open {
				h := &rows[at]
				if !near(h, r) || r.CreatedAt.Sub(h.CreatedAt) > linkWithin {
					continue
				}
				if of++; best < 0 || apart(h, r) < apart(&rows[open[best]], r) {
					best = n
				}
			}
			if best >= 0 {
				t.tie(open[best], i, false, of)
				left[key] = slices.Delete(open, best, best+1)
			}
		}
	}
}

func (t *ties) tie(earlier, later int, same bool, of int) {
	t.after[earlier], t.before[later] = tie{true, later, same, of}, tie{true, earlier, same, of}
}

func near(a, b *api.Transaction) bool { return apart(a, b)*linkNear <= max(size(a), size(b)) }

// apart is how much two amounts differ by, USD.
func apart(a, b *api.Transaction) api.USD {
	d := size(a) - size(b)
	return max(d, -d)
}

// size is an amount without its sign, USD: a settlement is negative where the
// hold before it is not (ASSUMED 16).
func size(t *api.Transaction) api.USD { return max(t.Amount, -t.Amount) }

func merchantKey(t *api.Transaction) string { return strings.ToLower(string(t.Merchant.Name)) }

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
