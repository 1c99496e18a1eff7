package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
)

// adoptEvery is how often a dashboard adopts operations that another left
// when it was killed, and reads what the others moved.
const adoptEvery = 30 * time.Second

// OthersTable holds what other programs report: dashboards of this profile their moves and plans, programs with the same key
// their requests.
type OthersTable struct {
	*kernel.Core
	shareDue    time.Time
	shareFailed bool

	adoptDue    time.Time
	adoptFailed bool
	// moved is what all dashboards moved in the last day, as of then; the own
	// ones since are counted live.
	moved []guard.Moved
	at    time.Time
	// planned are the cards that plans of other programs are about.
	planned map[api.CardID]bool
}

// plannedElsewhere reports whether a plan of another program is about a card.
func (o *OthersTable) plannedElsewhere(id api.CardID) bool { return o.planned[id] }

// adoptOps asks what the other dashboards did when it is time.
func (o *OthersTable) adoptOps(now time.Time) {
	if o.Cfg.Shared && poll.Reached(now, o.adoptDue) {
		o.adoptDue = now.Add(adoptEvery)
		o.Wants = append(o.Wants, AdoptOperations{})
	}
}

// shareEvery is how often programs that use the same key exchange what
// they spent.
const shareEvery = 10 * time.Second

// share requests the exchange when it is due.
func (o *OthersTable) share(now time.Time) {
	if o.Cfg.Shared && poll.Reached(now, o.shareDue) {
		o.shareDue = now.Add(shareEvery)
		o.Wants = append(o.Wants, ShareUse{})
	}
}

// ShareUse exchanges with the other programs that use the key what was spent:
// both ways.
type ShareUse struct{}

func (ShareUse) Effect() {}

// UseShared confirms that programs exchanged what they spent, or says why they
// could not.
type UseShared struct {
	kernel.Meta
	Err error
}

// shared is why the programs that use the key could not exchange what they
// spent; empty when they could, and when it was said before.
func (o *OthersTable) shared(ev UseShared) string {
	if ev.Err == nil || o.shareFailed {
		return ""
	}
	o.shareFailed = true
	return o.Lang.Tf("%s; other programs with this key may use up its limit", ev.Err.Error())
}

// movedByAll is what all dashboards moved in the last day, as of a time.
func (o *OthersTable) movedByAll() (moved []guard.Moved, at time.Time) {
	return o.moved, o.at
}

// wakes calls at with the times at which the table has something to do.
func (o *OthersTable) wakes(at func(time.Time)) {
	at(o.shareDue)
	at(o.adoptDue)
}
