package sim

import (
	"encoding/binary"
	"fmt"
)

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
