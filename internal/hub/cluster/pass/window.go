package pass

import (
	"sync"
	"time"
)

// stamp tells requests of a hub apart, and when they were sent. It is sealed with the
// request.
type stamp struct {
	// Hub names a process, Count counts its requests.
	Hub   string `json:"hub"`
	Count uint64 `json:"count"`
	// Sent is by the clock of that process.
	Sent time.Duration `json:"sent"`
}

// window takes each request once: who is on the bus can deliver one again, or hold it
// back until the person has been told something else. A window is of one lease, as no
// request opens under another.
type window struct {
	mu   sync.Mutex
	hubs map[string]*heard
}

// width is how far behind the newest request of a hub another may come, as many are
// passed at once.
const width = 64

// heard is what came of a hub.
type heard struct {
	newest uint64
	// seen has a bit for each of the last ones, the lowest for the newest.
	seen uint64
	// The clocks of two hubs have nothing in common, and drift: least is the least that
	// this hub's was ahead when a request came, of the minute that began at since and of
	// the one before.
	least, before time.Duration
	since         time.Duration
}

const minute = time.Minute

// first reports whether a request comes for the first time, and no later than the one
// who asked waits for it.
func (w *window) first(s stamp, now, left time.Duration) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	ahead := now - s.Sent
	h, known := w.hubs[s.Hub]
	if !known {
		if w.hubs == nil {
			w.hubs = make(map[string]*heard)
		}
		h = &heard{least: ahead, before: ahead, since: now}
		w.hubs[s.Hub] = h
	}
	return h.once(s.Count) && h.delayed(ahead, now) <= left
}

// once reports whether a number did not come before.
func (h *heard) once(n uint64) bool {
	if n > h.newest {
		h.seen, h.newest = h.seen<<min(n-h.newest, width)|1, n
		return true
	}
	behind := h.newest - n
	if behind >= width || h.seen&(1<<behind) != 0 {
		return false
	}
	h.seen |= 1 << behind
	return true
}

// delayed is how much later a request came than those that came soonest.
func (h *heard) delayed(ahead, now time.Duration) time.Duration {
	switch {
	case now-h.since >= 2*minute:
		h.least, h.before, h.since = ahead, ahead, now
	case now-h.since >= minute:
		h.least, h.before, h.since = ahead, h.least, now
	}
	h.least = min(h.least, ahead)
	return ahead - min(h.least, h.before)
}
