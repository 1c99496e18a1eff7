package sandbox

import (
	"slices"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// authorize adds an authorization that holds the amount of a purchase, or a decline.
func (c *change) authorize(k *sim.Card, p sim.Purchase, outcome sim.ThreeDS) *txnRow {
	if reason := k.DeclineReason(p, c.now, 0); reason != "" {
		return c.decline(k, p, reason, outcome)
	}
	k.Held += p.Amount
	t := &txnRow{kind: sim.TxnAuthorization, amount: p.Amount, foreign: p.Foreign, merchant: p.Merchant, threeDS: outcome}
	c.appendTxn(k, t)
	c.s.holds.Insert(c.tx, holdRow{t.seq, t.card, t.amount})
	c.schedule(c.now+sim.HoldLife, jobRelease, t.seq, 0)
	c.storeCard(k)
	return t
}

// decline adds a decline. No money moves.
func (c *change) decline(k *sim.Card, p sim.Purchase, reason string, outcome sim.ThreeDS) *txnRow {
	t := &txnRow{kind: sim.TxnDecline, amount: p.Amount, foreign: p.Foreign, merchant: p.Merchant, threeDS: outcome, reason: reason}
	c.appendDecline(k, t)
	return t
}

// appendDecline stores a decline.
func (c *change) appendDecline(k *sim.Card, t *txnRow) {
	c.appendTxn(k, t)
	c.storeCard(k)
}

// holdRow is what an approved authorization still keeps reserved.
type holdRow struct {
	auth, card int64
	amount     unit.Cents
}

// hold is money that an authorization reserves on a card.
type hold struct {
	auth    int64
	amount  unit.Cents
	foreign sim.Foreign // what is left of the amount in the currency of the authorization
	rest    unit.Cents  // stays held when the hold is released
}

// freed returns what a release of the hold frees.
func (h hold) freed() unit.Cents { return h.amount - h.rest }

// covers reports whether a purchase is of no more than what is held, in its own currency
// if that is the one of the authorization.
func (h hold) covers(p sim.Purchase) bool {
	if h.inCurrencyOf(p) {
		return p.Foreign.Amount <= h.foreign.Amount
	}
	return p.Amount <= h.amount
}

// without returns the hold of which a purchase takes its part and leaves the rest. The
// last part takes what rounding has left.
func (h hold) without(p sim.Purchase) hold {
	h.rest = max(0, h.amount-p.Amount)
	if h.inCurrencyOf(p) && p.Foreign.Amount >= h.foreign.Amount {
		h.rest = 0
	}
	return h
}

func (h hold) inCurrencyOf(p sim.Purchase) bool {
	return h.foreign.Code != "" && h.foreign.Code == p.Foreign.Code
}

// fixed returns what is held, for messages.
func (h hold) fixed(p sim.Purchase) string {
	if h.inCurrencyOf(p) {
		return h.foreign.Fixed()
	}
	return h.amount.Fixed()
}

// holdsOf returns the holds of a card, the oldest first.
func (s *Server) holdsOf(card int64) (list []holdRow) {
	for _, h := range s.holds.From(holdRow{card: card}) {
		if h.card != card {
			break
		}
		list = append(list, h)
	}
	return list
}

// heldFor returns the hold of a card's oldest open authorization at a merchant, or
// the zero hold.
func (s *Server) heldFor(k *sim.Card, m sim.Merchant) hold {
	for _, row := range s.holdsOf(k.Seq) {
		auth := s.txnAt(row.auth)
		if auth.merchant.Name != m.Name {
			continue
		}
		h := hold{auth: row.auth, amount: row.amount, foreign: sim.Foreign{Code: auth.foreign.Code}}
		for _, t := range s.family(row.auth) {
			if t.foreign.Code == h.foreign.Code && (t.kind == sim.TxnAuthorization || t.kind == sim.TxnSettlement) {
				h.foreign.Amount += t.foreign.Amount
			}
		}
		return h
	}
	return hold{}
}

// settle moves money off a card for good, in place of a hold or of a part of it, or adds
// a decline.
func (c *change) settle(k *sim.Card, p sim.Purchase, h hold) *txnRow {
	if reason := k.DeclineReason(p, c.now, h.freed()); reason != "" {
		return c.decline(k, p, reason, sim.NotChallenged)
	}
	c.release(k, h)
	k.Pay(p.Amount, c.now)
	frozen := c.freezeWhenLow(k)
	t := &txnRow{kind: sim.TxnSettlement, amount: -p.Amount, foreign: p.Foreign.Negative(), merchant: p.Merchant, root: h.auth}
	if h.auth != 0 {
		t.threeDS = c.s.txnAt(h.auth).threeDS
	}
	c.appendTxn(k, t)
	c.storeCard(k)
	c.adjustWallet(walletRow{spent: p.Amount})
	if !frozen {
		return t
	}
	full := c.s.fullCard(k)
	c.emit("card.frozen", full.ID, full)
	return t
}

// refund returns money of an earlier settlement to a card. root is its
// authorization, or 0 when there was none.
func (c *change) refund(k *sim.Card, p sim.Purchase, root int64) (*txnRow, error) {
	if err := suspended(k); err != nil {
		return nil, err
	}
	if p.Amount > k.Spent {
		return nil, wire.Invalid("amount must be at most what the card has spent, %s", k.Spent.Fixed())
	}
	k.Receive(p.Amount, c.now)
	t := &txnRow{kind: sim.TxnRefund, amount: p.Amount, foreign: p.Foreign, merchant: p.Merchant, root: root}
	c.appendTxn(k, t)
	c.storeCard(k)
	c.adjustWallet(walletRow{spent: -p.Amount})
	return t, nil
}

// suspended returns an error for a card that is not active.
func suspended(k *sim.Card) error {
	switch k.Status {
	case sim.CardTerminated:
		return wire.WrongState("the card is terminated")
	case sim.CardFrozen:
		return wire.WrongState("the card is frozen: its transactions are suspended")
	}
	return nil
}

// reverse takes back a hold or a part of it, with an authorization of a negative amount.
// No money moves.
func (c *change) reverse(k *sim.Card, p sim.Purchase, h hold) (*txnRow, error) {
	if err := suspended(k); err != nil {
		return nil, err
	}
	switch {
	case h.auth == 0:
		return nil, wire.WrongState("nothing is held for %s on the card", p.Merchant.Name)
	case !h.covers(p):
		return nil, wire.Invalid("amount must be at most what is held, %s", h.fixed(p))
	}
	h = h.without(p)
	c.release(k, h)
	t := &txnRow{kind: sim.TxnAuthorization, amount: -h.freed(), foreign: p.Foreign.Negative(), merchant: p.Merchant, root: h.auth}
	c.appendTxn(k, t)
	c.storeCard(k)
	return t, nil
}

// release removes a hold, or leaves its rest held and what settles later by itself at
// most that. The caller stores k.
func (c *change) release(k *sim.Card, h hold) {
	if h.auth == 0 {
		return
	}
	k.Held -= h.freed()
	row := holdRow{h.auth, k.Seq, h.amount}
	c.s.holds.Remove(c.tx, row)
	if h.rest == 0 {
		c.cancel(h.auth, jobRelease)
		return
	}
	row.amount = h.rest
	c.s.holds.Insert(c.tx, row)
	for _, j := range c.s.jobsOf(h.auth, jobSettle) {
		less := j
		less.amount = max(0, j.amount-h.freed())
		c.replaceJob(j, less)
	}
}

// releaseAll removes all holds of a card. The caller stores k.
func (c *change) releaseAll(k *sim.Card) {
	for _, h := range c.s.holdsOf(k.Seq) {
		c.cancel(h.auth, jobRelease, jobSettle)
		c.s.holds.Remove(c.tx, h)
	}
	k.Held = 0
}

// openHold returns the hold of an authorization, with its card and purchase.
func (c *change) openHold(auth int64) (k *sim.Card, p sim.Purchase, h hold, err error) {
	t := c.s.txnAt(auth)
	list := c.s.holdsOf(t.card)
	i := slices.IndexFunc(list, func(h holdRow) bool { return h.auth == auth })
	if i < 0 {
		return nil, p, h, wire.NotFound("authorization")
	}
	h.auth, h.amount = auth, list[i].amount
	p.Amount, p.Merchant = h.amount, t.merchant
	k, err = c.s.cardAt(t.card)
	return k, p, h, err
}

// doSettle settles an authorization for as much of the amount as the card allows. On
// a frozen card it is tried again in an hour; when nothing can be settled the hold is
// released.
func (c *change) doSettle(j job) error {
	k, p, h, err := c.openHold(j.object)
	if err != nil {
		return err
	}
	if k.Status == sim.CardFrozen {
		c.schedule(c.now+unit.Hour, jobSettle, j.object, j.amount)
		return nil
	}
	free := k.Held - h.amount
	p.Amount = min(j.amount, k.Balance-free, k.Limit-k.SpentIn(c.now)-free, sim.BINOf(k.BIN).MaxTransaction)
	if p.Amount <= 0 || k.DeclineReason(p, c.now, h.amount) != "" {
		c.releaseHold(k, h)
		return nil
	}
	t := c.settle(k, p, h)
	if sum := c.s.world.Digest("refund", t.seq); sum[0] < 10 && !c.s.quiet {
		amount := max(1, p.Amount*unit.Cents(1+sum[1]%4)/4)
		c.schedule(c.now+unit.Minute+unit.Instant(sum[2])*unit.Second, jobRefund, t.seq, amount)
	}
	return nil
}

// resumeSettlements makes the settlements of an unfrozen card due.
func (c *change) resumeSettlements(k *sim.Card) {
	for _, h := range c.s.holdsOf(k.Seq) {
		for _, j := range c.s.jobsOf(h.auth, jobSettle) {
			sooner := j
			sooner.due = min(j.due, c.now+unit.Second)
			c.replaceJob(j, sooner)
		}
	}
	c.wake = true
}

func (c *change) doRelease(j job) error {
	k, _, h, err := c.openHold(j.object)
	if err == nil {
		c.releaseHold(k, h)
	}
	return err
}

func (c *change) releaseHold(k *sim.Card, h hold) {
	c.release(k, h)
	c.storeCard(k)
}

func (c *change) doRefund(j job) error {
	t := c.s.txnAt(j.object)
	k, err := c.s.cardAt(t.card)
	if err != nil {
		return err
	}
	_, err = c.refund(k, sim.Purchase{Amount: min(j.amount, k.Spent), Merchant: t.merchant}, t.root)
	return err
}
