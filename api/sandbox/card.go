package sandbox

import (
	"encoding/json"
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
