package budget

import "time"

// window counts the requests of the last span of time in a ring of buckets. When the
// clock goes back, time stands still.
type window struct {
	width  time.Duration
	ring   []int
	newest int64 // number of the newest bucket since the start
	sum    int
}

func newWindow(width, span time.Duration) window {
	return window{width: width, ring: make([]int, int(span/width)+slack)}
}

// slot returns the index of a bucket in the ring; a number below zero is before the
// start.
func (w *window) slot(number int64) int {
	n := int64(len(w.ring))
	return int((number%n + n) % n)
}

// number returns the bucket of a time.
func (w *window) number(at time.Duration) int64 {
	n := int64(at / w.width)
	if at%w.width < 0 {
		n--
	}
	return n
}

// advance clears the buckets that have left the window.
func (w *window) advance(at time.Duration) {
	number := w.number(at)
	if number-w.newest >= int64(len(w.ring)) {
		clear(w.ring)
		w.sum, w.newest = 0, number
		return
	}
	for w.newest < number {
		w.newest++
		s := w.slot(w.newest)
		w.sum -= w.ring[s]
		w.ring[s] = 0
	}
}

func (w *window) add(at time.Duration) {
	w.advance(at)
	w.ring[w.slot(w.newest)]++
	w.sum++
}

// addAt counts n requests in an older bucket, unless it has left the window.
func (w *window) addAt(number int64, n int) {
	if age := w.newest - number; age >= 0 && age < int64(len(w.ring)) {
		w.ring[w.slot(number)] += n
		w.sum += n
	}
}

func (w *window) total(at time.Duration) int {
	w.advance(at)
	return w.sum
}

// waitWith returns how long until one more request is within a limit shared with
// another window of the same shape; 0 is now.
func (w *window) waitWith(other *window, at time.Duration, limit int) time.Duration {
	left := w.total(at) + other.total(at)
	if left < limit {
		return 0
	}
	// The oldest bucket leaves when the next one begins.
	until := time.Duration(w.newest+1) * w.width
	for oldest := w.newest - int64(len(w.ring)) + 1; oldest <= w.newest; oldest++ {
		if left -= w.ring[w.slot(oldest)] + other.ring[other.slot(oldest)]; left < limit {
			break
		}
		until += w.width
	}
	return until - at
}

// expiring returns how much is in the bucket that leaves the window when the nth one
// from now begins, counted from 0.
func (w *window) expiring(n int) int {
	return w.ring[w.slot(w.newest+1+int64(n))]
}

// recent returns how much was counted within a span of time up to now.
func (w *window) recent(at, span time.Duration) int {
	w.advance(at)
	n := 0
	for number := w.number(at-span) + 1; number <= w.newest; number++ {
		n += w.ring[w.slot(number)]
	}
	return n
}
