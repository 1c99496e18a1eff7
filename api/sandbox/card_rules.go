package sandbox

import (
	"encoding/json"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// The states of a card.
const (
	cardActive     = "active"
	cardFrozen     = "frozen"
	cardTerminated = "terminated"
)

// card is one row of cards.
type card struct {
	seq        int64
	bin        string
	status     string
	balance    unit.Cents
	held       unit.Cents // reserved by authorizations that are not settled yet
	limit      unit.Cents // monthly
	spent      unit.Cents // net of refunds
	count      int64
	month      int64 // the calendar month that monthSpent is about
	monthSpent unit.Cents
	label      string
	categories []string
	autoFreeze unit.Cents // 0 for none
	metadata   map[string]json.RawMessage
	created    unit.Instant
	expires    unit.Instant
	lastUsed   unit.Instant
	frozen     unit.Instant
}

// cardYears is how long a card is valid; it ends with its month.
const cardYears = 3

// expiryOf gives the last millisecond of the month in which a card expires.
func expiryOf(created unit.Instant) unit.Instant {
	t := created.Time()
	return unit.InstantOf(time.Date(t.Year()+cardYears, t.Month()+1, 1, 0, 0, 0, 0, time.UTC)) - 1
}

// The causes of a decline, in the order in which they are looked for.
const (
	declineTerminated   = "card_terminated"
	declineFrozen       = "card_frozen"
	declineExpired      = "card_expired"
	declineCategory     = "category_not_allowed"
	declineBINMaximum   = "bin_limit_exceeded"
	declineLimit        = "spending_limit_exceeded"
	declineInsufficient = "insufficient_balance"
	declineChallenge    = "challenge_expired"
)

func allDeclines() []string {
	return []string{
		declineTerminated, declineFrozen, declineExpired, declineCategory, declineBINMaximum,
		declineLimit, declineInsufficient, declineChallenge,
	}
}

// purchase is what a merchant asks of a card.
type purchase struct {
	amount   unit.Cents
	merchant merchant
}

// refusal gives why a card cannot make a purchase now, or nothing. freed is
// what a hold that the purchase replaces gives back first.
func (k *card) refusal(p purchase, now unit.Instant, freed unit.Cents) string {
	b := binOf(k.bin)
	switch {
	case k.status == cardTerminated:
		return declineTerminated
	case k.status == cardFrozen:
		return declineFrozen
	case now > k.expires:
		return declineExpired
	case !k.allows(p.merchant):
		return declineCategory
	case p.amount > b.MaxTransaction:
		return declineBINMaximum
	case k.spentIn(now)+k.held-freed+p.amount > k.limit:
		return declineLimit
	case p.amount > k.balance-(k.held-freed):
		return declineInsufficient
	}
	return ""
}

// allows tells whether a merchant is in the card's whitelist, which names
// categories or merchant category codes. An empty one allows all.
func (k *card) allows(m merchant) bool {
	for _, allowed := range k.categories {
		if allowed == m.Category || allowed == m.MCC {
			return true
		}
	}
	return len(k.categories) == 0
}

// spentIn gives what counts against the monthly limit at a time.
func (k *card) spentIn(now unit.Instant) unit.Cents {
	if k.month != now.Month() {
		return 0
	}
	return k.monthSpent
}

// pay books spending on the card.
func (k *card) pay(amount unit.Cents, now unit.Instant) {
	k.monthSpent = k.spentIn(now) + amount
	k.month = now.Month()
	k.balance -= amount
	k.spent += amount
}

// receive books a refund on the card. What was spent in an earlier month does
// not make room in this one below nothing.
func (k *card) receive(amount unit.Cents, now unit.Instant) {
	k.monthSpent = max(0, k.spentIn(now)-amount)
	k.month = now.Month()
	k.balance += amount
	k.spent -= amount
}
