// Package sim holds the rules of a simulated card scheme and everything that the
// sandbox invents from its seed: identifiers, card numbers, merchants, crypto
// currencies, and the history of a new world. It is pure: no I/O, and no clock but
// the caller's.
package sim

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
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

// PAN returns the full number of a card: its BIN, nine digits that no other card
// has, and the check digit.
func (w World) PAN(bin string, seq int64) string {
	// The multiplier has no factor in common with 10^9, so that this permutes
	// the account numbers.
	const accounts, multiplier = 1_000_000_000, 387_420_489
	number := (seq*multiplier + int64(w.Seed%accounts)) % accounts
	digits := fmt.Sprintf("%s%09d", bin, number)
	return digits + string(rune('0'+LuhnDigit(digits)))
}

// LuhnDigit returns the check digit of a number (ISO/IEC 7812-1).
func LuhnDigit(digits string) int {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return (10 - sum%10) % 10
}

// Last4 returns the last four digits of a card's number.
func (w World) Last4(k *Card) string {
	pan := w.PAN(k.BIN, k.Seq)
	return pan[len(pan)-4:]
}

// CVV returns the verification value of a card.
func (w World) CVV(seq int64) string {
	sum := w.Digest("cvv", seq)
	return fmt.Sprintf("%03d", binary.BigEndian.Uint32(sum[:])%1000)
}

// Address is the billing address of a card, as the contract has it.
type Address struct {
	Line1   string `json:"line1"`
	City    string `json:"city"`
	State   string `json:"state"`
	Zip     string `json:"zip"`
	Country string `json:"country"`
}

// Holder returns an invented name for a card.
func (w World) Holder(seq int64) string {
	first := []string{"Alex", "Dana", "Jordan", "Kim", "Lee", "Maria", "Noor", "Pat", "Robin", "Sasha", "Taylor", "Yuki"}
	last := []string{"Abbot", "Brandt", "Castell", "Dvorak", "Ekberg", "Farrow", "Greco", "Halloran", "Ivers", "Kestrel", "Lindqvist", "Marlowe"}
	sum := w.Digest("holder", seq)
	return first[int(sum[0])%len(first)] + " " + last[int(sum[1])%len(last)]
}

// Address returns an invented billing address for a card.
func (w World) Address(seq int64) Address {
	streets := []string{"Alder Lane", "Birch Street", "Copper Road", "Dune Avenue", "Elm Court", "Foundry Way", "Granite Drive"}
	towns := []Address{
		{City: "Fairhollow", State: "DE", Zip: "19999", Country: "US"},
		{City: "Maplewick", State: "NY", Zip: "10999", Country: "US"},
		{City: "Port Linden", State: "CA", Zip: "94999", Country: "US"},
		{City: "Stonebrook", State: "TX", Zip: "75999", Country: "US"},
		{City: "Westerfield", State: "WA", Zip: "98999", Country: "US"},
	}
	sum := w.Digest("address", seq)
	a := towns[int(sum[0])%len(towns)]
	a.Line1 = fmt.Sprintf("%d %s", 1+int(sum[1]), streets[int(sum[2])%len(streets)])
	return a
}

// OTP returns the six-digit code of a challenge.
func (w World) OTP(seq int64) string {
	sum := w.Digest("otp", seq)
	return fmt.Sprintf("%06d", binary.BigEndian.Uint32(sum[:])%1_000_000)
}

// BIN is the contract's BIN. Its id is numeric and begins every card number of
// its range (ASSUMED 25); the ranges are ones that networks publish for tests
// (ASSUMED 28). The two wallet providers are those of ASSUMED 26.
type BIN struct {
	ID             string     `json:"id"`
	Network        string     `json:"network"`
	Type           string     `json:"type"`
	IssuerCountry  string     `json:"issuer_country"`
	ThreeDS        bool       `json:"3ds"`
	ApplePay       bool       `json:"apple_pay"`
	GooglePay      bool       `json:"google_pay"`
	MaxTransaction unit.Cents `json:"max_transaction"`
	MaxMonthly     unit.Cents `json:"max_monthly"`
	Acceptance     float64    `json:"acceptance_rate"` // per cent
	BestFor        []string   `json:"best_for"`
}

// BINs returns the ranges that cards can be issued from.
func BINs() []BIN {
	return []BIN{
		{
			ID: "424242", Network: "visa", Type: "advertising", IssuerCountry: "US", ThreeDS: true, ApplePay: true, GooglePay: true,
			MaxTransaction: 500_000, MaxMonthly: 5_000_000, Acceptance: 98.4, BestFor: []string{"facebook_ads", "google_ads"},
		},
		{
			ID: "555555", Network: "mastercard", Type: "advertising", IssuerCountry: "US", ThreeDS: true, ApplePay: true, GooglePay: true,
			MaxTransaction: 750_000, MaxMonthly: 10_000_000, Acceptance: 97.9, BestFor: []string{"tiktok_ads", "google_ads"},
		},
		{
			ID: "411111", Network: "visa", Type: "advertising", IssuerCountry: "GB", ThreeDS: true, GooglePay: true,
			MaxTransaction: 300_000, MaxMonthly: 2_500_000, Acceptance: 96.2, BestFor: []string{"native_ads", "search_ads"},
		},
		{
			ID: "222300", Network: "mastercard", Type: "advertising", IssuerCountry: "LT", ThreeDS: true,
			MaxTransaction: 200_000, MaxMonthly: 2_000_000, Acceptance: 95.1, BestFor: []string{"testing", "tiktok_ads"},
		},
		{
			ID: "401288", Network: "visa", Type: "everyday", IssuerCountry: "US", ThreeDS: true, ApplePay: true, GooglePay: true,
			MaxTransaction: 150_000, MaxMonthly: 1_000_000, Acceptance: 99.1, BestFor: []string{"saas", "subscriptions"},
		},
		{
			ID: "510510", Network: "mastercard", Type: "everyday", IssuerCountry: "DE", ThreeDS: true, ApplePay: true,
			MaxTransaction: 100_000, MaxMonthly: 1_000_000, Acceptance: 98.7, BestFor: []string{"hosting", "travel"},
		},
	}
}

// BINOf returns the BIN of an id, or the zero BIN.
func BINOf(id string) BIN {
	for _, b := range BINs() {
		if b.ID == id {
			return b
		}
	}
	return BIN{}
}
