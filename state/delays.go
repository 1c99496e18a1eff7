package state

import (
	"slices"
	"time"
)

// delaysKept bounds how many delays are remembered.
const delaysKept = 1000

// Delays tells how fast codes were in this session: from when the server made
// a challenge to when its code was here, and from there to the clipboard. The
// first part is the API's and the poll's, the second the person's.
type Delays struct {
	Seen, Copied Spread
}

// Spread sums up durations.
type Spread struct {
	N        int
	P50, P95 time.Duration
}

// delays are the durations of a session.
type delays struct{ seen, copied []time.Duration }

// Delays reports on the codes of this session.
func (s *Store) Delays() Delays {
	return Delays{Seen: spread(s.codes.delays.seen), Copied: spread(s.codes.delays.copied)}
}

func spread(all []time.Duration) Spread {
	if len(all) == 0 {
		return Spread{}
	}
	sorted := slices.Sorted(slices.Values(all))
	at := func(percent int) time.Duration { return sorted[(len(sorted)-1)*percent/100] }
	return Spread{N: len(all), P50: at(50), P95: at(95)}
}

func note(all []time.Duration, d time.Duration) []time.Duration {
	if len(all) >= delaysKept {
		all = slices.Delete(all, 0, len(all)-delaysKept+1)
	}
	return append(all, max(0, d))
}
