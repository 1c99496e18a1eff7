package sim

import (
	"container/heap"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

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
