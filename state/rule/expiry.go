package rule

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/cardlist"
)

// Group is some cards and what they hold.
type Group struct {
	// N counts them, and Sum is what they hold, USD.
	N   int
	Sum api.USD
	// Card is the last of them.
	Card api.CardID
	// New reports whether one of them is since the comparison before.
	New bool
}

func (g *Group) add(c *cardlist.Card, isNew bool) {
	g.N++
	g.Sum += c.Balance
	g.Card, g.New = c.ID, g.New || isNew
}

// Expiries are the cards that expire soon, and those that have expired with a balance.
type Expiries struct {
	// Days are how many days before its end a card is one that expires soon, ascending;
	// none looks for no card.
	Days []int
	// Soon are the cards that expire within each of Days, and in no shorter one.
	Soon []Group
	Over Group
	// since is when the comparison before began, on the server's clock; zero for none.
	since, now time.Time
}

// reset begins anew.
func (e *Expiries) reset(days []int, now time.Time) {
	*e = Expiries{Days: days, Soon: append(e.Soon[:0], make([]Group, len(days))...), since: e.now, now: now}
}

// add adds a card when it is one of them.
func (e *Expiries) add(c *cardlist.Card) {
	left, known := c.ExpiresIn(e.now)
	switch {
	case !known || c.Cached || len(e.Days) == 0:
	case c.Shown() == api.CardExpired:
		if c.Balance >= api.Cent {
			e.Over.add(c, e.isNew(c.ExpiresAt))
		}
	default:
		for i, days := range e.Days {
			if before := time.Duration(days) * 24 * time.Hour; left > 0 && left <= before {
				e.Soon[i].add(c, e.isNew(c.ExpiresAt.Add(-before)))
				return
			}
		}
	}
}

// isNew reports whether something was not so when the comparison before began.
func (e *Expiries) isNew(at time.Time) bool { return !e.since.IsZero() && at.After(e.since) }
