package txlink

import (
	"math"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
)

// Held is what is held, USD. The API does not say which settlement takes the place of which
// hold (ASSUMED 33): it is an estimate.
type Held struct {
	USD api.USD
	// Partial reports whether not all that it rests on was read. The amount may fall as well as rise then:
	// an older hold takes a settlement, and delays that were read later end a hold earlier.
	Partial bool
}

// Mark marks the amount as an estimate wherever it is shown; it is empty where nothing is held for sure.
func (h Held) Mark() string {
	if h.Partial || h.USD != 0 {
		return "~"
	}
	return ""
}

// Hold is a hold, or what later transactions have left of it.
type Hold struct {
	At   int64   // microseconds since 1970
	Left api.USD // without its sign
	Row  uint32  // where its owner has it
	// Merchant is the place of its merchant.
	Merchant uint16
	// Parts is how many settlements took less than there was: there may be another.
	Parts uint8
	// Negative reports whether it was sent as a negative amount.
	Negative bool
}

// Holds are the holds of a card. Its transactions are handed in in the order of time: what
// is left at the end depends on nothing else. The zero value is empty.
type Holds struct {
	// Waiting are those that wait for their settlement, in the order of time.
	Waiting []Hold
	// near are those that a settlement of another amount took.
	near []nearPair
}

// nearPair is a hold and the settlement of another amount that took it.
type nearPair struct {
	hold Hold
	by   Settlement
	cost float64
}

// Settlement is a settlement of a card, with its amount without sign.
type Settlement struct {
	At       int64 // microseconds since 1970
	Amount   api.USD
	Row      uint32 // where its owner has it
	Merchant uint16
}

// Context is what a settlement is looked at with.
type Context struct {
	// From is when the first of the transactions may have been made, microseconds since 1970.
	From int64
	// Usual is how long settlements of the card take.
	Usual Usual
}

// BeginReach is how long after the first of the transactions a settlement may be of an earlier hold.
const BeginReach = 48 * time.Hour

// IsOfEarlier reports whether a settlement came sooner after the begin than settlements come on average
// after their hold. Up to then as many settle of the holds from the begin on as of earlier ones after it: taking
// none for the former, the number of those that wait is right from then on.
func (c Context) IsOfEarlier(at int64) bool {
	return float64(at-c.From) < min(float64(c.Usual.mean), float64(BeginReach.Microseconds()))
}

// Taken is what a settlement or a reversal has done to a hold.
type Taken struct {
	Hold // As it was before.
	// Left is what is left of it now, and Parts how many took less than there was.
	Left  api.USD
	Parts uint8
	// Same reports whether it was for all that was left.
	Same bool
	// Of is how many holds it could be of as well, itself counted: as near in amount.
	Of int
	// Displaced reports whether another settlement had the hold until now. It is in row Instead, and its owner
	// hands it in again.
	Displaced bool
	Instead   uint32
}

// The costs of taking a settlement for that of a hold: about the logarithm of how seldom one
// of its amount comes after such a hold. That of another amount than the hold is one of many, so
// it adds the logarithm of what is left, in dollars.
const (
	costLast     = 1.0 // all that another settlement has left
	costNextPart = 7.0 // a part of that
	costNear     = 5.5 // about the amount: a rate, an article less
	costTip      = 6.5
	costPart     = 7.2 // one of several, or the last for less
	costOver     = 8.5
	costVerify   = 9.0 // any amount after a verification

	partLeast = 0.05 // below that part of its hold it is no settlement of it
	nearLeast = 0.8  // below that part of its hold a settlement may be one of several
	nearMost  = 1.15
	tipMost   = 1.45
	overMost  = 2.0 // above that it is no settlement of the hold
	// verification is the most that a hold is for which only tests the card, USD.
	verification = api.Dollar
	// costMost is what a settlement of no hold costs.
	costMost = 16.0
	// maxParts is up to how many parts are counted.
	maxParts = 7
	// looked is how many holds that wait are looked at, the latest.
	looked = 500
)

// Clear leaves nothing.
func (h *Holds) Clear() { h.Waiting, h.near = h.Waiting[:0], h.near[:0] }

// Settle takes a settlement for that of the hold that it most likely is of; false when it is of none.
func (h *Holds) Settle(s Settlement, in Context) (Taken, bool) {
	if in.IsOfEarlier(s.At) {
		return Taken{}, false
	}
	best := h.bestFor(s, in.Usual)
	if !best.same {
		if t, ok := h.displace(s, best.cost, in.Usual); ok {
			return t, true
		}
	}
	if best.at < 0 {
		return Taken{}, false
	}
	t := h.taken(best, s.Amount)
	switch {
	case float64(s.Amount) < nearLeast*float64(t.Hold.Left):
		t.Parts = min(t.Parts+1, maxParts)
	case !t.Same && t.Hold.Parts == 0:
		t.Left = 0
		h.near = append(h.near, nearPair{t.Hold, s, best.cost})
	default:
		t.Left = 0
	}
	h.put(best.at, t)
	return t, true
}

func (h *Holds) bestFor(s Settlement, usual Usual) choice {
	return h.best(s.At, s.Merchant, usual, func(hold *Hold) float64 { return settleCost(hold, s.Amount) })
}

// displace gives a settlement the hold of its amount that a settlement of another amount took,
// where both together cost less then. most is what the settlement costs otherwise.
func (h *Holds) displace(s Settlement, most float64, usual Usual) (Taken, bool) {
	h.near = slices.DeleteFunc(h.near, func(n nearPair) bool { return s.At-n.hold.At > Within.Microseconds() })
	least, at := min(most, costMost), -1
	for i, n := range h.near {
		if n.hold.Left != s.Amount || n.hold.Merchant != s.Merchant {
			continue
		}
		cost := usual.cost(s.At-n.hold.At) - n.cost
		if cost < least {
			if cost += min(h.bestFor(n.by, usual).cost, costMost); cost < least {
				least, at = cost, i
			}
		}
	}
	if at < 0 {
		return Taken{}, false
	}
	n := h.near[at]
	h.near = slices.Delete(h.near, at, at+1)
	return Taken{Hold: n.hold, Same: true, Displaced: true, Instead: n.by.Row}, true
}

// Reverse takes back a hold, or a part of it; false when there is none. Negative is a
// reversal that was sent as a negative hold: it takes back holds that are positive, and is a hold itself
// where there is none.
func (h *Holds) Reverse(at int64, merchant uint16, amount api.USD, negative bool) (Taken, bool) {
	best := h.best(at, merchant, Usual{}, func(hold *Hold) float64 {
		switch {
		case negative && hold.Negative:
			return math.Inf(1)
		case hold.Left == amount:
			return 0
		case hold.Left > amount:
			return costPart
		default:
			return math.Inf(1)
		}
	})
	if best.at < 0 {
		return Taken{}, false
	}
	t := h.taken(best, amount)
	h.put(best.at, t)
	return t, true
}

func (h *Holds) taken(c choice, amount api.USD) Taken {
	hold := h.Waiting[c.at]
	return Taken{
		Hold: hold, Left: max(0, hold.Left-amount), Parts: hold.Parts, Same: hold.Left == amount, Of: c.of,
	}
}

// put leaves of a hold what was not taken.
func (h *Holds) put(at int, t Taken) {
	if t.Left > 0 {
		h.Waiting[at].Left, h.Waiting[at].Parts = t.Left, t.Parts
		return
	}
	h.Waiting = slices.Delete(h.Waiting, at, at+1)
}

// choice is the place of a hold, -1 for none.
type choice struct {
	at   int
	cost float64
	of   int  // those whose amounts cost as little
	same bool // of all that is left of it
}

// best returns the hold that costs least. cost is infinite where it cannot be of a hold.
func (h *Holds) best(at int64, merchant uint16, usual Usual, cost func(*Hold) float64) choice {
	waiting := h.Waiting
	best, amounts := choice{at: -1, cost: math.Inf(1)}, math.Inf(1)
	for i := len(waiting) - 1; i >= max(0, len(waiting)-looked); i-- {
		hold := &waiting[i]
		if at-hold.At > Within.Microseconds() {
			break
		}
		if hold.Merchant != merchant || hold.At > at {
			continue
		}
		c := cost(hold)
		same := c <= costLast
		switch {
		case c < amounts:
			amounts, best.of = c, 1
		case c == amounts:
			best.of++
		}
		// Of two that cost the same the earlier is taken.
		if c += usual.cost(at - hold.At); c <= min(best.cost, costMost) {
			best.at, best.cost, best.same = i, c, same
		}
	}
	return best
}

func settleCost(hold *Hold, amount api.USD) float64 {
	part, many := float64(amount)/float64(hold.Left), math.Log(max(1, float64(hold.Left)/float64(api.Dollar)))
	switch {
	case amount == hold.Left && hold.Parts > 0:
		return costLast
	case amount == hold.Left:
		return 0
	case hold.Parts > 0 && part < 1 && part >= partLeast:
		return costNextPart + many
	case hold.Parts > 0:
		return math.Inf(1)
	case part < partLeast:
		return math.Inf(1)
	case part < nearLeast:
		return costPart + many
	case part <= nearMost:
		return costNear + many
	case part <= tipMost:
		return costTip + many
	case part <= overMost:
		return costOver + many
	case hold.Left <= verification:
		return costVerify
	default:
		return math.Inf(1)
	}
}
