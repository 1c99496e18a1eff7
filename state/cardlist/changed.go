package cardlist

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
	// Away reports whether the state before is from an earlier run.
	Away bool
}
