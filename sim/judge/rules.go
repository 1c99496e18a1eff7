package judge

import "time"

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
