package sandbox

import (
	"slices"
	"sort"
	"strings"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// txnFilter says which transactions are listed, whenever they were.
type txnFilter struct {
	card        int64
	kind        sim.TxnType
	merchant    string // anywhere in the name (ASSUMED 13)
	least, most unit.Cents
}

// all is the filter that everything matches.
func all() txnFilter { return txnFilter{least: -unit.MaxCents, most: unit.MaxCents} }

type txnPage struct {
	Data       []transaction `json:"data"`
	Pagination struct {
		Page  int64 `json:"page"`
		Size  int64 `json:"per_page"`
		Total int64 `json:"total"`
	} `json:"pagination"`
}

func listTransactions(s *Server, req *request) (any, error) {
	q, err := wire.ParseQuery(req.query)
	if err != nil {
		return nil, err
	}
	list := txnPage{Data: []transaction{}}
	p := q.Page(50)
	first, last := s.span(q)
	f, some := s.txnFilter(q)
	if q.Err != nil {
		return nil, q.Err
	}
	list.Pagination.Page, list.Pagination.Size = p.Number, p.Size
	if !some {
		return list, nil
	}
	total, row := last-first+1, func(i int64) int64 { return first + i }
	if f != all() {
		found := from(s.matchTxns(f), first)
		found = found[:len(found)-len(from(found, last+1))]
		total, row = int64(len(found)), func(i int64) int64 { return int64(found[i]) }
	}
	list.Pagination.Total = total
	// Newest first (ASSUMED 14).
	for i := p.Offset(); i < min(p.Offset()+p.Size, total); i++ {
		list.Data = append(list.Data, s.transactionBody(s.txnAt(row(total-1-i))))
	}
	return list, nil
}

// span returns the first and the last row of the time that a query asks for. Rows are in the
// order of time.
func (s *Server) span(q *wire.Query) (first, last int64) {
	since, _ := q.From("from")
	until, bounded := q.To("to")
	if !bounded {
		until = unit.Forever
	}
	list := s.txns.Rows()
	before := sort.Search(len(list), func(i int) bool { return list[i].at >= since })
	upTo := sort.Search(len(list), func(i int) bool { return list[i].at > until })
	return int64(before) + 1, int64(max(before, upTo))
}

// txnFilter returns the filter of a query. some is false when nothing can match.
func (s *Server) txnFilter(q *wire.Query) (f txnFilter, some bool) {
	f = all()
	f.kind = sim.TxnTypeOf(q.Choice("type", "", "authorization", "settlement", "refund", "decline"))
	if least, bounded := q.Least("min_amount"); bounded {
		f.least = least
	}
	if most, bounded := q.Most("max_amount"); bounded {
		f.most = most
	}
	f.merchant = fold(q.Text("merchant"))
	if id := q.Text("card_id"); id != "" {
		if f.card, some = s.world.Seq(cardPrefix, id); !some {
			return f, false
		}
	}
	return f, true
}

// matchTxns returns the rows of the transactions that match a filter, the oldest first.
func (s *Server) matchTxns(f txnFilter) []int32 {
	ofCard := all()
	if ofCard.card = f.card; f == ofCard {
		return s.txnsOfCard(f.card)
	}
	return s.txnsLike.Of(f, s.txns.Len(), func(found []int32, after int64) []int32 {
		rows, named := s.txns.Rows(), s.merchantsNamed(f.merchant)
		fits := func(t *txn) bool {
			return (f.kind == 0 || f.kind == sim.TxnType(t.kind)) && t.amount >= f.least && t.amount <= f.most && named[t.merchant-1]
		}
		if f.card != 0 {
			for _, seq := range from(s.txnsOfCard(f.card), after+1) {
				if fits(&rows[seq-1]) {
					found = append(found, seq)
				}
			}
			return found
		}
		for i := int(after); i < len(rows); i++ {
			if fits(&rows[i]) {
				found = append(found, int32(i+1))
			}
		}
		return found
	})
}

// merchantsNamed reports of each merchant whether a text is anywhere in its name.
func (s *Server) merchantsNamed(text string) []bool {
	fits := make([]bool, s.merchants.Len())
	for i, m := range s.merchants.Rows() {
		fits[i] = strings.Contains(fold(m.Name), text)
	}
	return fits
}

// from returns the rows from one on.
func from(rows []int32, first int64) []int32 {
	i, _ := slices.BinarySearch(rows, int32(first))
	return rows[i:]
}
