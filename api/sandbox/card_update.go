package sandbox

import (
	"context"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// updateCard changes the fields in the body and ignores read-only ones (ASSUMED 8).
func updateCard(ctx context.Context, c *change, req *request) (any, error) {
	f, err := wire.ParseForm(req.body)
	if err != nil {
		return nil, err
	}
	k, err := c.liveCard(ctx, req.id)
	if err != nil {
		return nil, err
	}
	before := *k
	applyUpdate(f, k)
	if f.Err != nil {
		return nil, f.Err
	}
	if err := c.updateCard(ctx, before, k); err != nil {
		return nil, err
	}
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
func (c *change) bareCard(ctx context.Context, req *request) (*sim.Card, error) {
	if _, err := wire.ParseForm(req.body); err != nil {
		return nil, err
	}
	return c.liveCard(ctx, req.id)
}

// freezeCard suspends a card. A frozen one is left as it is, with the time of its
// first freeze (ASSUMED 9).
func freezeCard(ctx context.Context, c *change, req *request) (any, error) {
	k, err := c.bareCard(ctx, req)
	if err != nil {
		return nil, err
	}
	if k.Status == sim.CardActive {
		before := *k
		k.Status, k.Frozen = sim.CardFrozen, c.now
		if err := c.updateCard(ctx, before, k); err != nil {
			return nil, err
		}
		if err := c.emit(ctx, "card.frozen", req.id, c.s.fullCard(k)); err != nil {
			return nil, err
		}
	}
	return frozenCard{ID: req.id, Status: k.Status, FrozenAt: k.Frozen}, nil
}

func unfreezeCard(ctx context.Context, c *change, req *request) (any, error) {
	k, err := c.bareCard(ctx, req)
	if err != nil {
		return nil, err
	}
	if k.Status == sim.CardActive {
		return c.s.fullCard(k), nil
	}
	before := *k
	k.Status, k.Frozen = sim.CardActive, unit.Never
	if err := c.updateCard(ctx, before, k); err != nil {
		return nil, err
	}
	if err := c.resumeSettlements(ctx, k); err != nil {
		return nil, err
	}
	full := c.s.fullCard(k)
	return full, c.emit(ctx, "card.unfrozen", req.id, full)
}

type terminatedCard struct {
	ID           string       `json:"id"`
	Status       string       `json:"status"`
	Refunded     unit.Cents   `json:"refunded_amount"`
	TerminatedAt unit.Instant `json:"terminated_at"`
}

// terminateCard ends a card for good, returns its balance to the wallet and
// releases its authorizations: they will not settle.
func terminateCard(ctx context.Context, c *change, req *request) (any, error) {
	k, err := c.bareCard(ctx, req)
	if err != nil {
		return nil, err
	}
	before := *k
	refunded := k.Balance
	k.Status, k.Balance = sim.CardTerminated, 0
	if err := c.releaseAll(ctx, k); err != nil {
		return nil, err
	}
	if err := c.updateCard(ctx, before, k); err != nil {
		return nil, err
	}
	if err := c.adjustWallet(ctx, walletChange{balance: refunded}); err != nil {
		return nil, err
	}
	if err := c.emit(ctx, "card.terminated", req.id, c.s.fullCard(k)); err != nil {
		return nil, err
	}
	return terminatedCard{ID: req.id, Status: k.Status, Refunded: refunded, TerminatedAt: c.now}, nil
}
