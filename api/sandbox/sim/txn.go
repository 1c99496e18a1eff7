package sim

import (
	"container/heap"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// TxnType is the type of a transaction, as it is stored.
type TxnType int

// The types of transactions.
const (
	TxnAuthorization TxnType = iota + 1
	TxnSettlement
	TxnRefund
	TxnDecline
)

func (t TxnType) String() string {
	return [...]string{"", "authorization", "settlement", "refund", "decline"}[t]
}

// Step returns what a transaction of the type adds to a timeline, which is also the
// last part of its event.
func (t TxnType) Step() string {
	return [...]string{"", "authorized", "settled", "refunded", "declined"}[t]
}

// TxnTypeOf returns the type of a name, or 0.
func TxnTypeOf(name string) TxnType {
	for t := TxnAuthorization; t <= TxnDecline; t++ {
		if t.String() == name {
			return t
		}
	}
	return 0
}

// ThreeDS is the outcome of a transaction's challenge (ASSUMED 27).
type ThreeDS int

// The outcomes.
const (
	NotChallenged ThreeDS = iota
	ChallengePassed
	ChallengeFailed
)

func (t ThreeDS) String() string {
	return [...]string{"not_required", "authenticated", "failed"}[t]
}

// Merchant is the contract's merchant of a transaction.
type Merchant struct {
	Name     string `json:"name"`
	Category string `json:"category"`
	MCC      string `json:"mcc"`
	Country  string `json:"country"`
}

// happeningKind is what happens to a card.
type happeningKind int8

// Of the merchant, then of the card's owner.
const (
	isCharged happeningKind = iota
	isRetried
	isSettled
	isRefunded
	isFunded
	isFrozen
	isThawed
	isRaised
	isEmptied
	isEnded
)

// happening is one thing that happens to a card.
type happening struct {
	at       unit.Instant
	turn     int // its place among those of the same time
	amount   unit.Cents
	hold     int // index in life.holds
	merchant int16
	kind     happeningKind
}

// happenings is a heap, the earliest on top.
type happenings []happening

func (q happenings) Len() int { return len(q) }

func (q happenings) Less(i, j int) bool {
	return q[i].at < q[j].at || q[i].at == q[j].at && q[i].turn < q[j].turn
}
func (q happenings) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push implements [heap.Interface].
func (q *happenings) Push(x any) {
	if e, ok := x.(happening); ok {
		*q = append(*q, e)
	}
}

// Pop implements [heap.Interface].
func (q *happenings) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// later lets something happen to the card.
func (l *life) later(e happening) {
	l.turn++
	e.turn = l.turn
	heap.Push(&l.due, e)
}
