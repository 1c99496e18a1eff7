package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
)

// StatusChange is a card's state that was another when it was read before, and
// that nothing done from here explains.
type StatusChange struct {
	Card     api.CardID
	From, To api.CardStatus
	// At is when it was seen, on the server's clock. It changed before.
	At time.Time
	// Away says that the state before is from an earlier run.
	Away bool
}

// statusesKept bounds how many changes are held, of all cards.
const statusesKept = 2000

// sawStatus notes that a card was read in another state than before. One that
// is being written to changes by that: the history tells it.
func (s *Store) sawStatus(before Card, now api.CardStatus, at time.Time) {
	if before.Status == now || before.Status == "" || now == "" {
		return
	}
	if _, busy := s.Ops.Pending(before.ID); busy {
		return
	}
	if n := len(s.Codes.statuses) + 1 - statusesKept; n > 0 {
		s.Codes.statuses = append(s.Codes.statuses[:0], s.Codes.statuses[n:]...)
	}
	s.Codes.statuses = append(s.Codes.statuses, StatusChange{
		Card: before.ID, From: before.Status, To: now, At: s.clock.Server(at), Away: before.Cached,
	})
}
