package sim

import "github.com/cardtop/cardtop/api/sandbox/unit"

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
