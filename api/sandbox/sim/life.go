package sim

import (
	"container/heap"
	"math/rand/v2"
	"slices"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// life makes the transactions of one card of a campaign, in the order of time, by the
// rules that the sandbox goes by later.
type life struct {
	h        *History
	k        *Card
	campaign *campaign
	rng      *rand.Rand
	bin      BIN
	usual    int16      // the merchant that charges the card, mostly
	scale    unit.Cents // of charges, per cent of what is typical
	lot      unit.Cents // by which the card is funded
	attempts []unit.Instant
	due      happenings
	turn     int // of what is due
	holds    []lifeHold
	refusals int  // in a row
	awaited  bool // funds are on their way
}

// lifeHold is an authorization of a life and what it still keeps.
type lifeHold struct {
	txn    int32 // index in History.Txns
	at     unit.Instant
	amount unit.Cents // 0 when it is closed
}

// newLife prepares the life of a card with an expected number of attempts.
func newLife(h *History, k *Card, d draft, rng *rand.Rand, attempts float64) *life {
	l := &life{h: h, k: k, campaign: d.campaign, rng: rng, bin: BINOf(k.BIN)}
	p := d.campaign.platform
	l.usual = l.merchant(p.merchants[rng.IntN(len(p.merchants))])
	n := int(attempts)
	if rng.Float64() < attempts-float64(n) {
		n++
	}
	months := max(1, float64(h.End-h.Start)/float64(30*unit.Day))
	// A card that is charged very often is charged less, for its BIN's maximum.
	monthly := float64(p.typical) * 1.25 * attempts / months
	l.scale = unit.Cents(max(1, min(200, 60*float64(l.bin.MaxMonthly)/max(monthly, 1))))
	monthly *= float64(l.scale) / 100
	l.lot = max(unit.Cents(monthly/12), 3*p.typical*l.scale/100)
	l.lot = min(max(l.lot/5000*5000, 5000), 500_000)
	k.Balance = l.lot
	h.move(k.Created, l.lot)
	if d.limited() && n > 0 {
		k.Limit = min(k.Limit, max(10_000, unit.Cents(monthly*(0.25+0.4*rng.Float64()))/10_000*10_000))
	}
	if d.guarded() {
		k.AutoFreezeAt = l.lot / 10 / 500 * 500
	}
	l.times(n)
	l.planEvents(d)
	return l
}

// merchant returns the index of a merchant.
func (l *life) merchant(m Merchant) int16 { return int16(slices.Index(l.h.Merchants, m)) }

// times draws when the card is charged: as the campaign spends.
func (l *life) times(n int) {
	start, c := l.h.Start, l.campaign
	from, all := c.at(start, l.k.Created), c.before[len(c.before)-1]
	if all <= from {
		return
	}
	l.attempts = make([]unit.Instant, n)
	for i := range l.attempts {
		want := from + l.rng.Float64()*(all-from)
		hour, _ := slices.BinarySearch(c.before, want)
		at := start + unit.Instant(hour-1)*unit.Hour + unit.Instant(l.rng.Int64N(int64(unit.Hour)))
		l.attempts[i] = min(max(at, l.k.Created+unit.Minute), l.h.End-1)
	}
	slices.Sort(l.attempts)
}

// run makes everything happen in turn.
func (l *life) run() {
	for {
		var next happening
		switch {
		case len(l.due) > 0 && (len(l.attempts) == 0 || l.due[0].at <= l.attempts[0]):
			next, _ = heap.Pop(&l.due).(happening)
		case len(l.attempts) > 0:
			next.at, l.attempts = l.attempts[0], l.attempts[1:]
		default:
			return
		}
		if next.at < l.h.End {
			l.happen(next)
		} else if next.kind == isSettled && l.holds[next.hold].amount > 0 {
			l.h.Holds = append(l.h.Holds, HistoryHold{Txn: l.holds[next.hold].txn, Due: next.at, Amount: next.amount})
		}
	}
}

func (l *life) happen(e happening) {
	switch e.kind {
	case isCharged:
		// A merchant that was refused tries again ever less often.
		if l.rng.IntN(1+l.refusals) == 0 {
			l.charge(e.at)
		}
	case isRetried:
		l.attempt(e.at, e.amount, e.merchant)
	case isSettled:
		l.settle(e)
	case isRefunded:
		l.refund(e)
	default:
		l.manage(e)
	}
}

// charge attempts a purchase of the campaign. A few are at a merchant or for an amount
// that the card is not meant for.
func (l *life) charge(at unit.Instant) {
	p := l.campaign.platform.Charge(l.rng)
	m := l.usual
	if l.campaign.platform.service() || l.rng.IntN(12) == 0 {
		m = l.merchant(p.Merchant)
	}
	amount := max(100, p.Amount*l.scale/100)
	switch roll := l.rng.IntN(1000); {
	case roll < 8:
		amount += l.bin.MaxTransaction
	case roll < 60 && len(l.k.Categories) > 0:
		m = l.merchant(l.misfit())
	}
	if l.attempt(at, amount, m) || l.rng.IntN(4) > 0 {
		return
	}
	// A storm: the same again, within minutes.
	for range 2 + l.rng.IntN(5) {
		at += 15*unit.Second + unit.Instant(l.rng.Int64N(int64(80*unit.Second)))
		l.later(happening{at: at, kind: isRetried, amount: amount, merchant: m})
	}
}

// misfit returns a merchant outside of the card's categories.
func (l *life) misfit() Merchant {
	if l.campaign.platform.service() || l.rng.IntN(4) == 0 {
		return UnlistedMerchant()
	}
	tools := PlatformOf("saas", l.rng).merchants
	return tools[l.rng.IntN(len(tools))]
}

// attempt adds an authorization or a decline, and reports whether it was granted.
func (l *life) attempt(at unit.Instant, amount unit.Cents, merchant int16) bool {
	reason := l.refusal(Purchase{Amount: amount, Merchant: l.h.Merchants[merchant]}, at, 0)
	outcome := NotChallenged
	if reason == "" && l.rng.IntN(16) == 0 {
		if outcome = ChallengePassed; l.rng.IntN(6) == 0 {
			outcome, reason = ChallengeFailed, DeclineChallenge
		}
	}
	t := HistoryTxn{At: at, Kind: TxnAuthorization, Amount: amount, Merchant: merchant, ThreeDS: outcome, Reason: reason}
	if reason != "" {
		t.Kind = TxnDecline
		l.h.record(l.k, t)
		l.refusals++
		l.react(at, reason)
		return false
	}
	l.refusals = 0
	l.k.Held += amount
	l.holds = append(l.holds, lifeHold{txn: int32(len(l.h.Txns)), at: at, amount: amount})
	l.h.record(l.k, t)
	settled := amount
	if l.rng.IntN(6) == 0 {
		settled = max(1, amount*unit.Cents(85+l.rng.IntN(25))/100)
	}
	l.later(happening{at: at + l.delay(), kind: isSettled, amount: settled, hold: len(l.holds) - 1})
	return true
}

// refusal is [Card.DeclineReason].
func (l *life) refusal(p Purchase, at unit.Instant, freed unit.Cents) string {
	return l.k.declineReason(p, at, freed, l.bin.MaxTransaction)
}

// delay returns how long a settlement takes: minutes, hours, or a day or two.
func (l *life) delay() unit.Instant {
	switch roll := l.rng.IntN(10); {
	case roll < 6:
		return l.between(unit.Minute, 40*unit.Minute)
	case roll < 9:
		return l.between(unit.Hour, 12*unit.Hour)
	}
	return l.between(12*unit.Hour, 50*unit.Hour)
}

func (l *life) between(least, most unit.Instant) unit.Instant {
	return least + unit.Instant(l.rng.Int64N(int64(most-least)))
}

// planEvents plans what the owner does to the card whatever it spends.
func (l *life) planEvents(d draft) {
	start, end := max(l.h.Start, l.k.Created), l.h.End
	within := func(least, most float64) unit.Instant {
		share := least + (most-least)*l.rng.Float64()
		return start + unit.Instant(share*float64(end-start))
	}
	if d.suspended() {
		at := within(0.3, 0.97)
		l.later(happening{at: at, kind: isFrozen})
		if l.rng.IntN(3) > 0 {
			l.later(happening{at: at + l.between(3*unit.Hour, 40*unit.Hour), kind: isThawed})
		}
	}
	switch over := l.campaign.last + l.between(unit.Day, 3*unit.Day); {
	case d.terminated():
		l.later(happening{at: min(over, within(0.5, 0.95)), kind: isEnded})
	case l.campaign.stopped && l.rng.IntN(3) == 0:
		l.later(happening{at: over, kind: isEmptied})
	}
}

// manage does what the card's owner does.
func (l *life) manage(e happening) {
	k := l.k
	if k.Status == CardTerminated {
		return
	}
	switch e.kind {
	case isFunded:
		l.awaited = false
		l.fund(e.at, l.lot)
	case isFrozen:
		if k.Status == CardActive {
			k.Status, k.Frozen = CardFrozen, e.at
		}
	case isThawed:
		if k.Balance < k.AutoFreezeAt+l.lot/4 {
			l.fund(e.at, l.lot)
		}
		k.Status, k.Frozen = CardActive, unit.Never
	case isRaised:
		k.Limit = min(l.bin.MaxMonthly, k.Limit+k.Limit/2/10_000*10_000+10_000)
	case isEmptied:
		l.fund(e.at, -(k.Balance - k.Held))
		if k.Status == CardActive && k.Balance < k.AutoFreezeAt {
			k.Status, k.Frozen = CardFrozen, e.at
		}
	default:
		l.end(e.at)
	}
}

// end terminates the card; its merchant does not know.
func (l *life) end(at unit.Instant) {
	l.fund(at, -l.k.Balance)
	l.k.Status, l.k.Held = CardTerminated, 0
	for i := range l.holds {
		l.holds[i].amount = 0
	}
	at += l.between(10*unit.Minute, 20*unit.Hour)
	for range 2 + l.rng.IntN(3) {
		l.later(happening{at: at, kind: isRetried, amount: l.lot / 4, merchant: l.usual})
		at += l.between(20*unit.Second, 2*unit.Minute)
	}
}

// fund moves money from the wallet to the card; a negative amount the other way.
func (l *life) fund(at unit.Instant, amount unit.Cents) {
	l.k.Balance += amount
	l.h.move(at, amount)
}

// watch lets the owner fund a card that runs low, mostly in time.
func (l *life) watch(at unit.Instant) {
	if l.k.Balance-l.k.Held >= l.lot/2 || at > l.campaign.last {
		return
	}
	if l.rng.IntN(4) > 0 {
		l.await(at + l.between(5*unit.Minute, unit.Hour))
	} else {
		l.await(at + l.between(2*unit.Hour, 11*unit.Hour))
	}
}

// await plans funds, unless they are on their way.
func (l *life) await(at unit.Instant) {
	if !l.awaited {
		l.awaited = true
		l.later(happening{at: at, kind: isFunded})
	}
}

// react lets the owner react to a decline.
func (l *life) react(at unit.Instant, reason string) {
	switch reason {
	case DeclineInsufficient:
		if at <= l.campaign.last {
			l.await(at + l.between(4*unit.Minute, 3*unit.Hour))
		}
	case DeclineLimit:
		if l.refusals == 3 && l.rng.IntN(2) == 0 {
			l.later(happening{at: at + l.between(2*unit.Hour, 20*unit.Hour), kind: isRaised})
		}
	}
}

// HoldLife is how long an authorization holds money without a settlement.
const HoldLife = 7 * unit.Day

// settle settles a hold for as much as the card allows, as the sandbox does: on a
// frozen card it is tried again in an hour, until the hold ends.
func (l *life) settle(e happening) {
	k, hold := l.k, &l.holds[e.hold]
	if hold.amount == 0 {
		return
	}
	if k.Status == CardFrozen && e.at < hold.at+HoldLife {
		e.at += unit.Hour
		l.later(e)
		return
	}
	auth := l.h.Txns[hold.txn]
	free := k.Held - hold.amount
	p := Purchase{Amount: min(e.amount, k.Balance-free, k.Limit-k.SpentIn(e.at)-free), Merchant: l.h.Merchants[auth.Merchant]}
	if p.Amount <= 0 || l.refusal(p, e.at, hold.amount) != "" {
		k.Held -= hold.amount
		hold.amount = 0
		return
	}
	k.Held -= hold.amount
	hold.amount = 0
	k.Pay(p.Amount, e.at)
	l.h.Spent += p.Amount
	if k.Balance < k.AutoFreezeAt {
		k.Status, k.Frozen = CardFrozen, e.at
		if l.rng.IntN(8) > 0 {
			l.later(happening{at: e.at + l.between(20*unit.Minute, 9*unit.Hour), kind: isThawed})
		}
	}
	l.h.record(k, HistoryTxn{
		At: e.at, Kind: TxnSettlement, Amount: -p.Amount, Merchant: auth.Merchant, ThreeDS: auth.ThreeDS, Root: hold.txn + 1,
	})
	if l.rng.IntN(25) == 0 {
		back := max(1, p.Amount/unit.Cents(1+l.rng.IntN(4)))
		l.later(happening{at: e.at + l.between(unit.Hour, 6*unit.Day), kind: isRefunded, amount: back, hold: e.hold})
	}
	l.watch(e.at)
}

// refund returns money of a settlement, unless the card is not active any more.
func (l *life) refund(e happening) {
	k := l.k
	amount := min(e.amount, k.Spent)
	if k.Status != CardActive || amount <= 0 {
		return
	}
	auth := l.h.Txns[l.holds[e.hold].txn]
	k.Receive(amount, e.at)
	l.h.Spent -= amount
	l.h.record(k, HistoryTxn{At: e.at, Kind: TxnRefund, Amount: amount, Merchant: auth.Merchant, Root: l.holds[e.hold].txn + 1})
}
