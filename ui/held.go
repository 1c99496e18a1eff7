package ui

import "time"

const (
	// heldFor is how long after a key the same key is taken for one that is
	// held down, or pressed twice by a nervous finger: terminals repeat a held
	// key after half a second at first.
	heldFor = 700 * time.Millisecond
	// burst is less than a person needs from one key to the next: the third
	// that comes as fast was pasted into a terminal that does not mark pasted
	// text.
	burst = 15 * time.Millisecond
	few   = 2
)

// fingers tells keys that were pressed on purpose from those that were not.
type fingers struct {
	key string
	at  time.Time
	run int // keys in a row that came faster than a person types
}

// pasted tells that the latest key came in a burst.
func (f *fingers) pasted() bool { return f.run >= few }

// press notes a key and tells whether it was pressed on purpose. Held keys
// and bursts may move about, they do not write and do not confirm.
func (f *fingers) press(key string, repeated bool, now time.Time) (onPurpose bool) {
	since := now.Sub(f.at)
	held := repeated || key == f.key && since < heldFor
	if f.at.IsZero() {
		held, since = false, burst
	}
	if f.run++; since >= burst {
		f.run = 0
	}
	f.key, f.at = key, now
	return !held && f.run < few
}
