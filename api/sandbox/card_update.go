package sandbox

import (
	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

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
