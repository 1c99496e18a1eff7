package judge

import (
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

// hourMost is how many requests an hour the provider allows. Programs may wait before: others may need the rest.
const hourMost = 10_000

// limitsTruly holds that a screen that says it is slowed by the limit of requests has a reason.
func (r *Run) limitsTruly(add func(string, ...any)) {
	for _, l := range r.Limited {
		if l.Requests < hourMost/2 {
			add("at %s a screen says that requests are limited, after %d of an hour:\n%s", l.At.Format(time.DateTime), l.Requests, l.Screen)
		}
	}
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

// Pressed is a key that a screen shows and that was pressed while the provider answered.
type Pressed struct {
	At     time.Time
	Says   string // What the screen says that the key does.
	Does   bool   // Whether it did, or the screen says why not.
	Before string // The line that says it.
	Screen string // Afterwards.
}

// doesWhatKeysSay holds that a key does what a screen says that it does.
func (r *Run) doesWhatKeysSay(add func(string, ...any)) {
	for _, p := range r.Pressed {
		if !p.Does {
			add("at %s the key for %q of the line\n%s\ndid not do it:\n%s", p.At.Format(time.DateTime), p.Says, p.Before, p.Screen)
		}
	}
}
