package judge

import "time"

// Notice is what a dashboard shows of a write, seconds after the key that asks for it.
type Notice struct {
	From, To time.Time
	Verb     string
	Card     string
	Cents    int64
	// Done reports whether it says that the write was done, Refused that it was not.
	Done, Refused bool
	// Well reports whether the provider answered all along.
	Well   bool
	Screen string
}

// showsOutcomes checks that a dashboard shows the outcome of a write, and the right one.
func (r *Run) showsOutcomes(add func(string, ...any)) {
	for _, n := range r.Notices {
		acted := false
		for _, a := range r.Acts {
			acted = acted || a.Verb == n.Verb && a.Card == n.Card && a.Cents == n.Cents && !a.At.Before(n.From) && !a.At.After(n.To)
		}
		switch at := n.To.Format(time.DateTime); {
		case n.Done && !acted:
			add("at %s a dashboard shows %s of %s as done, and the provider did not do it:\n%s", at, n.Verb, n.Card, n.Screen)
		case n.Refused && acted:
			add("at %s a dashboard shows %s of %s as not done, and the provider did it:\n%s", at, n.Verb, n.Card, n.Screen)
		case acted && n.Well && !n.Done:
			add("at %s a dashboard shows nothing of %s of %s, which the provider did:\n%s", at, n.Verb, n.Card, n.Screen)
		}
	}
}
