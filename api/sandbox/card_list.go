package sandbox

import (
	"iter"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// cardItem is the contract's Card list item.
type cardItem struct {
	cardHead
	Label   string       `json:"label"`
	Created unit.Instant `json:"created_at"`
}

type cardPage struct {
	Data       []cardItem `json:"data"`
	Pagination struct {
		Page  int64 `json:"page"`
		Size  int64 `json:"per_page"`
		Total int64 `json:"total"`
		Pages int64 `json:"total_pages"`
	} `json:"pagination"`
}

// cardFilter says which cards are listed.
type cardFilter struct {
	status, bin, label string
}

func (f cardFilter) matches(k *sim.Card) bool {
	return (f.status == "" || k.Status == f.status) && (f.bin == "" || k.BIN == f.bin) &&
		(f.label == "" || strings.Contains(fold(k.Label), f.label))
}

func listCards(s *Server, req *request) (any, error) {
	q, err := wire.ParseQuery(req.query)
	if err != nil {
		return nil, err
	}
	p := q.Page(25)
	f := cardFilter{
		status: q.Choice("status", "", sim.CardActive, sim.CardFrozen, sim.CardTerminated), bin: q.Text("bin_id"),
		label: fold(q.Text("label")),
	}
	sort := q.Choice("sort", "created_at", "balance", "last_used")
	ascending := q.Choice("order", "desc", "asc") == "asc"
	if q.Err != nil {
		return nil, q.Err
	}
	found := s.matchCards(f)
	total := int64(len(found))
	list := cardPage{Data: []cardItem{}}
	list.Pagination.Page, list.Pagination.Size = p.Number, p.Size
	list.Pagination.Total, list.Pagination.Pages = total, (total+p.Size-1)/p.Size
	if p.Offset() >= total {
		return list, nil
	}
	skip, take := p.Offset(), min(p.Size, total-p.Offset())
	if !ascending {
		skip = total - skip - take
	}
	page := s.sortedCards(f, sort, found, skip, take)
	if !ascending {
		slices.Reverse(page)
	}
	for _, k := range page {
		list.Data = append(list.Data, cardItem{s.cardHead(k), k.Label, k.Created})
	}
	return list, nil
}

// matchCards returns the rows of the cards that match a filter.
func (s *Server) matchCards(f cardFilter) []int32 {
	return s.cardsLike.Of(f, s.cards.Len(), func(found []int32, after int64) []int32 {
		for _, k := range s.cards.Rows()[after:] {
			if f.matches(k) {
				found = append(found, int32(k.Seq))
			}
		}
		return found
	})
}

// sortedCards returns a part of the cards that match, in a rising order. Cards that sort equal are in the
// order of their ids.
func (s *Server) sortedCards(f cardFilter, sort string, found []int32, skip, take int64) (page []*sim.Card) {
	order := &s.byBalance
	if sort == "last_used" {
		order = &s.byUse
	}
	if sort == "created_at" {
		return s.cardsAt(found[skip : skip+take])
	}
	if 20*len(found) < len(order.Rows) { // To sort a few is faster than to look for them.
		page = s.cardsAt(found)
		slices.SortFunc(page, order.Compare)
		return page[skip : skip+take]
	}
	if newer := int64(len(found)) - skip - take; newer < skip { // It is nearer to the end.
		page = partOf(slices.Backward(order.Rows), f, newer, take)
		slices.Reverse(page)
		return page
	}
	return partOf(slices.All(order.Rows), f, skip, take)
}

func (s *Server) cardsAt(rows []int32) (list []*sim.Card) {
	for _, seq := range rows {
		k, _ := s.cards.At(int64(seq))
		list = append(list, k)
	}
	return list
}

// partOf returns the cards that match after some.
func partOf(order iter.Seq2[int, *sim.Card], f cardFilter, skip, take int64) (page []*sim.Card) {
	for _, k := range order {
		switch {
		case !f.matches(k):
		case skip > 0:
			skip--
		default:
			if page = append(page, k); int64(len(page)) == take {
				return page
			}
		}
	}
	return page
}
