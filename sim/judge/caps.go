package judge

import (
	"slices"
	"time"
)

// keepsCaps holds that no 24 hours moved more than the cap.
func (r *Run) keepsCaps(what string, most int64, last map[string]Told, counts func(Told) bool, add func(string, ...any)) {
	if most == 0 {
		return
	}
	var all []Told
	for _, t := range last {
		if at, acted := r.Acted[t.Key]; t.Action == "fund" && done(t) && acted && counts(t) {
			t.At = at // By the provider's clock.
			all = append(all, t)
		}
	}
	slices.SortFunc(all, func(a, b Told) int { return a.At.Compare(b.At) })
	from, sum := 0, int64(0)
	for _, t := range all {
		for sum += t.Cents; t.At.Sub(all[from].At) >= 24*time.Hour; from++ {
			sum -= all[from].Cents
		}
		if sum > most {
			add("%s moved in 24 hours to %s, %s is %s", dollars(sum), t.At.Format(time.DateTime), what, dollars(most))
			return
		}
	}
}

// keepsSessions holds that no session of an assistant moves more than it may.
func (r *Run) keepsSessions(add func(string, ...any)) {
	moved, most, seen := make(map[string]int64), make(map[string]int64), make(map[string]bool)
	for i := range r.Asked {
		if a := &r.Asked[i]; a.Session != "" && !seen[a.Key] && r.did(a) {
			seen[a.Key] = true
			moved[a.Session], most[a.Session] = moved[a.Session]+a.Cents, a.Most
		}
	}
	for session, sum := range moved {
		if sum > most[session] {
			add("the session %s moved %s, at most %s", session, dollars(sum), dollars(most[session]))
		}
	}
}
