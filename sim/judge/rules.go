package judge

import (
	"slices"
	"strings"
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

// ruleSpan is within how much time a rule acts on a card that it is for, and ruleFunds what it moves, cents.
const (
	ruleSpan  = 4 * time.Minute
	ruleFunds = 7_77
)

// ruleActs checks that a program that acts by the rule does so when there is a card for it and nothing forbids it.
func (r *Run) ruleActs(last map[string]Told, add func(string, ...any)) {
	for _, a := range r.Asked {
		if !isRule(a) || a.Killed || a.To.Sub(a.From) < ruleSpan || r.MaxDay > 0 || !r.healthy(a.From.Add(-ruleSpan), a.To) {
			continue
		}
		if r.hadWallet(a.From, a.To, func(cents int64) bool { return cents < ruleFunds }) {
			continue
		}
		used, acts := int64(0), make(map[string]time.Time) // By card, the last.
		for _, b := range r.Acts {
			t, known := last[b.Key]
			if !known || t.Rule == "" || t.Machine != a.Who || b.At.After(a.To) {
				continue
			}
			if acts[b.Card] = b.At; b.At.After(a.To.Add(-24 * time.Hour)) {
				used += b.Cents
			}
		}
		for id := range r.Before.Cards {
			if used+ruleFunds <= r.RuleDay && acts[id].Before(a.From.Add(-RuleRest)) && r.isForRule(id, a) && !r.waits(a.Who, id, a.To) {
				add("%s ran from %s to %s and did not fund %s", a.Line, a.From.Format(time.DateTime), a.To.Format(time.TimeOnly), id)
				break
			}
		}
	}
}

// waits reports whether what a machine asked of a card was unconfirmed at a moment: nothing more moves to it.
func (r *Run) waits(machine, card string, at time.Time) bool {
	until := slices.DeleteFunc(slices.Clone(r.History), func(t Told) bool { return t.Machine != machine || t.Card != card || t.At.After(at) })
	for _, t := range outcomes(until) {
		if t.Outcome == "unknown" {
			return true
		}
	}
	return false
}

// isRule reports whether a program acts by the rule.
func isRule(a Asked) bool {
	return strings.HasPrefix(a.Line, "watch ") && strings.Contains(a.Line, "--act")
}

// isForRule reports whether the rule is for a card all the time that a program runs.
func (r *Run) isForRule(id string, a Asked) bool {
	from := a.From.Add(-walletLate)
	return !r.Misread[id] && !r.Others[id] &&
		all(r.statuses(id, from, a.To), func(status string) bool { return status == "active" }) &&
		!had(r.Before.Cards[id].Cents, r.balances(id), from, a.To, func(cents int64) bool { return cents >= RuleBelow })
}
