package sandbox

import (
	"cmp"
	"slices"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/tables"
	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// create creates a new world.
func (s *Server) create(p sim.Plan) error {
	s.world = sim.World{Seed: p.Seed}
	now := s.clock.Stamp(s.clock.Now())
	h := sim.NewHistory(s.world, p, now)
	s.pace = h.Pace
	return s.db.Fill(func(tx *tables.Tx) error {
		c := &change{s: s, tx: tx, now: now}
		rank := c.insertHistory(h)
		s.order()
		c.insertWallet(h, p)
		c.insertPresent(h, p, rank)
		return c.failed
	})
}

// insertHistory stores cards, merchants and transactions, the latter in the order of
// time, and returns the row of each.
func (c *change) insertHistory(h *sim.History) (rank []int32) {
	for _, m := range h.Merchants {
		c.merchantID(m)
	}
	for i := range h.Cards {
		c.s.cards.Add(c.tx, &h.Cards[i])
	}
	order := h.Order()
	rank = make([]int32, len(order))
	for i, index := range order {
		rank[index] = int32(i + 1)
	}
	c.s.txns.Grow(len(order))
	for _, index := range order {
		t := &h.Txns[index]
		root := int32(0)
		if t.Root > 0 {
			root = rank[t.Root-1]
		}
		c.s.txns.Add(c.tx, txn{
			at: t.At, amount: t.Amount, after: t.BalanceAfter, card: t.Card, merchant: int32(t.Merchant) + 1, root: root,
			kind: uint8(t.Kind), threeDS: uint8(t.ThreeDS), reason: reasonNumber(t.Reason),
		})
	}
	return rank
}

// insertWallet stores the sums, and confirmed deposits that add up to them.
func (c *change) insertWallet(h *sim.History, p sim.Plan) {
	w := walletRow{balance: p.Wallet, spent: h.Spent}
	for i := range h.Cards {
		w.cards += h.Cards[i].Balance
		if h.Cards[i].Status == sim.CardActive {
			w.active++
		}
	}
	w.deposited = w.balance + w.cards + w.spent
	c.s.books.Set(c.tx, 1, books{walletRow: w, seed: int64(p.Seed), pace: h.Pace})
	for _, one := range h.Credits(w.deposited, w.balance) {
		// The fee is rounded down: this finds the amount that credits exactly that.
		amount := one.Amount * 100 / 99
		for amount-feeOf(amount) < one.Amount {
			amount++
		}
		c.saveDeposit(&depositRow{
			seq: c.s.deposits.Len() + 1, currency: one.Coin.Code, units: one.Coin.Units(amount), amount: amount, fee: amount - one.Amount,
			status: statusConfirmed, confirmations: one.Coin.Confirmations, created: one.At,
			confirmed: one.At + unit.Instant(one.Coin.Confirmations)*one.Coin.Block,
		})
	}
}

// Challenges of a new world: ended ones, and open ones that the first screen
// shows.
const (
	endedChallenges = 40
	openChallenges  = 3
)

// insertPresent stores what is going on when a world is opened: holds, open
// challenges, and a pending deposit. In a quiet sandbox they stay as they are.
func (c *change) insertPresent(h *sim.History, p sim.Plan, rank []int32) {
	if p.Cards == 0 {
		return
	}
	c.insertHolds(h, rank)
	c.insertEndedChallenges()
	c.insertOpenChallenges(h)
	c.insertPendingDeposit()
}

// insertHolds stores the holds of the open authorizations, and when they settle. rank
// is the row of each transaction of the history.
func (c *change) insertHolds(h *sim.History, rank []int32) {
	list := slices.SortedFunc(slices.Values(h.Holds), func(a, b sim.HistoryHold) int {
		return cmp.Compare(rank[a.Txn], rank[b.Txn])
	})
	for _, one := range list {
		t, auth := &h.Txns[one.Txn], int64(rank[one.Txn])
		if h.Cards[t.Card-1].Held == 0 {
			continue // The card was terminated.
		}
		c.s.holds.Insert(c.tx, holdRow{auth, int64(t.Card), t.Amount})
		if c.s.quiet {
			continue
		}
		due := one.Due
		if due == unit.Never {
			due = h.End + unit.Second + unit.Instant(auth*7919)%unit.Minute
		}
		c.schedule(due, jobSettle, auth, one.Amount)
		c.schedule(t.At+sim.HoldLife, jobRelease, auth, 0)
	}
}

// insertEndedChallenges stores the challenges of the latest purchases with one.
func (c *change) insertEndedChallenges() {
	var list []challengeRow
	for seq := c.s.txns.Len(); seq > 0 && len(list) < endedChallenges; seq-- {
		t := c.s.txnAt(seq)
		if t.threeDS == sim.NotChallenged || t.kind != sim.TxnAuthorization && t.kind != sim.TxnDecline {
			continue
		}
		one := challengeRow{card: t.card, merchant: t.merchant, amount: t.amount, status: statusExpired, created: t.created - codeLife}
		if t.threeDS == sim.ChallengePassed {
			one.status, one.created = statusCompleted, t.created-30*unit.Second
		}
		one.expires = one.created + codeLife
		list = append(list, one)
	}
	slices.SortStableFunc(list, func(a, b challengeRow) int { return cmp.Compare(a.created, b.created) })
	for i, one := range list {
		one.seq = int64(i + 1)
		one.otp = c.s.world.OTP(one.seq)
		c.s.challenges.Add(c.tx, one)
	}
}

// insertOpenChallenges stores the challenges that the first screen shows.
func (c *change) insertOpenChallenges(h *sim.History) {
	started := 0
	for _, k := range slices.Backward(c.s.byUse.Rows) {
		if started == openChallenges {
			break
		}
		if k.Status != sim.CardActive {
			continue
		}
		asked := *c
		asked.now = h.End - unit.Instant(openChallenges-started)*50*unit.Second
		one := asked.challenge(k, sim.PlatformOf(k.Label, h.Rand).Charge(h.Rand), "")
		switch {
		case c.s.quiet:
			c.cancel(one.seq, jobExpire)
		case started > 0:
			c.schedule(h.End+unit.Instant(started)*30*unit.Second, jobComplete, one.seq, 0)
		}
		started++
	}
}

func (c *change) insertPendingDeposit() {
	coin := sim.CurrencyOf("usdt")
	d := c.detectDeposit(coin.Code, 25_252)
	d.confirmations = 1
	c.saveDeposit(d)
	if !c.s.quiet {
		c.schedule(c.now+coin.Block, jobBlock, d.seq, 0)
	}
}
