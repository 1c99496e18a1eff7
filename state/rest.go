package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
)

// Rest is what a list of transactions goes on with in the past and was not read
// yet, as far as a person wants it.
type Rest struct {
	// Card is whose list it is, empty for that of all cards.
	Card api.CardID
	// Search is what the API can look for instead of reading all of it.
	Search Search
	// From is how far back it is wanted, on the server's clock; zero for the
	// beginning.
	From time.Time
}

// ReadRest asks to read a rest to its end, page after page, until EndRest.
type ReadRest struct{ Rest }

// EndRest ends the reading of a rest. What was read of it stays.
type EndRest struct{}

const (
	// restPause is the pause between two pages of a rest: five a second leave
	// room in the minute for everything else.
	restPause = 200 * time.Millisecond
	// restAgain is the pause before a page that failed is asked for again.
	restAgain = 2 * time.Second
)

// restReading is the one reading of a rest.
type restReading struct {
	Rest
	on bool
	// due is when to look whether it is over, and else to ask for the next page;
	// zero while one is on its way.
	due time.Time
	// refused says that the API refuses to go on.
	refused bool
}

// RestRead is how far the reading of a rest has come.
type RestRead struct {
	Rest
	// On says that it goes on. Older is how far back the list was read.
	On    bool
	Older Older
	// Again is when a page that failed is asked for again; zero when none did.
	Again time.Time
}

// RestRead reports on the reading of a rest.
func (ol *OlderTable) RestRead() RestRead {
	r := RestRead{On: ol.rest.on, Rest: ol.rest.Rest}
	if !r.On {
		return r
	}
	if r.Older = ol.restOlder(); r.Older.Why != "" {
		r.Again = ol.rest.due
	}
	return r
}

// restOlder tells how far back the list of the rest was read.
func (ol *OlderTable) restOlder() Older {
	switch r := &ol.rest; {
	case r.Search.On() && ol.search.Search != r.Search:
		return Older{} // Nothing was asked for yet.
	case r.Search.On():
		return ol.Found().Older
	default:
		return ol.State(r.Card)
	}
}

// readRest begins the reading, in place of another.
func (ol *OlderTable) readRest(in ReadRest) {
	ol.rest = restReading{Rest: in.Rest, on: true, due: ol.now}
}

// continueRest asks for the next page when it is due, or ends the reading.
func (ol *OlderTable) continueRest(now time.Time) Topic {
	r := &ol.rest
	if !r.on || r.due.IsZero() || !poll.Reached(now, r.due) {
		return 0
	}
	if ol.restOver() {
		*r = restReading{}
		return TopicHealth
	}
	r.due = now.Add(restPause)
	if e, ok := ol.nextOlder(LoadOlder{Card: r.Card, Search: r.Search}, restPause); ok {
		e.Rest = true
		r.due = time.Time{}
		ol.wants = append(ol.wants, e)
	}
	return TopicHealth | TopicInspector | TopicFeed
}

// restOver tells whether nothing more can be read of the rest, or is wanted.
func (ol *OlderTable) restOver() bool {
	r, o := &ol.rest, ol.restOlder()
	if o.End || o.Full || r.refused || ol.txns.feed.past.end || r.Card != "" && r.Card != ol.info.inspector.card {
		return true
	}
	return !r.From.IsZero() && !o.Back.IsZero() && o.Back.Before(r.From)
}

// restCame plans the next page after one that came, or failed; wait is how long
// the API or the budget asks to wait for it.
func (ol *OlderTable) restCame(at time.Time, err error, first bool, wait time.Duration) {
	r := &ol.rest
	if !r.on {
		return
	}
	switch {
	case err == nil:
		wait = restPause
	case refusesRequest(err):
		// A later page is not there: the next reading begins where this one ended.
		wait, r.refused = restPause, first
	default:
		wait = max(wait, restAgain)
	}
	r.due = at.Add(wait)
}

func (ol *OlderTable) endRest() { ol.rest = restReading{} }
