package input

import "time"

const (
	// burst is less time than a person needs from one key to the next.
	burst = 15 * time.Millisecond
	// fastKeys is how many keys in a row that come faster than that make a paste
	// into a terminal that does not mark pasted text: two may be chance.
	fastKeys = 2
)

// paste counts keys that come faster than a person types.
type paste struct{ fast int }

// next counts a key that came so long after the one before it. first says that
// the one before it waited to see whether any followed: then both are of a paste.
func (p *paste) next(since time.Duration, first bool) {
	switch {
	case since >= burst:
		p.fast = 0
	case first:
		p.fast = fastKeys
	default:
		p.fast++
	}
}

// pasted reports whether the latest key is part of a paste.
func (p *paste) pasted() bool { return p.fast >= fastKeys }
