package judge

import (
	"slices"
	"strings"
	"time"
)

// listsWhole holds that a list that says it is whole has each card once.
func (r *Run) listsWhole(add func(string, ...any)) {
	late := listLate
	if len(r.Hubs) > 0 {
		late = hubLate
	}
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
		for id := range r.Before.Cards {
			labels, statuses := r.labels(id, l.From.Add(-late), l.To), r.statuses(id, l.From.Add(-late), l.To)
			mine := func(label string) bool { return !l.Part || strings.HasPrefix(label, r.Scope) }
			active := func(status string) bool { return !l.Active || status == "active" }
			switch {
			case r.Misread[id], l.Active && r.Others[id]:
			case !l.Some && !seen[id] && all(labels, mine) && all(statuses, active):
				add("a list lacks %s and says that it is whole", id)
			case seen[id] && !slices.ContainsFunc(labels, mine):
				add("a list has %s, which who asks may not see", id)
			case seen[id] && !slices.ContainsFunc(statuses, active):
				add("a list of active cards has %s, which is %s", id, statuses[0])
			}
		}
	}
}

// listLate is how old the labels and statuses of a list may be, hubLate those of a hub, which answers from what it read
// last: while requests come to harm that is some sweeps ago.
const (
	listLate = time.Minute
	hubLate  = 15 * time.Minute
)

func all(values []string, is func(string) bool) bool {
	return !slices.ContainsFunc(values, func(v string) bool { return !is(v) })
}

// labels are those that a card had between two moments.
func (r *Run) labels(id string, from, to time.Time) []string {
	had := []string{r.Before.Cards[id].Label}
	for _, l := range r.Labels {
		switch {
		case l.Card != id, l.At.After(to):
		case l.At.Before(from):
			had = []string{l.Label}
		default:
			had = append(had, l.Label)
		}
	}
	return had
}

// statuses are those that a card had between two moments.
func (r *Run) statuses(id string, from, to time.Time) []string {
	type change struct {
		at     time.Time
		frozen bool
	}
	var changes []change
	for _, b := range r.Acts { // The provider may freeze a card by a withdrawal.
		if b.Card == id {
			changes = append(changes, change{b.At, b.Frozen})
		}
	}
	for _, c := range r.Charges {
		if c.Card == id {
			changes = append(changes, change{c.At, c.Frozen})
		}
	}
	slices.SortStableFunc(changes, func(a, b change) int { return a.at.Compare(b.at) })
	had := []string{r.Before.Cards[id].Status}
	for _, c := range changes {
		is := map[bool]string{true: "frozen", false: "active"}[c.frozen]
		switch {
		case c.at.After(to):
		case c.at.Before(from):
			had = []string{is}
		default:
			had = append(had, is)
		}
	}
	return had
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
	return slices.ContainsFunc(r.labels(id, from, to), func(label string) bool { return strings.HasPrefix(label, r.Scope) })
}
