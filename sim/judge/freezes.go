package judge

import (
	"slices"
	"time"
)

// Toggle is the verb of a key that freezes an active card and unfreezes a frozen one.
const Toggle = "toggle"

// freezeLate is how long after a request the provider may freeze a card: a program sends it again until it has an answer.
const freezeLate = 30 * time.Minute

// status is the card's status after a verb; empty for a verb that leaves it as it is.
func status(verb string) string {
	return map[string]string{"freeze": "frozen", "unfreeze": "active"}[verb]
}

// freezesWhatIsAsked checks that no card is frozen or unfrozen unless somebody who may do it asked for it.
func (r *Run) freezesWhatIsAsked(add func(string, ...any)) {
	for _, b := range r.Acts {
		if status(b.Verb) != "" && !slices.ContainsFunc(r.Asked, func(a Asked) bool { return r.mayFreeze(&a, b) }) {
			add("at %s the provider was asked to %s %s, by nobody who may", b.At.Format(time.DateTime), b.Verb, b.Card)
		}
	}
}

func (r *Run) mayFreeze(a *Asked, b Act) bool {
	return (a.Verb == b.Verb || a.Verb == Toggle) && slices.Contains(a.Cards, b.Card) && a.Role != Viewer &&
		!b.At.Before(a.From) && !b.At.After(a.To.Add(freezeLate)) &&
		(!a.Part || r.mayHaveBeen(b.Card, a.From.Add(-ScopeLate), a.To))
}

// hasToFreeze reports whether one card has to be frozen or unfrozen for what is asked to be done: it was otherwise for as
// long as a hub may not have read it again.
func (r *Run) hasToFreeze(a *Asked) bool {
	want := status(a.Verb)
	if want == "" || len(a.Cards) != 1 || r.Misread[a.Cards[0]] || r.Others[a.Cards[0]] {
		return false
	}
	return !slices.Contains(r.statuses(a.Cards[0], a.From.Add(-hubLate), a.From.Add(-1)), want) // It may be done at once.
}

// freezesTruly checks that a card is as a command says that it has made it, whether it had to or not.
func (r *Run) freezesTruly(add func(string, ...any)) {
	for _, a := range r.Asked {
		want := status(a.Verb)
		if want == "" || a.Exit != 0 || a.Killed || a.Screen || len(a.Cards) != 1 {
			continue
		}
		id := a.Cards[0]
		if r.Misread[id] || r.Others[id] || r.froze(id, time.Time{}) {
			continue
		}
		is := r.Before.Cards[id].Status
		for _, b := range r.Acts {
			if status := status(b.Verb); b.Card == id && !b.At.After(a.To) && status != "" {
				is = status
			}
		}
		if is != want {
			add("%s said done, and the card is %s", a.Line, is)
		}
	}
}

// freezesAsTold checks that a card is as its last freeze or unfreeze left it.
func (r *Run) freezesAsTold(last map[string]Told, add func(string, ...any)) {
	at, want := make(map[string]time.Time), make(map[string]string)
	for key, t := range last {
		status := status(t.Action)
		if when, acted := r.Acted[key]; status != "" && acted && done(t) && when.After(at[t.Card]) {
			at[t.Card], want[t.Card] = when, status
		}
	}
	for id, status := range want {
		now := r.After.Cards[id].Status
		if now != status && !r.Others[id] && (now != "frozen" || !r.froze(id, at[id])) {
			add("%s is %s; what was done last made it %s", id, now, status)
		}
	}
}

// froze reports whether the provider froze a card after a moment. It does so below the card's own threshold, which no
// answer contains.
func (r *Run) froze(id string, since time.Time) bool {
	return slices.ContainsFunc(r.Acts, func(a Act) bool { return a.Card == id && a.Verb == "withdraw" && a.Frozen && !a.At.Before(since) }) ||
		slices.ContainsFunc(r.Charges, func(c Charge) bool { return c.Card == id && c.Frozen && !c.At.Before(since) })
}
