package sandbox

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// trigger is the request of POST /sandbox/transactions.
type trigger struct {
	kind     sim.TxnType
	reversal bool // an authorization that takes a hold back
	part     bool // the rest of the hold stays held
	amount   unit.Cents
	foreign  sim.Foreign
	plain    bool // a decline without a reason
	reason   string
	text     string
}

const (
	typeReversal = "reversal"
	reasonNone   = "none" // asks for a decline without a reason
	maxText      = 500    // characters of a decline's text
)

func parseTrigger(f *wire.Form) trigger {
	var t trigger
	name := f.RequiredText("type")
	if t.reversal = name == typeReversal; t.reversal {
		t.kind = sim.TxnAuthorization
	} else if t.kind = sim.TxnTypeOf(name); t.kind == 0 {
		f.Fail("type must be one of authorization, settlement, refund, decline, reversal")
	}
	least := unit.Cents(1)
	if t.kind == sim.TxnAuthorization && !t.reversal {
		least = 0 // It tests the card.
	}
	t.amount = f.RequiredMoney("amount", least, unit.MostCents)
	t.parseCurrency(f)
	if t.part = f.Bool("part"); t.part && t.kind != sim.TxnSettlement {
		f.Fail("part is for settlements only")
	}
	t.parseDecline(f)
	return t
}

// parseCurrency reads the currency that the amount is in.
func (t *trigger) parseCurrency(f *wire.Form) {
	code, _ := f.Text("currency")
	if code == "" || code == "USD" {
		return
	}
	if !slices.Contains(sim.ForeignCodes(), code) {
		f.Fail("currency must be one of USD, %s", strings.Join(sim.ForeignCodes(), ", "))
		return
	}
	t.foreign = sim.Foreign{Code: code, Amount: t.amount}
	if !t.foreign.Exact() {
		f.Fail("amount must be whole: %s has no decimals", code)
	}
	t.amount = t.foreign.USD()
}

// parseDecline reads why a card declines.
func (t *trigger) parseDecline(f *wire.Form) {
	t.reason, _ = f.Text("decline_reason")
	t.text, _ = f.Text("decline_text")
	switch {
	case t.reason != "" && t.kind != sim.TxnDecline:
		f.Fail("decline_reason is for declines only")
	case t.text != "" && t.kind != sim.TxnDecline:
		f.Fail("decline_text is for declines only")
	case utf8.RuneCountInString(t.text) > maxText:
		f.Fail("decline_text must have at most %d characters", maxText)
	case t.reason == reasonNone || t.reason == "" && t.text != "":
		t.plain, t.reason = true, ""
	case t.text != "":
		f.Fail("decline_text is for a decline without a decline_reason")
	case t.reason != "" && !slices.Contains(sim.DeclineReasons(), t.reason):
		f.Fail("decline_reason must be one of %s, %s", strings.Join(sim.DeclineReasons(), ", "), reasonNone)
	}
}

// triggerTransaction makes a merchant act on a card. An authorization and a
// settlement follow the rules of the card, so the answer may be a decline; a
// settlement replaces the card's oldest open authorization at the merchant, or a part of
// it, and a reversal takes it back. A decline for which no reason is given gets the one
// that the rules find.
func triggerTransaction(c *change, req *request) (any, error) {
	f, err := wire.ParseForm(req.body)
	if err != nil {
		return nil, err
	}
	f.RequiredText("card_id")
	asked := parseTrigger(f)
	k, err := c.anyCard(f)
	if err != nil {
		return nil, err
	}
	p := sim.Purchase{Amount: asked.amount, Foreign: asked.foreign, Merchant: c.parseMerchant(f, k.Label)}
	if f.Err != nil {
		return nil, f.Err
	}
	t, err := c.applyTrigger(k, p, asked)
	if err != nil {
		return nil, err
	}
	return triggered{c.s.transactionBody(t), t.reason}, nil
}

// triggered is a transaction with the reason of a decline.
type triggered struct {
	transaction
	Reason string `json:"decline_reason,omitempty"`
}

func (c *change) applyTrigger(k *sim.Card, p sim.Purchase, asked trigger) (*txnRow, error) {
	switch {
	case asked.kind == sim.TxnSettlement, asked.reversal:
		return c.applyToHold(k, p, asked)
	case asked.kind == sim.TxnAuthorization:
		return c.authorize(k, p, sim.NotChallenged), nil
	case asked.kind == sim.TxnRefund:
		return c.refund(k, p, 0)
	case asked.plain:
		t := &txnRow{kind: sim.TxnDecline, amount: p.Amount, foreign: p.Foreign, merchant: p.Merchant, text: asked.text}
		c.appendDecline(k, t)
		return t, nil
	default:
		return c.declineFor(k, p, asked.reason)
	}
}

// applyToHold settles or takes back what is held for a merchant.
func (c *change) applyToHold(k *sim.Card, p sim.Purchase, asked trigger) (*txnRow, error) {
	h := c.s.heldFor(k, p.Merchant)
	switch {
	case asked.reversal:
		return c.reverse(k, p, h)
	case asked.part && h.auth == 0:
		return nil, wire.WrongState("nothing is held for %s on the card, so there is no rest: settle without part", p.Merchant.Name)
	case asked.part:
		h = h.without(p)
	}
	return c.settle(k, p, h), nil
}

// declineFor declines for the given reason, or else for the one that the rules find.
func (c *change) declineFor(k *sim.Card, p sim.Purchase, reason string) (*txnRow, error) {
	if reason == "" {
		reason = k.DeclineReason(p, c.now, 0)
	}
	if reason == "" {
		return nil, wire.Invalid("decline_reason is required: the card would accept this purchase")
	}
	outcome := sim.NotChallenged
	if reason == sim.DeclineChallenge {
		outcome = sim.ChallengeFailed
	}
	return c.decline(k, p, reason, outcome), nil
}

// triggerDeposit adds a deposit, pending unless the request has another status. Only
// a pending one is confirmed in time, and not in a quiet sandbox.
func triggerDeposit(c *change, req *request) (any, error) {
	f, err := wire.ParseForm(req.body)
	if err != nil {
		return nil, err
	}
	coin := sim.CurrencyOf(f.RequiredText("currency"))
	if coin.Code == "" {
		f.Fail("currency must be one of btc, eth, sol, usdt")
	}
	amount := f.RequiredMoney("amount_usd", 1, unit.MaxCents/1000)
	status, set := f.Text("status")
	if set && !slices.Contains([]string{statusPending, statusConfirmed, statusExpired}, status) {
		f.Fail("status must be one of pending, confirmed, expired")
	}
	if f.Err != nil {
		return nil, f.Err
	}
	d := c.detectDeposit(coin.Code, amount)
	switch {
	case status == statusConfirmed:
		c.confirmDeposit(d)
	case status == statusExpired:
		d.status = statusExpired
		c.saveDeposit(d)
	case !c.s.quiet:
		c.schedule(c.now+coin.Block, jobBlock, d.seq, 0)
	}
	return c.s.depositBody(d), nil
}

// pendingDeposit returns a deposit that is pending, and cancels its next
// confirmation.
func (c *change) pendingDeposit(id string) (*depositRow, error) {
	seq, ok := c.s.world.Seq(depositPrefix, id)
	if !ok {
		return nil, wire.NotFound("deposit")
	}
	d, err := c.s.depositAt(seq)
	if err != nil {
		return nil, err
	}
	if d.status != statusPending {
		return nil, wire.WrongState("the deposit is %s", d.status)
	}
	c.cancel(seq, jobBlock)
	return d, nil
}

func triggerConfirm(c *change, req *request) (any, error) {
	d, err := c.pendingDeposit(req.id)
	if err != nil {
		return nil, err
	}
	c.confirmDeposit(d)
	return c.s.depositBody(d), nil
}

func triggerDepositEnd(c *change, req *request) (any, error) {
	d, err := c.pendingDeposit(req.id)
	if err != nil {
		return nil, err
	}
	d.status = statusExpired
	c.saveDeposit(d)
	return c.s.depositBody(d), nil
}

func triggerChallenge(c *change, req *request) (any, error) {
	f, err := wire.ParseForm(req.body)
	if err != nil {
		return nil, err
	}
	k, err := c.anyCard(f)
	if err != nil {
		return nil, err
	}
	p := sim.Purchase{Amount: 2500, Merchant: c.parseMerchant(f, k.Label)}
	if amount, set := f.Money("amount", 1, unit.MostCents); set {
		p.Amount = amount
	}
	otp, set := f.Text("otp")
	if set && !isCode(otp) {
		f.Fail("otp must be six digits")
	}
	if f.Err != nil {
		return nil, f.Err
	}
	if k.Status != sim.CardActive {
		return nil, wire.WrongState("the card is %s", k.Status)
	}
	return c.s.challengeBody(c.challenge(k, p, otp)), nil
}

func isCode(text string) bool {
	return len(text) == 6 && strings.Trim(text, "0123456789") == ""
}

// pendingChallenge returns a challenge that is pending.
func (c *change) pendingChallenge(id string) (*challengeRow, error) {
	seq, ok := c.s.world.Seq(challengePrefix, id)
	if !ok {
		return nil, wire.NotFound("challenge")
	}
	h, err := c.s.challengeAt(seq, c.now)
	if err != nil {
		return nil, err
	}
	if h.status != statusPending {
		return nil, wire.WrongState("the challenge is %s", h.status)
	}
	return h, nil
}

func triggerComplete(c *change, req *request) (any, error) {
	h, err := c.pendingChallenge(req.id)
	if err != nil {
		return nil, err
	}
	t, err := c.completeChallenge(h)
	if err != nil {
		return nil, err
	}
	return endedChallenge{c.s.challengeBody(h), c.s.transactionBody(t)}, nil
}

// endedChallenge is a challenge with the transaction that resulted.
type endedChallenge struct {
	challenge
	Transaction transaction `json:"transaction"`
}

func triggerExpire(c *change, req *request) (any, error) {
	h, err := c.pendingChallenge(req.id)
	if err != nil {
		return nil, err
	}
	t, err := c.expireChallenge(h)
	if err != nil {
		return nil, err
	}
	return endedChallenge{c.s.challengeBody(h), c.s.transactionBody(t)}, nil
}

// triggerCardExpire has a card expire in some days, or at once. Its status stays as it is.
func triggerCardExpire(c *change, req *request) (any, error) {
	f, err := wire.ParseForm(req.body)
	if err != nil {
		return nil, err
	}
	days, _ := f.Integer("days", 0, 3650)
	if f.Err != nil {
		return nil, f.Err
	}
	k, err := c.namedCard(req.id)
	if err != nil {
		return nil, err
	}
	k.Expires = c.now - 1 + unit.Instant(days)*unit.Day
	c.storeCard(k)
	return c.s.fullCard(k), nil
}

// maxAdvance bounds one advance of the clock, in seconds: a year. maxAhead bounds
// all of them, so that years have four digits.
const (
	maxAdvance              = 366 * 24 * 3600
	maxAhead   unit.Instant = 100 * 366 * unit.Day
)

type clockBody struct {
	Now   unit.Instant `json:"now"`
	Ahead int64        `json:"ahead_seconds"`
}

// triggerClock advances the clock. It stays ahead in a file that is opened again.
func triggerClock(c *change, req *request) (any, error) {
	f, err := wire.ParseForm(req.body)
	if err != nil {
		return nil, err
	}
	seconds, set := f.Integer("advance_seconds", 1, maxAdvance)
	if !set {
		f.Fail("advance_seconds is required")
	}
	if f.Err != nil {
		return nil, f.Err
	}
	by := unit.Instant(seconds) * unit.Second
	if c.s.clock.Advance(0)+by > maxAhead {
		return nil, wire.Invalid("advance_seconds: the clock is too far ahead already")
	}
	c.book(func(b *books) { b.ahead += by })
	c.wake = true
	ahead := c.s.clock.Advance(by)
	return clockBody{Now: c.s.clock.Now(), Ahead: int64(ahead / unit.Second)}, nil
}
