package judge

import (
	"slices"
	"time"
)

// Balance is what the wallet or a card has from a moment on.
type Balance struct {
	At    time.Time
	Cents int64
}

// Held is a card's balance as a program reports it.
type Held struct {
	From, To time.Time // When it was read.
	Card     string
	Cents    int64
	Place    string // A screen or a command.
	Screen   string
}

// heldLate is how old the balance of a card may be on a screen that is used.
const heldLate = 45 * time.Second

// had reports whether a balance met a condition at a moment between two. It was first before the first change.
func had(first int64, changes []Balance, from, to time.Time, is func(cents int64) bool) bool {
	b := Balance{Cents: first}
	for _, next := range append(slices.Clone(changes), Balance{At: to.Add(time.Hour)}) {
		if !b.At.After(to) && !next.At.Before(from) && is(b.Cents) {
			return true
		}
		b = next
	}
	return false
}

// hadWallet reports whether the wallet met a condition at a moment between two.
func (r *Run) hadWallet(from, to time.Time, is func(cents int64) bool) bool {
	return had(r.Before.Wallet, r.Wallets, from, to, is)
}

// balances returns what a card had after each change.
func (r *Run) balances(id string) []Balance {
	var all []Balance
	for _, a := range r.Acts {
		if a.Card == id && sign(a.Verb) != 0 {
			all = append(all, Balance{a.At, a.Left})
		}
	}
	for _, c := range r.Charges {
		if c.Card == id {
			all = append(all, Balance{c.At, c.Left})
		}
	}
	slices.SortStableFunc(all, func(a, b Balance) int { return a.At.Compare(b.At) })
	return all
}

// showsBalances checks that each reported balance of a card is one that the card had shortly before.
func (r *Run) showsBalances(add func(string, ...any)) {
	for _, h := range r.Held {
		had := had(r.Before.Cards[h.Card].Cents, r.balances(h.Card), h.From.Add(-heldLate), h.To, func(cents int64) bool { return cents == h.Cents })
		if !had {
			add("at %s %s shows %s on %s, which it did not have in the last %s\n%s", h.To.Format(time.DateTime), h.Place, dollars(h.Cents), h.Card, heldLate, h.Screen)
		}
	}
}
