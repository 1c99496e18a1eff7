package judge

import (
	"slices"
	"time"
)

// What the rule of a machine says: it funds an active card below RuleBelow, and then none of its own within RuleRest.
const (
	RuleBelow = 250_00 // Cents.
	RuleRest  = 10 * time.Minute
)

// keepsRule checks that a rule acts on the cards that it is for, and rests between.
func (r *Run) keepsRule(last map[string]Told, add func(string, ...any)) {
	acted, moved := make(map[string]time.Time), make(map[string]time.Time)
	for _, b := range r.Acts {
		at, is := moved[b.Card]
		fresh := is && b.At.Sub(at) < walletLate // Another program's: a rule goes by what it has read.
		moved[b.Card] = b.At
		t, ok := last[b.Key]
		if !ok || t.Rule == "" {
			continue
		}
		if had := b.Left - b.Cents; (had >= RuleBelow || b.Frozen) && !fresh && !r.Misread[b.Card] {
			add("a rule funds %s, which had %s (frozen: %t)", b.Card, dollars(had), b.Frozen)
		}
		who := t.Machine + " " + b.Card
		if before, again := acted[who]; again && b.At.Sub(before) < RuleRest-time.Second {
			add("a rule funds %s %s after the last time", b.Card, b.At.Sub(before))
		}
		acted[who] = b.At
	}
}

// freezesTruly checks that a card is as a command says that it has made it, whether it had to or not.
func (r *Run) freezesTruly(add func(string, ...any)) {
	to := map[string]string{"freeze": "frozen", "unfreeze": "active"}
	for _, a := range r.Asked {
		want := to[a.Verb]
		if want == "" || a.Exit != 0 || a.Killed || a.Screen || len(a.Cards) != 1 {
			continue
		}
		id := a.Cards[0]
		if r.Misread[id] || r.Others[id] || r.froze(id, time.Time{}) {
			continue
		}
		is := r.Before.Cards[id].Status
		for _, b := range r.Acts {
			if status := to[b.Verb]; b.Card == id && !b.At.After(a.To) && status != "" {
				is = status
			}
		}
		if is != want {
			add("%s said done, and the card is %s", a.Line, is)
		}
	}
}

// freezesAsTold holds that a card is as its last freeze or unfreeze left it.
func (r *Run) freezesAsTold(last map[string]Told, add func(string, ...any)) {
	at, want := make(map[string]time.Time), make(map[string]string)
	for key, t := range last {
		status, ok := map[string]string{"freeze": "frozen", "unfreeze": "active"}[t.Action]
		if when, acted := r.Acted[key]; ok && acted && done(t) && when.After(at[t.Card]) {
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

// froze reports whether the provider froze a card after a moment, as it does below the card's own threshold, which it tells
// nobody.
func (r *Run) froze(id string, since time.Time) bool {
	return slices.ContainsFunc(r.Acts, func(a Act) bool { return a.Card == id && a.Verb == "withdraw" && a.Frozen && !a.At.Before(since) }) ||
		slices.ContainsFunc(r.Charges, func(c Charge) bool { return c.Card == id && c.Frozen && !c.At.Before(since) })
}
