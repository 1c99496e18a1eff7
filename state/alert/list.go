package alert

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/ledger"
)

// SnoozeFor is how long the user is not reminded of an alert.
const SnoozeFor = time.Hour

// kept bounds the alerts about anything but the key and the wallet's balance.
const kept = 500

// List holds the alerts. The zero value is empty.
type List struct {
	words *lang.Words // of the screen
	rows  []Alert
	// done is up to when the user knows of a card's declines, on the server's clock:
	// a storm of retries that began before does not alert again.
	done map[api.CardID]time.Time
	// passed reports whether there was no room for an alert.
	passed bool
	news   []Alert
}

// News returns the alerts that have begun since it was asked for last, but for what was
// so when it was first checked.
func (l *List) News() []Alert {
	news := l.news
	l.news = nil
	return news
}

// All lists the alerts: those the user has to see first, the worst of them on top, and of
// those that are as bad the latest.
func (l *List) All(now time.Time) []Alert {
	rows := slices.Clone(l.rows)
	slices.SortStableFunc(rows, func(a, b Alert) int {
		x, y := a.Quiet(now), b.Quiet(now)
		switch {
		case x != y && x:
			return 1
		case x != y:
			return -1
		}
		return a.compare(&b)
	})
	return rows
}

// Speak has the alerts say what they say in the language of some words.
func (l *List) Speak(w *lang.Words) {
	if w == l.words {
		return
	}
	l.words = w
	for i := range l.rows {
		if a := &l.rows[i]; a.say != nil {
			a.Shown = a.say(w)
		}
	}
}

// Saying returns an alert with its text.
func (l *List) Saying(a Alert, text func(*lang.Words) string) Alert {
	a.say, a.Text, a.Shown = text, text(nil), text(l.words)
	return a
}

// Open counts those that the user has not seen and not put off.
func (l *List) Open(now time.Time) int {
	n := 0
	for i := range l.rows {
		if !l.rows[i].Quiet(now) {
			n++
		}
	}
	return n
}

// Len counts the alerts.
func (l *List) Len() int { return len(l.rows) }

// Each calls visit with each alert, in no order. It may not change the list.
func (l *List) Each(visit func(*Alert)) {
	for i := range l.rows {
		visit(&l.rows[i])
	}
}

// Raise begins an alert, or brings one that is there up to date, and reports whether
// anything changed. What is new is news, unless it is known: so when it was first
// checked.
func (l *List) Raise(a Alert, known bool) (changed bool) {
	if have := l.Find(a.ID); have != nil {
		if have.Text == a.Text && have.Level == a.Level {
			return false
		}
		have.Text, have.Shown, have.Level, have.say = a.Text, a.Shown, a.Level, a.say
		if a.Kind.happened() {
			have.Count, have.Since, have.Transaction = a.Count, a.Since, a.Transaction
		}
		return true
	}
	if len(l.rows) >= kept && a.Kind > WalletLow {
		l.passed = true
		return false // So many say it as well.
	}
	a.AtLeast = known && a.Kind != DepositPending
	l.rows = append(l.rows, a)
	if !known {
		l.news = append(l.news, a)
	}
	return true
}

// HasRoom reports, once, that there is room for alerts again that had none.
func (l *List) HasRoom() bool {
	if !l.passed || len(l.rows) >= kept {
		return false
	}
	l.passed = false
	return true
}

// End ends an alert whose cause is over, and reports whether there was one.
func (l *List) End(id ID) bool { return l.EndIf(func(a *Alert) bool { return a.ID == id }) }

// EndIf ends the alerts that a function names, and reports whether there were any.
func (l *List) EndIf(over func(*Alert) bool) bool {
	before, stay := len(l.rows), 0
	for i := range l.rows { // slices.DeleteFunc would allocate each of them.
		if over(&l.rows[i]) {
			continue
		}
		if stay < i {
			l.rows[stay] = l.rows[i]
		}
		stay++
	}
	clear(l.rows[stay:])
	l.rows = l.rows[:stay]
	return stay != before
}

// Find returns the alert of an id; nil when there is none.
func (l *List) Find(id ID) *Alert {
	for i := range l.rows {
		if l.rows[i].ID == id {
			return &l.rows[i]
		}
	}
	return nil
}

// Level is that of the alert of a kind about a scope; 0 for none.
func (l *List) Level(k Kind, s ledger.Scope) int {
	if a := l.Find(idOf(k, s)); a != nil {
		return a.Level
	}
	return 0
}

// Acknowledge marks an alert as seen, or as unseen again. One about what happened is
// removed: nothing else ends it. Server is the time on the server's clock.
func (l *List) Acknowledge(id ID, server time.Time) (changed bool) {
	a := l.Find(id)
	switch {
	case a == nil:
		return false
	case a.Kind.happened():
		if a.Kind != NewCountry {
			l.know(a.Card, server)
		}
		return l.End(id)
	}
	a.Seen = !a.Seen
	return true
}

// know records up to when the user knows of a card's declines.
func (l *List) know(card api.CardID, server time.Time) {
	if l.done == nil || len(l.done) >= kept {
		l.done = make(map[api.CardID]time.Time)
	}
	l.done[card] = server
}

// Snooze puts an alert off for SnoozeFor, or ends that.
func (l *List) Snooze(id ID, now time.Time) (changed bool) {
	a := l.Find(id)
	if a == nil {
		return false
	}
	if now.Before(a.Snoozed) {
		a.Snoozed = time.Time{}
	} else {
		a.Snoozed = now.Add(SnoozeFor)
	}
	return true
}

// Remind makes news of the alerts that were put off until a time since the last one, and
// reports whether there are any.
func (l *List) Remind(last, now time.Time) (changed bool) {
	for _, a := range l.rows {
		if last.Before(a.Snoozed) && !now.Before(a.Snoozed) {
			changed = true
			if !a.Seen {
				l.news = append(l.news, a)
			}
		}
	}
	return changed
}
