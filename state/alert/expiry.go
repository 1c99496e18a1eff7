package alert

import (
	"slices"
	"strconv"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
)

// Expiry is how many cards expire within some days, or have expired when Days is 0, and what they
// hold, USD. Card is one of them; New reports whether one came to them since the last time.
type Expiry struct {
	Days, N int
	Sum     api.USD
	Card    api.CardID
	New     bool
}

const expiresPrefix = "expires "

func (e *Expiry) id() ID {
	if e.Days == 0 {
		return "expired"
	}
	return ID(expiresPrefix + strconv.Itoa(e.Days))
}

// DaysOf returns within how many days the cards expire that an alert is about; false when it is
// about something else.
func DaysOf(a *Alert) (days string, ok bool) {
	if a.Kind != ExpiresSoon {
		return "", false
	}
	return string(a.ID[len(expiresPrefix):]), true
}

func (e *Expiry) say(w *lang.Words) string {
	if e.Days == 0 {
		return w.Tf("%s, %s to withdraw", w.Tn(e.N, "%d card expired", "%d cards expired"), w.Dollars(e.Sum))
	}
	return w.Tf("%s within %d d, balance %s", w.Tn(e.N, "%d card expires", "%d cards expire"), e.Days, w.Dollars(e.Sum))
}

// Expiries raises the alerts of cards that expire, one for each number of days, and ends the
// others. Each card is news once.
func (l *List) Expiries(all []Expiry, now time.Time) (changed bool) {
	changed = l.EndIf(func(a *Alert) bool {
		return (a.Kind == ExpiresSoon || a.Kind == Expired) && !slices.ContainsFunc(all, func(e Expiry) bool { return e.N > 0 && e.id() == a.ID })
	})
	for _, e := range all {
		if e.N > 0 {
			changed = l.expiry(e, now) || changed
		}
	}
	return changed
}

func (l *List) expiry(e Expiry, now time.Time) (changed bool) {
	a := Alert{ID: e.id(), Kind: ExpiresSoon, Since: now}
	if e.Days == 0 {
		a.Kind = Expired
	}
	if e.N == 1 {
		a.Card = e.Card
	}
	if have := l.Find(a.ID); have != nil && (e.New || have.Card != a.Card) {
		if !e.New {
			a.Since, a.Seen, a.Snoozed = have.Since, have.Seen, have.Snoozed
		}
		changed = l.End(a.ID)
	}
	return l.Raise(l.Saying(a, e.say), !e.New) || changed
}
