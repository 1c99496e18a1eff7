package sim

import (
	"encoding/json"
	"slices"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// beRecent invents cards and transactions that crowd before the end.
func (h *History) beRecent(p Plan) {
	h.Cards = make([]Card, p.Cards)
	for i := range h.Cards {
		h.Cards[i].Created = h.End - unit.Hour - unit.Instant(h.Rand.Int64N(int64(oldestCard*unit.Day)))
	}
	slices.SortFunc(h.Cards, func(a, b Card) int { return int(a.Created - b.Created) })
	quotas := h.quotas(p)
	for i := range h.Cards {
		h.issue(&h.Cards[i], int64(i+1))
		h.live(&h.Cards[i], quotas[i])
	}
}

// quotas divides the transactions among the cards, unequally.
func (h *History) quotas(p Plan) []int {
	weights, total := make([]int, p.Cards), 0
	for i := range weights {
		weights[i] = 1 + h.Rand.IntN(4)
		if h.Rand.IntN(5) == 0 {
			weights[i] *= 4
		}
		if h.Rand.IntN(12) == 0 {
			weights[i] = 0
		}
		total += weights[i]
	}
	left := p.txns
	for i, weight := range weights {
		weights[i] = p.txns * weight / max(total, 1)
		left -= weights[i]
	}
	for i := 0; left > 0; i++ {
		share := min(left, 1+left/p.Cards)
		weights[i%p.Cards] += share
		left -= share
	}
	return weights
}

// issue sets a card to its invented state at creation.
func (h *History) issue(k *Card, seq int64) {
	bins := BINs()
	b := bins[min(h.Rand.IntN(len(bins)), h.Rand.IntN(len(bins)))]
	*k = Card{
		Seq: seq, BIN: b.ID, Status: CardActive, Limit: b.MaxMonthly, Label: newLabel(h.Rand), Categories: []string{},
		Metadata: map[string]json.RawMessage{}, Created: k.Created, Expires: ExpiryOf(k.Created), Month: h.End.Month(),
	}
	k.Balance = 5000 * unit.Cents(1+h.Rand.IntN(8))
	switch h.Rand.IntN(6) {
	case 0, 3:
		k.Limit = 10_000 * unit.Cents(4+h.Rand.IntN(9))
	case 1:
		k.Categories = []string{PlatformOf(k.Label, h.Rand).merchants[0].Category}
	case 2:
		k.AutoFreezeAt = 500 * unit.Cents(1+h.Rand.IntN(4))
	}
	if h.Rand.IntN(3) == 0 {
		k.Metadata["team"] = json.RawMessage(teamOf(h.Rand))
	}
}

// live adds exactly quota transactions of a card.
func (h *History) live(k *Card, quota int) {
	outcome := h.Rand.IntN(100)
	var lengths []int
	for left := quota; left > 0; {
		n := 2
		switch roll := h.Rand.IntN(100); {
		case left == 1 || roll < 9:
			n = 1
		case left > 2 && roll < 14:
			n = 3
		}
		lengths = append(lengths, n)
		left -= n
	}
	times := h.times(k, len(lengths))
	for i, n := range lengths {
		next := h.End
		if i+1 < len(times) {
			next = times[i+1]
		}
		if outcome < 10 && i == len(lengths)-1 {
			h.retry(k, n, times[i])
			break
		}
		h.spend(k, n, times[i], next)
	}
	if outcome >= 95 {
		k.Status, k.Balance, k.Held = CardTerminated, 0, 0
	} else if outcome < 6 {
		h.suspend(k, h.End-unit.Minute)
	}
}

// retry adds n declines of a card that was frozen just before.
func (h *History) retry(k *Card, n int, at unit.Instant) {
	h.suspend(k, at-1)
	for range n {
		h.refused(k, at)
	}
}

func (h *History) suspend(k *Card, at unit.Instant) {
	if k.Status == CardActive && k.Held == 0 {
		k.Status, k.Frozen = CardFrozen, at
	}
}

// times returns when a card is used: the nearer to the end, the more often.
func (h *History) times(k *Card, n int) []unit.Instant {
	start := max(k.Created+unit.Minute, h.End-pastDays*unit.Day)
	list := make([]unit.Instant, n)
	for i := range list {
		u := h.Rand.Float64()
		list[i] = h.End - unit.Second - unit.Instant(float64(h.End-start-unit.Second)*u*u*u)
	}
	slices.Sort(list)
	return list
}

// spend adds one attempt of n transactions between at and next.
func (h *History) spend(k *Card, n int, at, next unit.Instant) {
	p := PlatformOf(k.Label, h.Rand).Charge(h.Rand)
	room := k.Limit - k.SpentIn(h.End)
	last := next == h.End
	switch {
	case n == 1 && last && h.open > 0 && k.Status == CardActive:
		h.afford(k, p.Amount)
		if k.DeclineReason(p, h.End, 0) == "" {
			h.open--
			k.Held += p.Amount
			h.Holds = append(h.Holds, HistoryHold{Txn: int32(len(h.Txns)), Amount: p.Amount})
			h.add(k, HistoryTxn{At: at, Kind: TxnAuthorization, Amount: p.Amount}, p.Merchant)
			return
		}
	case n > 1:
		if k.Status == CardFrozen {
			// It was frozen automatically.
			k.Status, k.Frozen = CardActive, unit.Never
		}
		if p.Amount = min(p.Amount, room); p.Amount > 0 {
			h.afford(k, p.Amount)
			h.purchase(k, n, p, at, next)
			return
		}
	}
	for range n {
		h.refused(k, at)
	}
}

// afford funds a card that cannot pay an amount.
func (h *History) afford(k *Card, amount unit.Cents) {
	if missing := amount + k.AutoFreezeAt - (k.Balance - k.Held); missing > 0 {
		k.Balance += (missing/5000 + 1 + unit.Cents(h.Rand.IntN(6))) * 5000
	}
}

// purchase adds an authorization, its settlement and, when n is 3, a refund.
func (h *History) purchase(k *Card, n int, p Purchase, at, next unit.Instant) {
	outcome := NotChallenged
	if h.Rand.IntN(6) == 0 {
		outcome = ChallengePassed
	}
	h.add(k, HistoryTxn{At: at, Kind: TxnAuthorization, Amount: p.Amount, ThreeDS: outcome}, p.Merchant)
	root := int32(len(h.Txns))
	at += h.within(min(next-at, 40*unit.Minute))
	settled := p.Amount
	if h.Rand.IntN(6) == 0 {
		settled = max(1, settled*unit.Cents(80+h.Rand.IntN(20))/100)
	}
	k.Pay(settled, h.End)
	h.Spent += settled
	h.add(k, HistoryTxn{At: at, Kind: TxnSettlement, Amount: -settled, ThreeDS: outcome, Root: root}, p.Merchant)
	if k.Balance < k.AutoFreezeAt {
		k.Status, k.Frozen = CardFrozen, at
	}
	if n < 3 {
		return
	}
	refund := max(1, settled/unit.Cents(1+h.Rand.IntN(4)))
	k.Status, k.Frozen = CardActive, unit.Never
	k.Receive(refund, h.End)
	h.Spent -= refund
	at += h.within(next - at)
	h.add(k, HistoryTxn{At: at, Kind: TxnRefund, Amount: refund, Root: root}, p.Merchant)
}

// within returns a random part of a span.
func (h *History) within(span unit.Instant) unit.Instant {
	if span < 2 {
		return 0
	}
	return 1 + unit.Instant(h.Rand.Int64N(int64(span-1)))
}

// refused adds an attempt that the rules of the card decline.
func (h *History) refused(k *Card, at unit.Instant) {
	p := PlatformOf(k.Label, h.Rand).Charge(h.Rand)
	outcome := NotChallenged
	reason := ""
	switch h.Rand.IntN(6) {
	case 0:
		reason, outcome = DeclineChallenge, ChallengeFailed
	case 1:
		p.Amount += BINOf(k.BIN).MaxTransaction
	case 2:
		p.Merchant = UnlistedMerchant()
	case 3:
		p.Amount += k.Limit - k.SpentIn(h.End) - k.Held
	}
	if reason == "" {
		reason = k.DeclineReason(p, h.End, 0)
	}
	if reason == "" {
		p.Amount += k.Balance - k.Held
		reason = k.DeclineReason(p, h.End, 0)
	}
	h.add(k, HistoryTxn{At: at, Kind: TxnDecline, Amount: p.Amount, ThreeDS: outcome, Reason: reason}, p.Merchant)
}

func (h *History) add(k *Card, t HistoryTxn, m Merchant) {
	t.Merchant = int16(slices.Index(h.Merchants, m))
	h.record(k, t)
}
