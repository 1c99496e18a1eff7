package judge

import "slices"

// The roles of a hub.
const (
	Lead   = "lead"
	Buyer  = "buyer"
	Viewer = "viewer"
)

// BuyerCap is what a buyer moves to a card without an approval, cents.
const BuyerCap = 15_00

// keepsRoles holds that nobody does what is not theirs to do: a viewer writes nothing, a buyer withdraws nothing and
// funds with more than their cap when a lead has approved it.
func (r *Run) keepsRoles(add func(string, ...any)) {
	for _, b := range r.Acts {
		line, may := "", false
		for _, a := range r.Asked {
			if a.Verb == b.Verb && a.Cents == b.Cents && b.Cents != 0 && slices.Contains(a.Cards, b.Card) {
				line, may = a.Line, may || r.may(&a, b)
			}
		}
		if line != "" && !may {
			add("%s was done, which is not for the role of who asked", line)
		}
	}
	for _, a := range r.Asked {
		if a.Role == Viewer && !a.Screen && !a.Killed && a.Exit == 0 && (a.Cents > 0 || r.hasToFreeze(&a)) {
			add("%s said done to a viewer", a.Line)
		}
	}
}

// may reports whether the role of who asked allows what was done.
func (r *Run) may(a *Asked, b Act) bool {
	switch a.Role {
	case Viewer:
		return false
	case Buyer:
		approved := slices.ContainsFunc(r.Approved, func(ok Act) bool {
			return ok.Verb == b.Verb && ok.Card == b.Card && ok.Cents == b.Cents && !ok.At.After(b.At)
		})
		return b.Verb == "fund" && (b.Cents <= BuyerCap || approved)
	}
	return true
}

// namesPeople checks that the history of a hub names who asked for what was done.
func (r *Run) namesPeople(last map[string]Told, add func(string, ...any)) {
	for key, t := range last {
		if len(r.Hubs) == 0 || !done(t) || sign(t.Action) == 0 || r.Acted[key].IsZero() {
			continue
		}
		if !slices.ContainsFunc(r.Asked, func(a Asked) bool {
			return a.Who == t.By && a.Verb == t.Action && slices.Contains(a.Cards, t.Card) && (a.Cents == t.Cents || a.Level > 0)
		}) {
			add("%s of %s to %s is recorded as of %q, who did not ask for it", t.Action, dollars(t.Cents), t.Card, t.By)
		}
	}
}
