package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/cardlist"
)

// statusesKept bounds how many changes are held, of all cards.
const statusesKept = 2000

// recordStatus records that a card was read in another state than before. One that
// is being written to changes by that: the history has it.
func (s *Store) recordStatus(before *cardlist.Row, now api.CardStatus, at time.Time) {
	from := before.Status()
	if from == now || from == "" || now == "" {
		return
	}
	if _, busy := s.Ops.Pending(before.ID); busy {
		return
	}
	if n := len(s.Cards.statuses) + 1 - statusesKept; n > 0 {
		s.Cards.statuses = append(s.Cards.statuses[:0], s.Cards.statuses[n:]...)
	}
	s.Cards.statuses = append(s.Cards.statuses, cardlist.StatusChange{
		Card: before.ID, From: from, To: now, At: s.Clock.Server(at), Away: before.Cached,
	})
}

// StatusChanges returns how the status of a card was seen to change after a time, on the
// server's clock.
func (ca *CardsTable) StatusChanges(id api.CardID, after time.Time) (out []cardlist.StatusChange) {
	for i := len(ca.statuses) - 1; i >= 0 && ca.statuses[i].At.After(after); i-- {
		if ca.statuses[i].Card == id {
			out = append(out, ca.statuses[i])
		}
	}
	return out
}
