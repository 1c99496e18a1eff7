package state

import "time"

// Source tells where a lane's data came from and how old it is.
type Source struct {
	Every time.Duration // polling interval
	OKAt  time.Time     // last good answer, this machine's clock; zero for none
	Err   error         // why the last try failed; nil when it did not
	Since time.Time     // first failure in a row
	// Slowed says that requests are short and the lane rests longer, ShortTill
	// until when none is left for it at all; zero when that is not so.
	Slowed bool
	// Windows is how many programs share the key's hour, this one included.
	Windows   int
	ShortTill time.Time
	// Cached says that the data is from an earlier run, as is OKAt: this one
	// has had no good answer yet.
	Cached bool
}

// Source reports on a lane.
func (s *Store) Source(lane Lane) Source {
	l := s.lanes[lane]
	src := Source{Every: s.interval(lane), OKAt: l.okAt, Err: l.err, Since: l.failedAt, Slowed: s.stretch[lane] > 1, Windows: 1 + s.budget.Programs, Cached: l.cached}
	if !reached(s.now, l.shortTill) {
		src.ShortTill = l.shortTill
	}
	return src
}

// Age is how old a lane's data is, by the clock that ran further; negative
// when there is none.
func (src Source) Age(now time.Time) time.Duration {
	if src.OKAt.IsZero() {
		return -1
	}
	return max(0, elapsed(src.OKAt, now))
}

// Stale says that three intervals passed without a good answer.
func (src Source) Stale(now time.Time) bool {
	return src.Err != nil && src.Age(now) > 3*src.Every || src.Age(now) > 3*src.Every+5*time.Second
}

// elapsed is how long after a moment another is, by the clock that ran
// further: the steady one stands still while the machine sleeps, the other
// can be set.
func elapsed(from, to time.Time) time.Duration {
	return max(to.Sub(from), to.Round(0).Sub(from.Round(0)))
}
