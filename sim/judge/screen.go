package judge

import (
	"slices"
	"strings"
	"time"
)

// walletLate is how old a wallet on a screen may be without a mark: two polls of 10 s, and a request.
const walletLate = 25 * time.Second

// showsTheBooks holds that the wallet on a screen is the one of the books, not long ago.
func (r *Run) showsTheBooks(add func(string, ...any)) {
	for _, s := range r.Seen {
		if s.Marked {
			continue
		}
		right := r.hadWallet(s.At.Add(-walletLate), s.At, func(cents int64) bool { return cents == s.Wallet })
		if !right {
			add("at %s %s shows a wallet of %s, which it did not have in the last %s (%s):\n%s", s.At.Format(time.DateTime), s.Place, dollars(s.Wallet), walletLate, r.walletsUntil(s.At), s.Screen)
		}
	}
}

// hadWallet reports whether the wallet had, at a moment between two, what is looked for.
func (r *Run) hadWallet(from, to time.Time, is func(cents int64) bool) bool {
	had := Wallet{Cents: r.Before.Wallet}
	for _, w := range append(slices.Clone(r.Wallets), Wallet{At: to.Add(time.Hour)}) {
		// What the wallet had until the next write.
		if !had.At.After(to) && !w.At.Before(from) && is(had.Cents) {
			return true
		}
		had = w
	}
	return false
}

// walletsUntil are the last balances of the wallet until a moment.
func (r *Run) walletsUntil(at time.Time) string {
	var all []string
	for _, w := range r.Wallets {
		if !w.At.After(at) {
			all = append(all, w.At.Format(time.TimeOnly)+" "+dollars(w.Cents))
		}
	}
	return strings.Join(all[max(0, len(all)-4):], ", ")
}

// showsCodes holds that codes are on the screen in time, and that the newest is what is copied.
func (r *Run) showsCodes(add func(string, ...any)) {
	for _, c := range r.Codes {
		switch {
		case c.Hidden && (c.Seen || c.Copied):
			add("the code of %s at %s is shown to somebody who may not see the card:\n%s", c.Card, c.At.Format(time.DateTime), c.Screen)
		case c.Hidden:
		case !c.Seen:
			add("the code of %s at %s is not on the screen:\n%s", c.Card, c.At.Format(time.DateTime), c.Screen)
		case !c.Copied:
			add("the code of %s at %s is not what was copied:\n%s", c.Card, c.At.Format(time.DateTime), c.Screen)
		}
	}
}

// alertLate is how old a figure may be that a program without a screen alerts by: programs share the limit of a key.
const alertLate = 5 * time.Minute

// alertsOnce holds that a program tells once that the wallet is low, until it was not.
func (r *Run) alertsOnce(add func(string, ...any)) {
	for _, times := range r.Alerts {
		for i, at := range times {
			if i > 0 && !r.hadWallet(times[i-1].Add(-walletLate), at, func(cents int64) bool { return cents >= r.Low }) {
				add("at %s and at %s a program alerts that the wallet is low, and it was all along", times[i-1].Format(time.DateTime), at.Format(time.DateTime))
			}
			if !r.hadWallet(at.Add(-alertLate), at.Add(time.Second), func(cents int64) bool { return cents < r.Low }) { // It tells whole seconds.
				add("at %s a program alerts that the wallet is low, and it was not (%s)", at.Format(time.DateTime), r.walletsUntil(at))
			}
		}
	}
}
