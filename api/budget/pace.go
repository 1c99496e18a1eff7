package budget

import "time"

// lookBack is how long what other programs do is watched to tell what they
// will do.
const lookBack = 5 * time.Minute

// Pace is how many requests an hour may be spent in the background from now
// on without ever having to stop: the window is looked ahead at, because what
// was spent in a burst leaves in one. Programs that share the key share the
// pace equally, and what one leaves the others may take.
func (b *Budget) Pace(now time.Time) int {
	at := b.since(now)
	o, e := &b.own.hour, &b.elsewhere.hour
	room := PerHour - Reserve + b.reserved(at) - o.total(at) - e.total(at)
	others := e.recent(at, lookBack) * int(time.Hour/lookBack)
	pace := PerHour
	for n := range o.ring {
		span := time.Duration(n+1) * coarse // What is in bucket n may leave only at its end.
		hourly := int(int64(room) * int64(time.Hour) / int64(span))
		pace = min(pace, max(hourly-others, hourly/(1+b.programs)))
		room += o.leaves(n) + e.leaves(n)
	}
	return max(0, pace)
}
