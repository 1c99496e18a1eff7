package judge

import "time"

// Alerted is a program that printed alerts, with the times at which it said that the wallet is low.
type Alerted struct {
	From, To time.Time
	Times    []time.Time
	Out      string // All that it printed.
}

// Health is whether requests come to harm, from a moment on.
type Health struct {
	At   time.Time
	Sick bool
}

const (
	// alertLate is how old a figure may be that a program without a screen alerts by: programs share the limit of a key.
	alertLate = 5 * time.Minute
	// alertStart is how long such a program takes to read the wallet first.
	alertStart = time.Minute
)

// rearmed is the balance from which a wallet that was low is low no more: a tenth above the threshold (docs/ALERTS.md).
func (r *Run) rearmed() int64 { return r.Low + r.Low/10 }

// alertsOnce checks that a program alerts once that the wallet is low, until it is not, and that the alert comes.
func (r *Run) alertsOnce(add func(string, ...any)) {
	for _, p := range r.Alerts {
		for i, at := range p.Times {
			if i > 0 && !r.hadWallet(p.Times[i-1].Add(-walletLate), at, func(cents int64) bool { return cents >= r.rearmed() }) {
				add("at %s and at %s a program alerts that the wallet is low, and it was all along", p.Times[i-1].Format(time.DateTime), at.Format(time.DateTime))
			}
			if !r.hadWallet(at.Add(-alertLate), at.Add(time.Second), func(cents int64) bool { return cents < r.Low }) { // It prints whole seconds.
				add("at %s a program alerts that the wallet is low, and it was not (%s)", at.Format(time.DateTime), r.walletsUntil(at))
			}
		}
		if len(r.Hubs) == 0 { // Hubs come to harm of their own.
			r.alertsAtAll(p, add)
		}
	}
}

// alertsAtAll checks that a program alerts when the wallet falls below the threshold while it runs. What is low when it
// starts raises no alert.
func (r *Run) alertsAtAll(p Alerted, add func(string, ...any)) {
	started := p.From.Add(alertStart)
	low, calm := r.hadWallet(p.From, started, func(cents int64) bool { return cents < r.Low }), started
	for i, w := range r.Wallets {
		if !w.At.After(started) || w.At.After(p.To) {
			continue
		}
		due, ends := w.At.Add(alertLate), p.To
		if i+1 < len(r.Wallets) && r.Wallets[i+1].At.Before(ends) {
			ends = r.Wallets[i+1].At
		}
		switch {
		case low && w.Cents >= r.rearmed():
			low, calm = false, w.At
		case !low && w.Cents < r.Low:
			low = true
			if due.Before(ends) && w.At.Sub(calm) > alertLate && r.healthy(w.At.Add(-alertLate), due) && !within(p.Times, w.At, due) {
				add("the wallet is below %s from %s on, and no alert comes until %s (%s):\n%s", dollars(r.Low), w.At.Format(time.DateTime), due.Format(time.DateTime), r.walletsUntil(due), p.Out)
			}
		}
	}
}

func within(times []time.Time, from, to time.Time) bool {
	for _, t := range times {
		if !t.Before(from.Truncate(time.Second)) && !t.After(to.Add(time.Second)) { // It prints whole seconds.
			return true
		}
	}
	return false
}

// healthy reports whether no request came to harm between two moments.
func (r *Run) healthy(from, to time.Time) bool {
	sick := false
	for _, h := range r.Health {
		if h.At.After(to) {
			break
		}
		if !h.At.Before(from) && (sick || h.Sick) {
			return false
		}
		sick = h.Sick
	}
	return !sick
}
