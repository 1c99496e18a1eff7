package sandbox

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// Bounds of the contract's Limits.
const (
	leastFunding unit.Cents = 100
	mostFunding  unit.Cents = 500_000
	maxLabel                = 64 // code points (ASSUMED 5)
	maxMetadata             = 20
)

// newCard is the request of POST /cards.
type newCard struct {
	bin        sim.BIN
	amount     unit.Cents
	label      string
	limit      unit.Cents
	categories []string
	autoFreeze unit.Cents
	metadata   map[string]json.RawMessage
}

func parseNewCard(body []byte) (newCard, error) {
	f, err := wire.ParseForm(body)
	if err != nil {
		return newCard{}, err
	}
	var n newCard
	id := f.RequiredText("bin_id")
	n.amount = f.RequiredMoney("amount", leastFunding, mostFunding)
	if n.bin = sim.BINOf(id); n.bin.ID == "" {
		f.Fail("bin_id is not a known BIN")
	}
	n.label = labelOf(f)
	// The contract's maximum of the BIN is the monthly one (ASSUMED 4).
	limited := false
	if n.limit, limited = f.Money("spending_limit", 0, n.bin.MaxMonthly); !limited {
		n.limit = n.bin.MaxMonthly
	}
	n.categories, _ = f.Texts("allowed_categories")
	if n.categories == nil {
		n.categories = []string{}
	}
	n.autoFreeze, _ = f.Money("auto_freeze_at", 0, unit.MostCents)
	n.metadata = metadataOf(f, nil)
	return n, f.Err
}

func labelOf(f *wire.Form) string {
	label, _ := f.Text("label")
	if utf8.RuneCountInString(label) > maxLabel {
		f.Fail("label must have at most %d characters", maxLabel)
	}
	return label
}

// metadataOf merges the metadata of a request into that of a card; a null removes
// its key (ASSUMED 8).
func metadataOf(f *wire.Form, present map[string]json.RawMessage) map[string]json.RawMessage {
	merged := map[string]json.RawMessage{}
	for name, value := range present {
		merged[name] = value
	}
	raw, set := f.Raw("metadata")
	if !set {
		return merged
	}
	var named map[string]json.RawMessage
	if json.Unmarshal(raw, &named) != nil {
		f.Fail("metadata must be an object")
		return merged
	}
	for name, value := range named {
		if string(value) == "null" {
			delete(merged, name)
			continue
		}
		merged[name] = value
	}
	if len(merged) > maxMetadata {
		f.Fail("metadata must have at most %d keys", maxMetadata)
	}
	return merged
}

func createCard(c *change, req *request) (any, error) {
	n, err := parseNewCard(req.body)
	if err != nil {
		return nil, err
	}
	if _, err := c.debitWallet(n.amount); err != nil {
		return nil, err
	}
	k := &sim.Card{
		Seq: c.s.cards.Len() + 1, BIN: n.bin.ID, Status: sim.CardActive, Balance: n.amount, Limit: n.limit, Month: c.now.Month(), Label: n.label,
		Categories: n.categories, AutoFreezeAt: n.autoFreeze, Metadata: n.metadata,
		Created: c.now, Expires: sim.ExpiryOf(c.now),
	}
	c.storeCard(k)
	full := c.s.fullCard(k)
	c.emit("card.created", full.ID, full)
	return full, nil
}

// updateCard changes the fields in the body and ignores read-only ones (ASSUMED 8).
func updateCard(c *change, req *request) (any, error) {
	f, err := wire.ParseForm(req.body)
	if err != nil {
		return nil, err
	}
	k, err := c.liveCard(req.id)
	if err != nil {
		return nil, err
	}
	applyUpdate(f, k)
	if f.Err != nil {
		return nil, f.Err
	}
	c.storeCard(k)
	return c.s.fullCard(k), nil
}

func applyUpdate(f *wire.Form, k *sim.Card) {
	if _, set := f.Raw("label"); set {
		k.Label = labelOf(f)
	}
	if limit, set := f.Money("spending_limit", 0, sim.BINOf(k.BIN).MaxMonthly); set {
		k.Limit = limit
	}
	if categories, set := f.Texts("allowed_categories"); set {
		k.Categories = categories
	}
	if threshold, set := f.Money("auto_freeze_at", 0, unit.MostCents); set {
		k.AutoFreezeAt = threshold
	}
	k.Metadata = metadataOf(f, k.Metadata)
}

type frozenCard struct {
	ID       string       `json:"id"`
	Status   string       `json:"status"`
	FrozenAt unit.Instant `json:"frozen_at"`
}

// bareCard returns the card of a request that needs no body.
func (c *change) bareCard(req *request) (*sim.Card, error) {
	if _, err := wire.ParseForm(req.body); err != nil {
		return nil, err
	}
	return c.liveCard(req.id)
}

// freezeCard suspends a card. A frozen one is left as it is, with the time of its
// first freeze (ASSUMED 9).
func freezeCard(c *change, req *request) (any, error) {
	k, err := c.bareCard(req)
	if err != nil {
		return nil, err
	}
	if k.Status == sim.CardActive {
		k.Status, k.Frozen = sim.CardFrozen, c.now
		c.storeCard(k)
		c.emit("card.frozen", req.id, c.s.fullCard(k))
	}
	return frozenCard{ID: req.id, Status: k.Status, FrozenAt: k.Frozen}, nil
}

func unfreezeCard(c *change, req *request) (any, error) {
	k, err := c.bareCard(req)
	if err != nil {
		return nil, err
	}
	if k.Status == sim.CardActive {
		return c.s.fullCard(k), nil
	}
	k.Status, k.Frozen = sim.CardActive, unit.Never
	c.storeCard(k)
	c.resumeSettlements(k)
	full := c.s.fullCard(k)
	c.emit("card.unfrozen", req.id, full)
	return full, nil
}

type terminatedCard struct {
	ID           string       `json:"id"`
	Status       string       `json:"status"`
	Refunded     unit.Cents   `json:"refunded_amount"`
	TerminatedAt unit.Instant `json:"terminated_at"`
}

// terminateCard ends a card for good, returns its balance to the wallet and
// releases its authorizations: they will not settle.
func terminateCard(c *change, req *request) (any, error) {
	k, err := c.bareCard(req)
	if err != nil {
		return nil, err
	}
	refunded := k.Balance
	k.Status, k.Balance = sim.CardTerminated, 0
	c.releaseAll(k)
	c.storeCard(k)
	c.adjustWallet(walletRow{balance: refunded})
	c.emit("card.terminated", req.id, c.s.fullCard(k))
	return terminatedCard{ID: req.id, Status: k.Status, Refunded: refunded, TerminatedAt: c.now}, nil
}

type fundedCard struct {
	ID       string     `json:"id"`
	Previous unit.Cents `json:"previous_balance"`
	Funded   unit.Cents `json:"funded_amount"`
	Balance  unit.Cents `json:"new_balance"`
	Wallet   unit.Cents `json:"wallet_balance"`
}

// parseFunding parses the body of POST …/fund.
func parseFunding(body []byte) (unit.Cents, error) {
	f, err := wire.ParseForm(body)
	if err != nil {
		return 0, err
	}
	amount := f.RequiredMoney("amount", leastFunding, mostFunding)
	return amount, f.Err
}

// fundCard moves money from the wallet to a card; a frozen card stays frozen
// (ASSUMED 9).
func fundCard(c *change, req *request) (any, error) {
	amount, err := parseFunding(req.body)
	if err != nil {
		return nil, err
	}
	k, err := c.liveCard(req.id)
	if err != nil {
		return nil, err
	}
	wallet, err := c.debitWallet(amount)
	if err != nil {
		return nil, err
	}
	before := k.Balance
	k.Balance += amount
	c.storeCard(k)
	c.emit("card.funded", req.id, c.s.fullCard(k))
	return fundedCard{ID: req.id, Previous: before, Funded: amount, Balance: k.Balance, Wallet: wallet}, nil
}

type withdrawnCard struct {
	ID        string     `json:"id"`
	Previous  unit.Cents `json:"previous_balance"`
	Withdrawn unit.Cents `json:"withdrawn_amount"`
	Balance   unit.Cents `json:"new_balance"`
	Wallet    unit.Cents `json:"wallet_balance"`
}

// parseWithdrawal parses the body of POST …/withdraw. The contract has no bounds,
// so the amount must be above 0 (ASSUMED 10).
func parseWithdrawal(body []byte) (unit.Cents, error) {
	f, err := wire.ParseForm(body)
	if err != nil {
		return 0, err
	}
	amount := f.RequiredMoney("amount", 1, unit.MostCents)
	return amount, f.Err
}

// withdrawCard moves at most a card's balance back to the wallet (ASSUMED 10).
func withdrawCard(c *change, req *request) (any, error) {
	amount, err := parseWithdrawal(req.body)
	if err != nil {
		return nil, err
	}
	k, err := c.liveCard(req.id)
	if err != nil {
		return nil, err
	}
	if amount > k.Balance {
		return nil, wire.Invalid("amount must be at most the card's balance of %s", k.Balance.Fixed())
	}
	before := k.Balance
	k.Balance -= amount
	frozen := c.freezeWhenLow(k)
	c.storeCard(k)
	c.adjustWallet(walletRow{balance: amount})
	if frozen {
		c.emit("card.frozen", req.id, c.s.fullCard(k))
	}
	return withdrawnCard{ID: req.id, Previous: before, Withdrawn: amount, Balance: k.Balance, Wallet: c.s.sums().balance}, nil
}
