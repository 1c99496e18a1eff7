package judge

import "slices"

// actsAsTold holds that what the provider did is told as done, and nothing else is.
func (r *Run) actsAsTold(last map[string]Told, add func(string, ...any)) {
	for key := range r.Acted {
		if t := last[key]; !done(t) {
			add("the provider did %s, and the history says %q", key, t.Outcome)
		}
	}
	for key, t := range last {
		if t.Outcome == "begun" || t.Outcome == "unknown" {
			add("%s of %s is told as %s at the end", t.Action, key, t.Outcome)
		}
		if _, acted := r.Acted[key]; done(t) && !acted && key != "" { // An audit tells of people and claims as well.
			add("%s of %s is told as done, and the provider did not do it", t.Action, key)
		}
	}
}

// toldTruly holds that a command's exit code agrees with what was found out later.
func (r *Run) toldTruly(add func(string, ...any)) {
	own := outcomes(r.History) // Of each machine, by the keys that people gave.
	for _, a := range r.Asked {
		if a.Key == "" || a.Many || a.Killed {
			if a.Exit == 0 && a.Cents > 0 && a.Level == 0 && !a.Killed && !a.Screen && !r.didAll(&a) {
				add("%s said done, and the provider did not do it", a.Line)
			}
			continue
		}
		t := own[a.Key]
		switch {
		case a.Exit == 0 && !done(t):
			add("%s said done, and the history says %q: %s", a.Line, t.Outcome, a.Errs)
		case a.Exit == 0 && !r.did(&a):
			add("%s said done, and the provider did not do it", a.Line)
		case a.Exit != 0 && a.Exit != 6 && a.Acted && !r.approvedMeanwhile(&a):
			add("%s said that it failed, and it was done: %s", a.Line, a.Errs)
		}
	}
}

// approvedMeanwhile reports whether a lead approved what was asked for while it was told that it waits for one.
func (r *Run) approvedMeanwhile(a *Asked) bool {
	return slices.ContainsFunc(r.Approved, func(ok Act) bool {
		return ok.Verb == a.Verb && slices.Contains(a.Cards, ok.Card) && ok.Cents == a.Cents && !ok.At.Before(a.From)
	})
}

// refusesForbidden checks that nothing is done that its own line forbids.
func (r *Run) refusesForbidden(add func(string, ...any)) {
	for _, a := range r.Asked {
		if a.Forbidden && (r.did(&a) || a.Exit == 0 && !a.Killed) {
			add("%s forbids what it asks for, and ended with %d (done: %t)", a.Line, a.Exit, r.did(&a))
		}
	}
}

// didAll reports whether the provider did what was asked for to each card.
func (r *Run) didAll(a *Asked) bool {
	return !slices.ContainsFunc(a.Cards, func(id string) bool {
		return !slices.ContainsFunc(r.Acts, func(b Act) bool { return b.Verb == a.Verb && b.Card == id && b.Cents == a.Cents })
	})
}

// did reports whether the provider did what was asked for.
func (r *Run) did(a *Asked) bool {
	return slices.ContainsFunc(r.Acts, func(b Act) bool {
		return b.Verb == a.Verb && slices.Contains(a.Cards, b.Card) && b.Cents == a.Cents
	})
}
