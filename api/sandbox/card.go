package sandbox

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// cardPrefix begins the identifier of a card.
const cardPrefix = "card_"

// fold returns the form in which partial matches compare text (ASSUMED 13).
func fold(s string) string { return strings.ToLower(s) }

// findCard returns the card of an identifier.
func (s *Server) findCard(id string) (*sim.Card, error) {
	seq, ok := s.world.Seq(cardPrefix, id)
	if !ok {
		return nil, wire.NotFound("card")
	}
	return s.cardAt(seq)
}

// cardAt returns a copy of a card: the one that is stored never changes, so that answers may share it.
func (s *Server) cardAt(seq int64) (*sim.Card, error) {
	stored, ok := s.cards.At(seq)
	if !ok {
		return nil, wire.NotFound("card")
	}
	k := *stored
	return &k, nil
}

// liveCard returns a card that is about to change; a terminated one is an error.
func (c *change) liveCard(id string) (*sim.Card, error) {
	k, err := c.s.findCard(id)
	if err != nil {
		return nil, err
	}
	if k.Status == sim.CardTerminated {
		return nil, wire.WrongState("the card is terminated")
	}
	return k, nil
}

// storeCard stores a new or changed card and updates the wallet's sums.
func (c *change) storeCard(k *sim.Card) {
	before := sim.Card{}
	if stored, is := c.s.cards.At(k.Seq); is {
		before = *stored
		c.recount = c.recount || before.Status != k.Status || before.Label != k.Label
	}
	after := *k
	c.s.cards.Set(c.tx, k.Seq, &after)
	sums := walletRow{cards: k.Balance - before.Balance}
	if before.Status == sim.CardActive {
		sums.active--
	}
	if k.Status == sim.CardActive {
		sums.active++
	}
	c.adjustWallet(sums)
}

// freezeWhenLow freezes an active card with a balance below its threshold
// (ASSUMED 7), and reports whether it did.
func (c *change) freezeWhenLow(k *sim.Card) (frozen bool) {
	if k.Status != sim.CardActive || k.Balance >= k.AutoFreezeAt {
		return false
	}
	k.Status, k.Frozen = sim.CardFrozen, c.now
	return true
}

// cardHead is what every form of a card begins with.
type cardHead struct {
	ID      string     `json:"id"`
	BIN     string     `json:"bin_id"`
	Network string     `json:"network"`
	Last4   string     `json:"last4"`
	Status  string     `json:"status"`
	Balance unit.Cents `json:"balance"`
}

func (s *Server) cardHead(k *sim.Card) cardHead {
	return cardHead{
		ID: s.world.ID(cardPrefix, k.Seq), BIN: k.BIN, Network: sim.BINOf(k.BIN).Network, Last4: s.world.Last4(k),
		Status: k.Status, Balance: k.Balance,
	}
}

// fullCard is the contract's Card.
type fullCard struct {
	cardHead
	Limit      unit.Cents                 `json:"spending_limit"`
	Label      string                     `json:"label"`
	Categories []string                   `json:"allowed_categories"`
	AutoFreeze *unit.Cents                `json:"auto_freeze_at"`
	Metadata   map[string]json.RawMessage `json:"metadata"`
	Created    unit.Instant               `json:"created_at"`
	Expires    unit.Instant               `json:"expires_at"`
}

func (s *Server) fullCard(k *sim.Card) fullCard {
	full := fullCard{
		cardHead: s.cardHead(k), Limit: k.Limit, Label: k.Label, Categories: k.Categories, Metadata: k.Metadata,
		Created: k.Created, Expires: k.Expires,
	}
	if k.AutoFreezeAt > 0 {
		full.AutoFreeze = &k.AutoFreezeAt
	}
	return full
}

// cardSummary is the contract's Card summary.
type cardSummary struct {
	cardHead
	Limit    unit.Cents                 `json:"spending_limit"`
	Spent    unit.Cents                 `json:"total_spent"`
	Count    int64                      `json:"transaction_count"`
	Label    string                     `json:"label"`
	Metadata map[string]json.RawMessage `json:"metadata"`
	Created  unit.Instant               `json:"created_at"`
	Expires  unit.Instant               `json:"expires_at"`
	LastUsed unit.Instant               `json:"last_used_at"`
}

func getCard(s *Server, req *request) (any, error) {
	k, err := s.findCard(req.id)
	if err != nil {
		return nil, err
	}
	return cardSummary{
		cardHead: s.cardHead(k), Limit: k.Limit, Spent: k.Spent, Count: k.Count, Label: k.Label, Metadata: k.Metadata,
		Created: k.Created, Expires: k.Expires, LastUsed: k.LastUsed,
	}, nil
}

// cardDetails is the contract's Card details. It is never stored or logged.
type cardDetails struct {
	ID       string      `json:"id"`
	PAN      string      `json:"pan"`
	CVV      string      `json:"cvv"`
	ExpMonth int         `json:"exp_month"`
	ExpYear  int         `json:"exp_year"`
	Holder   string      `json:"holder_name"`
	Address  sim.Address `json:"billing_address"`
}

func getDetails(s *Server, req *request) (any, error) {
	k, err := s.findCard(req.id)
	if err != nil {
		return nil, err
	}
	expires := k.Expires.Time()
	return cardDetails{
		ID: req.id, PAN: s.world.PAN(k.BIN, k.Seq), CVV: s.world.CVV(k.Seq),
		ExpMonth: int(expires.Month()), ExpYear: expires.Year(),
		Holder: s.world.Holder(k.Seq), Address: s.world.Address(k.Seq),
	}, nil
}

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

func listBINs(_ *Server, _ *request) (any, error) {
	return wire.List[sim.BIN]{Data: sim.BINs()}, nil
}
