package rule

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
)

// Done is an action that a rule took, or may have: what is not known to have failed
// counts.
type Done struct {
	Key  api.IdempotencyKey
	Rule string
	Card api.CardID
	// Amount is the larger of what was asked for and what the answer says moved, USD.
	Amount api.USD
	// At is when it was last known of, this machine's clock; of one that is Open when
	// it was asked for.
	At time.Time
	// Open reports whether it has no answer: it counts however long ago it began.
	Open bool
}

// Used is what a rule did in the last day.
type Used struct {
	Amount  api.USD
	Actions int
	// cards are sums by card, and when each was last acted on.
	cards map[api.CardID]usedCard
}

type usedCard struct {
	amount api.USD
	last   time.Time
	open   bool
}

// Use sums up what a rule did.
func (r *Rule) Use(done []Done, now time.Time) Used {
	u := Used{cards: make(map[api.CardID]usedCard)}
	for i := range done {
		d := &done[i]
		if d.Rule != r.Name || !d.Open && now.Sub(d.At) >= Day {
			continue
		}
		u.add(d.Card, d.Amount, d.At, d.Open)
	}
	return u
}

func (u *Used) add(id api.CardID, amount api.USD, at time.Time, open bool) {
	u.Amount += amount
	u.Actions++
	c := u.cards[id]
	c.amount += amount
	c.open = c.open || open
	if at.After(c.last) {
		c.last = at
	}
	u.cards[id] = c
}

// Admit returns why the caps refuse an action now; empty when they do not. It is
// asked again before each request, with what all programs of the profile did.
func (r *Rule) Admit(w *lang.Words, u *Used, id api.CardID, amount api.USD, now time.Time) string {
	switch c := u.cards[id]; {
	case c.open:
		return w.T("an operation is under way")
	case !r.rested(c, now):
		return w.Tf("cooldown until %s", c.last.Add(r.Cooldown).Local().Format("15:04"))
	case r.MaxActions > 0 && u.Actions >= r.MaxActions:
		return w.Tf("max_actions reached: %d in 24 h", u.Actions)
	case r.MaxDay > 0 && u.Amount+amount > r.MaxDay:
		return w.Tf("%s of %s a day used", w.Dollars(u.Amount), w.Dollars(r.MaxDay))
	case r.MaxCard > 0 && c.amount+amount > r.MaxCard:
		return w.Tf("%s of %s a card and day used", w.Dollars(c.amount), w.Dollars(r.MaxCard))
	}
	return ""
}

// rested reports whether the cooldown of a card is over. A clock that was set back
// leaves it on.
func (r *Rule) rested(c usedCard, now time.Time) bool {
	return c.last.IsZero() || now.Sub(c.last) >= r.Cooldown
}

// room is the most that the caps let move to or from a card now, USD; no more than
// want.
func (r *Rule) room(u *Used, id api.CardID, want api.USD) api.USD {
	if r.MaxDay > 0 {
		want = min(want, r.MaxDay-u.Amount)
	}
	if r.MaxCard > 0 {
		want = min(want, r.MaxCard-u.cards[id].amount)
	}
	return max(0, want)
}
