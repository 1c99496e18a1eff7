package sandbox

import (
	"encoding/json"
	"math/rand/v2"
	"slices"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// pastTxn is one transaction of the invented past, small because there may be
// millions. Its order is that of its card until all are sorted.
type pastTxn struct {
	at      unit.Instant
	amount  unit.Cents
	after   unit.Cents
	card    int32
	place   int16 // in places
	root    int32 // 1 + index of its authorization, or 0
	kind    txnType
	threeDS threeDS
	reason  string
}

// past invents what happened before a world was opened.
type past struct {
	rng    *rand.Rand
	end    unit.Instant
	places []merchant
	cards  []card
	txns   []pastTxn
	open   int // how many authorizations may stay open
	spent  unit.Cents
}

// newPast lets every card live its life. The figures of cards come from their
// transactions by the same rules as later ones.
func newPast(w world, p plan, end unit.Instant) *past {
	h := &past{rng: w.rng("past", 0), end: end, open: p.openingHolds}
	for _, pl := range platforms() {
		h.places = append(h.places, pl.merchants...)
	}
	h.places = append(h.places, unwanted())
	h.cards = make([]card, p.cards)
	for i := range h.cards {
		h.cards[i].created = end - unit.Hour - unit.Instant(h.rng.Int64N(int64(oldestCard*unit.Day)))
	}
	slices.SortFunc(h.cards, func(a, b card) int { return int(a.created - b.created) })
	h.txns = make([]pastTxn, 0, p.txns)
	quotas := h.quotas(p)
	for i := range h.cards {
		h.issue(&h.cards[i], int64(i+1))
		h.live(&h.cards[i], quotas[i])
	}
	return h
}

// quotas deals the transactions out to the cards: a few are busy.
func (h *past) quotas(p plan) []int {
	weights, total := make([]int, p.cards), 0
	for i := range weights {
		weights[i] = 1 + h.rng.IntN(4)
		if h.rng.IntN(5) == 0 {
			weights[i] *= 4
		}
		if h.rng.IntN(12) == 0 {
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
		share := min(left, 1+left/p.cards)
		weights[i%p.cards] += share
		left -= share
	}
	return weights
}

// issue invents a card at the time of its creation.
func (h *past) issue(k *card, seq int64) {
	bins := allBINs()
	b := bins[min(h.rng.IntN(len(bins)), h.rng.IntN(len(bins)))]
	*k = card{
		seq: seq, bin: b.ID, status: cardActive, limit: b.MaxMonthly, label: newLabel(h.rng), categories: []string{},
		metadata: map[string]json.RawMessage{}, created: k.created, expires: expiryOf(k.created), month: h.end.Month(),
	}
	k.balance = 5000 * unit.Cents(1+h.rng.IntN(8))
	switch h.rng.IntN(6) {
	case 0, 3:
		k.limit = 10_000 * unit.Cents(4+h.rng.IntN(9))
	case 1:
		k.categories = []string{platformOf(k.label, h.rng).merchants[0].Category}
	case 2:
		k.autoFreeze = 500 * unit.Cents(1+h.rng.IntN(4))
	}
	if h.rng.IntN(3) == 0 {
		teams := []string{`"north"`, `"south"`, `"lab"`}
		k.metadata["team"] = json.RawMessage(teams[h.rng.IntN(len(teams))])
	}
}

// live gives a card exactly as many transactions as its quota says.
func (h *past) live(k *card, quota int) {
	fate := h.rng.IntN(100)
	var lengths []int
	for left := quota; left > 0; {
		n := 2
		switch roll := h.rng.IntN(100); {
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
		next := h.end
		if i+1 < len(times) {
			next = times[i+1]
		}
		if fate < 10 && i == len(lengths)-1 {
			h.retry(k, n, times[i])
			break
		}
		h.spend(k, n, times[i], next)
	}
	if fate >= 95 {
		k.status, k.balance, k.held = cardTerminated, 0, 0
	} else if fate < 6 {
		h.suspend(k, h.end-unit.Minute)
	}
}

// retry lets a merchant try in vain on a card that was frozen just before.
func (h *past) retry(k *card, n int, at unit.Instant) {
	h.suspend(k, at-1)
	for range n {
		h.refused(k, at)
	}
}

func (h *past) suspend(k *card, at unit.Instant) {
	if k.status == cardActive && k.held == 0 {
		k.status, k.frozen = cardFrozen, at
	}
}

// times draws when a card is used: the more often, the nearer to the end.
func (h *past) times(k *card, n int) []unit.Instant {
	start := max(k.created+unit.Minute, h.end-pastDays*unit.Day)
	list := make([]unit.Instant, n)
	for i := range list {
		u := h.rng.Float64()
		list[i] = h.end - unit.Second - unit.Instant(float64(h.end-start-unit.Second)*u*u*u)
	}
	slices.Sort(list)
	return list
}

// spend makes one attempt of n transactions between at and next.
func (h *past) spend(k *card, n int, at, next unit.Instant) {
	p := platformOf(k.label, h.rng).charge(h.rng)
	room := k.limit - k.spentIn(h.end)
	last := next == h.end
	switch {
	case n == 1 && last && h.open > 0 && k.status == cardActive:
		h.afford(k, p.amount)
		if k.refusal(p, h.end, 0) == "" {
			h.open--
			k.held += p.amount
			h.add(k, pastTxn{at: at, kind: txnAuthorization, amount: p.amount}, p.merchant)
			return
		}
	case n > 1:
		if k.status == cardFrozen {
			// Its owner takes up a card that stopped on its own.
			k.status, k.frozen = cardActive, unit.Never
		}
		if p.amount = min(p.amount, room); p.amount > 0 {
			h.afford(k, p.amount)
			h.purchase(k, n, p, at, next)
			return
		}
	}
	for range n {
		h.refused(k, at)
	}
}

// afford funds a card that cannot pay an amount.
func (h *past) afford(k *card, amount unit.Cents) {
	if missing := amount + k.autoFreeze - (k.balance - k.held); missing > 0 {
		k.balance += (missing/5000 + 1 + unit.Cents(h.rng.IntN(6))) * 5000
	}
}

// purchase is an authorization, its settlement and, when n is 3, a refund.
func (h *past) purchase(k *card, n int, p purchase, at, next unit.Instant) {
	outcome := notChallenged
	if h.rng.IntN(6) == 0 {
		outcome = challengePassed
	}
	h.add(k, pastTxn{at: at, kind: txnAuthorization, amount: p.amount, threeDS: outcome}, p.merchant)
	root := int32(len(h.txns))
	at += h.within(min(next-at, 40*unit.Minute))
	settled := p.amount
	if h.rng.IntN(6) == 0 {
		settled = max(1, settled*unit.Cents(80+h.rng.IntN(20))/100)
	}
	k.pay(settled, h.end)
	h.spent += settled
	h.add(k, pastTxn{at: at, kind: txnSettlement, amount: -settled, threeDS: outcome, root: root}, p.merchant)
	if k.balance < k.autoFreeze {
		k.status, k.frozen = cardFrozen, at
	}
	if n < 3 {
		return
	}
	refund := max(1, settled/unit.Cents(1+h.rng.IntN(4)))
	k.status, k.frozen = cardActive, unit.Never
	k.receive(refund, h.end)
	h.spent -= refund
	at += h.within(next - at)
	h.add(k, pastTxn{at: at, kind: txnRefund, amount: refund, root: root}, p.merchant)
}

// within draws a part of a span, so that it is never longer.
func (h *past) within(span unit.Instant) unit.Instant {
	if span < 2 {
		return 0
	}
	return 1 + unit.Instant(h.rng.Int64N(int64(span-1)))
}

// refused makes an attempt that the card's rules decline, for the true cause.
func (h *past) refused(k *card, at unit.Instant) {
	p := platformOf(k.label, h.rng).charge(h.rng)
	outcome := notChallenged
	reason := ""
	switch h.rng.IntN(6) {
	case 0:
		reason, outcome = declineChallenge, challengeFailed
	case 1:
		p.amount += binOf(k.bin).MaxTransaction
	case 2:
		p.merchant = unwanted()
	case 3:
		p.amount += k.limit - k.spentIn(h.end) - k.held
	}
	if reason == "" {
		reason = k.refusal(p, h.end, 0)
	}
	if reason == "" {
		p.amount += k.balance - k.held
		reason = k.refusal(p, h.end, 0)
	}
	h.add(k, pastTxn{at: at, kind: txnDecline, amount: p.amount, threeDS: outcome, reason: reason}, p.merchant)
}

func (h *past) add(k *card, t pastTxn, m merchant) {
	t.card, t.after = int32(k.seq), k.balance
	t.place = int16(slices.Index(h.places, m))
	k.count++
	if t.kind != txnRefund {
		k.lastUsed = t.at
	}
	h.txns = append(h.txns, t)
}
