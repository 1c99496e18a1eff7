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

// Card is one row of the cards table.
type Card struct {
	Seq          int64
	BIN          string
	Status       string
	Balance      unit.Cents
	Held         unit.Cents // reserved by authorizations that are not settled yet
	Limit        unit.Cents // monthly
	Spent        unit.Cents // net of refunds
	Count        int64      // of transactions
	Month        int64      // the calendar month that MonthSpent is about
	MonthSpent   unit.Cents // net of refunds
	Label        string
	Categories   []string
	AutoFreezeAt unit.Cents // 0 for none
	Metadata     map[string]json.RawMessage
	Created      unit.Instant
	Expires      unit.Instant
	LastUsed     unit.Instant // Never: unused
	Frozen       unit.Instant // Never: it is not frozen
}

// cardYears is how long a card is valid; it ends with its month.
const cardYears = 3

// ExpiryOf returns when a card expires: the last millisecond of its last month.
func ExpiryOf(created unit.Instant) unit.Instant {
	t := created.Time()
	return unit.InstantOf(time.Date(t.Year()+cardYears, t.Month()+1, 1, 0, 0, 0, 0, time.UTC)) - 1
}

// The reasons of a decline, in the order in which they are checked.
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

// DeclineReasons returns all reasons of a decline.
func DeclineReasons() []string {
	return []string{
		DeclineTerminated, DeclineFrozen, DeclineExpired, DeclineCategory, DeclineBINMaximum,
		DeclineLimit, DeclineInsufficient, DeclineChallenge,
	}
}

// Purchase is what a merchant asks of a card.
type Purchase struct {
	Amount   unit.Cents
	Foreign  Foreign // the amount as the merchant has it, if that is not USD
	Merchant Merchant
}

// DeclineReason returns why the card cannot make a purchase now, or "". freed is
// the amount of a hold that the purchase replaces.
func (k *Card) DeclineReason(p Purchase, now unit.Instant, freed unit.Cents) string {
	return k.declineReason(p, now, freed, BINOf(k.BIN).MaxTransaction)
}

func (k *Card) declineReason(p Purchase, now unit.Instant, freed, largest unit.Cents) string {
	switch {
	case k.Status == CardTerminated:
		return DeclineTerminated
	case k.Status == CardFrozen:
		return DeclineFrozen
	case now > k.Expires:
		return DeclineExpired
	case !k.allows(p.Merchant):
		return DeclineCategory
	case p.Amount > largest:
		return DeclineBINMaximum
	case k.SpentIn(now)+k.Held-freed+p.Amount > k.Limit:
		return DeclineLimit
	case p.Amount > k.Balance-(k.Held-freed):
		return DeclineInsufficient
	}
	return ""
}

// allows reports whether the card's allowed categories, which are names or merchant
// category codes, include a merchant. An empty list allows all.
func (k *Card) allows(m Merchant) bool {
	for _, allowed := range k.Categories {
		if allowed == m.Category || allowed == m.MCC {
			return true
		}
	}
	return len(k.Categories) == 0
}

// SpentIn returns what counts against the monthly limit at a time.
func (k *Card) SpentIn(now unit.Instant) unit.Cents {
	if k.Month != now.Month() {
		return 0
	}
	return k.MonthSpent
}

// Pay books a settlement on the card.
func (k *Card) Pay(amount unit.Cents, now unit.Instant) {
	k.MonthSpent = k.SpentIn(now) + amount
	k.Month = now.Month()
	k.Balance -= amount
	k.Spent += amount
}

// Receive books a refund on the card. A refund of an earlier month does not make
// the spending of this one negative.
func (k *Card) Receive(amount unit.Cents, now unit.Instant) {
	k.MonthSpent = max(0, k.SpentIn(now)-amount)
	k.Month = now.Month()
	k.Balance += amount
	k.Spent -= amount
}
