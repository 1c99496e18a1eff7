package push

import (
	"crypto/sha256"
	"sync"
)

// seenKept bounds how many deliveries are remembered.
const seenKept = 4096

// seen remembers the latest deliveries by their bodies, so that one that comes twice
// is acted on once.
type seen struct {
	mu    sync.Mutex
	has   map[[sha256.Size]byte]bool
	order [][sha256.Size]byte // oldest first, from next on
	next  int
}

// add reports whether a body has not come before.
func (s *seen) add(body []byte) bool {
	sum := sha256.Sum256(body)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.has[sum] {
		return false
	}
	if s.has == nil {
		s.has = make(map[[sha256.Size]byte]bool, seenKept)
	}
	s.has[sum] = true
	if len(s.order) < seenKept {
		s.order = append(s.order, sum)
		return true
	}
	delete(s.has, s.order[s.next])
	s.order[s.next] = sum
	s.next = (s.next + 1) % seenKept
	return true
}
