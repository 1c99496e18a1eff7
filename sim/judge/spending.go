package judge

import (
	"time"
)

// reportsTheBooks holds that a report has the sum of the charges in USD.
func (r *Run) reportsTheBooks(add func(string, ...any)) {
	for _, s := range r.Reports {
		if !r.Mistold.IsZero() && r.Mistold.Before(s.To) {
			continue
		}
		var least, most int64
		for _, c := range r.Charges {
			switch {
			case c.Foreign:
			case !c.At.After(s.From):
				least, most = least+c.Cents, most+c.Cents
			case !c.At.After(s.To):
				least, most = least+min(0, c.Cents), most+max(0, c.Cents)
			}
		}
		if s.Cents < least || s.Cents > most {
			add("at %s a report has %s spent, the books have %s to %s", s.To.Format(time.DateTime), dollars(s.Cents), dollars(least), dollars(most))
		}
	}
}

// otherwise is by how many times a time that is told may change by the past being read.
const otherwise = 1.25

// lastsAsLong holds that a screen does not tell how long the money lasts by a part of the past.
func (r *Run) lastsAsLong(add func(string, ...any)) {
	for _, l := range r.Lasts {
		if l.Soon > 0 && (float64(l.Soon) > otherwise*float64(l.Later) || float64(l.Later) > otherwise*float64(l.Soon)) {
			add("at %s the money lasts %s, and %s once all was read:\n%s", l.At.Format(time.DateTime), l.Soon, l.Later, l.Screen)
		}
	}
}

// watchesToTheEnd holds that a program that acts by rules does not end well while the outcome of what it asked for is
// not known. What one that did not end well has left is the business of the next one, which is not judged by it.
func (r *Run) watchesToTheEnd(add func(string, ...any)) {
	well := make(map[string]bool)
	for _, a := range r.Asked {
		if !isRule(a) {
			continue
		}
		before, followed := well[a.Who]
		if well[a.Who] = a.Exit == 0 && !a.Killed; well[a.Who] && (before || !followed) {
			r.endsWell(a, add)
		}
	}
}

// endsWell holds it of one program, by what its machine has recorded of rules.
func (r *Run) endsWell(a Asked, add func(string, ...any)) {
	last, known := make(map[string]Told), make(map[string]time.Time)
	for _, t := range r.History {
		if t.Machine != a.Who || t.Rule == "" {
			continue
		}
		if !t.At.Before(a.From) && !t.At.After(a.To) {
			last[t.Key] = t
		}
		if t.Outcome != "unknown" && t.Outcome != "begun" {
			known[t.Key] = t.At // Since when the outcome is.
		}
	}
	for key, t := range last {
		if t.Outcome == "unknown" {
			add("%s ended at %s with %d, and %s of %s is not known", a.Line, a.To.Format(time.TimeOnly), a.Exit, t.Action, key)
		}
	}
	for _, b := range r.Acts {
		if at, ours := known[b.Key]; ours && !b.At.Before(a.From) && !b.At.After(a.To) && at.After(a.To.Add(time.Second)) {
			add("%s ended at %s with %d, and the outcome of %s of %s is known from %s on", a.Line, a.To.Format(time.TimeOnly), a.Exit, b.Verb, b.Card, at.Format(time.TimeOnly))
		}
	}
}

// leavesOthersAlone holds that another account does what it is asked for by its own key, and that alone.
func (r *Run) leavesOthersAlone(add func(string, ...any)) {
	asked := make(map[string]int)
	for _, a := range r.AskedThere {
		asked[a.Verb+" "+a.Card+" "+dollars(a.Cents)]++
	}
	for _, act := range r.Theirs {
		what := act.Verb + " " + act.Card + " " + dollars(act.Cents)
		if asked[what]--; asked[what] < 0 {
			add("another account was asked for %s at %s, and nobody asked for it there", what, act.At.Format(time.DateTime))
		}
	}
}
