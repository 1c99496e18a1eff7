package sandbox

import "github.com/cardtop/cardtop/api/sandbox/unit"

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
