package sim

import (
	"encoding/json"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// The states of a card.
const (
	CardActive     = "active"
	CardFrozen     = "frozen"
	CardTerminated = "terminated"
)

// Card is one row of cards.
type Card struct {
	Seq          int64
	BIN          string
	Status       string
	Balance      unit.Cents
	Held         unit.Cents // reserved by authorizations that are not settled yet
	Limit        unit.Cents // monthly
	Spent        unit.Cents // net of refunds
	Count        int64
	Month        int64 // the calendar month that monthSpent is about
	MonthSpent   unit.Cents
	Label        string
	Categories   []string
	AutoFreezeAt unit.Cents // 0 for none
	Metadata     map[string]json.RawMessage
	Created      unit.Instant
	Expires      unit.Instant
	LastUsed     unit.Instant
	Frozen       unit.Instant
}

// cardYears is how long a card is valid; it ends with its month.
const cardYears = 3

// ExpiryOf gives the last millisecond of the month in which a card expires.
func ExpiryOf(created unit.Instant) unit.Instant {
	t := created.Time()
	return unit.InstantOf(time.Date(t.Year()+cardYears, t.Month()+1, 1, 0, 0, 0, 0, time.UTC)) - 1
}

// The causes of a decline, in the order in which they are looked for.
const (
	DeclineTerminated   = "card_terminated"
	DeclineFrozen       = "card_frozen"
	DeclineExpired      = "card_expired"
	DeclineCategory     = "category_not_allowed"
	DeclineBINMaximum   = "bin_limit_exceeded"
	DeclineLimit        = "spending_limit_exceeded"
	DeclineInsufficient = "insufficient_balance"
	DeclineChallenge    = "challenge_expired"
)

func DeclineReasons() []string {
	return []string{
		DeclineTerminated, DeclineFrozen, DeclineExpired, DeclineCategory, DeclineBINMaximum,
		DeclineLimit, DeclineInsufficient, DeclineChallenge,
	}
}

// Purchase is what a merchant asks of a card.
type Purchase struct {
	Amount   unit.Cents
	Merchant Merchant
}

// DeclineReason gives why a card cannot make a purchase now, or nothing. freed is
// what a hold that the purchase replaces gives back first.
func (k *Card) DeclineReason(p Purchase, now unit.Instant, freed unit.Cents) string {
	b := BINOf(k.BIN)
	switch {
	case k.Status == CardTerminated:
		return DeclineTerminated
	case k.Status == CardFrozen:
		return DeclineFrozen
	case now > k.Expires:
		return DeclineExpired
	case !k.allows(p.Merchant):
		return DeclineCategory
	case p.Amount > b.MaxTransaction:
		return DeclineBINMaximum
	case k.SpentIn(now)+k.Held-freed+p.Amount > k.Limit:
		return DeclineLimit
	case p.Amount > k.Balance-(k.Held-freed):
		return DeclineInsufficient
	}
	return ""
}

// allows tells whether a merchant is in the card's whitelist, which names
// categories or merchant category codes. An empty one allows all.
func (k *Card) allows(m Merchant) bool {
	for _, allowed := range k.Categories {
		if allowed == m.Category || allowed == m.MCC {
			return true
		}
	}
	return len(k.Categories) == 0
}

// SpentIn gives what counts against the monthly limit at a time.
func (k *Card) SpentIn(now unit.Instant) unit.Cents {
	if k.Month != now.Month() {
		return 0
	}
	return k.MonthSpent
}

// Pay books spending on the card.
func (k *Card) Pay(amount unit.Cents, now unit.Instant) {
	k.MonthSpent = k.SpentIn(now) + amount
	k.Month = now.Month()
	k.Balance -= amount
	k.Spent += amount
}

// Receive books a refund on the card. What was spent in an earlier month does
// not make room in this one below nothing.
func (k *Card) Receive(amount unit.Cents, now unit.Instant) {
	k.MonthSpent = max(0, k.SpentIn(now)-amount)
	k.Month = now.Month()
	k.Balance += amount
	k.Spent -= amount
}
