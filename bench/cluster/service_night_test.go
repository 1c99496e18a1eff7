//go:build night && unix

package cluster_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// service acts once for a key, and notes who writes.
type service struct {
	mu      sync.Mutex
	tries   map[string]int
	active  map[uint64]int // requests under way, by lease
	highest uint64
	wrong   []string // writes by two at once, or by a leader whose time was over
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key := r.Header.Get("X-Idempotency-Key")
	number, err := strconv.ParseUint(r.Header.Get("X-Lease"), 10, 64)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	s.begin(key, number)
	defer s.end(number)
	<-time.After(time.Duration(rand.IntN(20)) * time.Millisecond) // It works.
	if rand.IntN(20) == 0 {
		// The answer is lost.
		if c, _, err := http.NewResponseController(w).Hijack(); err == nil {
			_ = c.Close() // Lost either way.
		}
	}
}

func (s *service) begin(key string, number uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tries[key]++
	if number < s.highest {
		s.wrong = append(s.wrong, fmt.Sprintf("%s under lease %d after %d", key, number, s.highest))
	}
	s.highest = max(s.highest, number)
	s.active[number]++
	if len(s.active) > 1 {
		s.wrong = append(s.wrong, fmt.Sprintf("%s under lease %d at the same time as another: %v", key, number, s.active))
	}
}

func (s *service) end(number uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active[number]--; s.active[number] == 0 {
		delete(s.active, number)
	}
}
