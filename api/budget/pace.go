package budget

import "time"

// recentSpan is how long other programs are observed to estimate what they will spend.
const recentSpan = 5 * time.Minute

// Pace returns how many requests an hour the background may make from now on without
// ever having to stop: it looks ahead, because what was spent in a burst expires in one.
// Programs that share the key share the pace equally, and may use what another leaves.
func (b *Budget) Pace(now time.Time) int {
	at := b.since(now)
	o, e := &b.own.hour, &b.elsewhere.hour
	room := PerHour - Reserve + b.reserved(at) - o.total(at) - e.total(at)
	others := e.recent(at, recentSpan) * int(time.Hour/recentSpan)
	pace := PerHour
	for n := range o.ring {
		span := time.Duration(n+1) * coarse // What is in bucket n may leave only at its end.
		hourly := int(int64(room) * int64(time.Hour) / int64(span))
		pace = min(pace, max(hourly-others, hourly/(1+b.programs)))
		room += o.expiring(n) + e.expiring(n)
	}
	return max(0, pace)
}
