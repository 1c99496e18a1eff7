package judge

import (
	"slices"
	"strings"
	"time"
)

// listsWhole holds that a list that says it is whole has each card once.
func (r *Run) listsWhole(add func(string, ...any)) {
	for _, l := range r.Listed {
		seen := make(map[string]bool)
		for _, id := range l.IDs {
			if seen[id] {
				add("a list has %s twice", id)
			}
			seen[id] = true
			if _, ours := r.Before.Cards[id]; !ours {
				add("a list has %s, which is not of the account", id)
			}
		}
		for id, card := range r.Before.Cards {
			fits := !l.Part || strings.HasPrefix(card.Label, r.Scope)
			switch {
			case l.Part && r.relabelled(id), l.Active && (card.Status != "active" || r.changes(id)):
			case fits && !seen[id]:
				add("a list lacks %s and says that it is whole", id)
			case !fits && seen[id]:
				add("a list has %s, which who asks may not see", id)
			}
		}
	}
}

// relabelled reports whether a card was given another label.
func (r *Run) relabelled(id string) bool {
	return r.Misread[id] || slices.ContainsFunc(r.Labels, func(l Label) bool { return l.Card == id })
}

// changes reports whether a card was not active all along.
func (r *Run) changes(id string) bool {
	return r.Others[id] || r.Misread[id] || r.froze(id, time.Time{}) || slices.ContainsFunc(r.Acts, func(a Act) bool { return a.Card == id && sign(a.Verb) == 0 })
}

// keepsLevels holds that what brings a card to a balance leaves no more on it.
func (r *Run) keepsLevels(add func(string, ...any)) {
	for _, a := range r.Asked {
		if a.Level == 0 || a.Killed {
			continue
		}
		for _, b := range r.Acts {
			within := !b.At.Before(a.From) && !b.At.After(a.To)
			if within && b.Verb == a.Verb && slices.Contains(a.Cards, b.Card) && b.Left > a.Level && !r.moves(b) {
				add("%s was brought to %s at most, and had %s: %s", b.Card, dollars(a.Level), dollars(b.Left), a.Line)
			}
		}
	}
}

// moves reports whether an act was asked for by its amount.
func (r *Run) moves(b Act) bool {
	return slices.ContainsFunc(r.Asked, func(a Asked) bool {
		return a.Level == 0 && a.Verb == b.Verb && a.Cents == b.Cents && slices.Contains(a.Cards, b.Card)
	})
}

// ScopeLate is how long before a request a label may have changed that it is judged by.
const ScopeLate = 2 * time.Second

// keepsScopes holds that nobody changes a card that they may not see.
func (r *Run) keepsScopes(add func(string, ...any)) {
	for _, b := range r.Acts {
		line, may := "", false
		for _, a := range r.Asked {
			if a.Verb == b.Verb && a.Cents == b.Cents && b.Cents != 0 && slices.Contains(a.Cards, b.Card) {
				line, may = a.Line, may || !a.Part || r.mayHaveBeen(b.Card, a.From.Add(-ScopeLate), a.To)
			}
		}
		if line != "" && !may {
			add("%s acts on %s, which who asks may not see", line, b.Card)
		}
	}
}

// mayHaveBeen reports whether a card had a label of the scope at a moment between two.
func (r *Run) mayHaveBeen(id string, from, to time.Time) bool {
	label := r.Before.Cards[id].Label
	for _, l := range r.Labels {
		if l.Card != id {
			continue
		}
		if l.At.After(to) {
			break
		}
		if !l.At.Before(from) && strings.HasPrefix(label, r.Scope) {
			return true
		}
		label = l.Label
	}
	return strings.HasPrefix(label, r.Scope)
}
