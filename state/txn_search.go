package state

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
)

// Search is what the API is asked to look for in the past instead of reading all
// of it. Fields that are empty ask for nothing. Every one of them must leave in
// all that is looked for: what else a filter asks, it asks of what comes back.
type Search struct {
	Card api.CardID
	Type api.TransactionType
	// Merchant is a part of the merchant's name.
	Merchant string
	// Min and Max are compared with their sign by some servers and without it
	// by others (ASSUMED 15).
	Min, Max api.USD
	// Older and Younger bound how long ago a transaction was made.
	Older, Younger time.Duration
}

// On tells whether there is anything to look for. What bounds only the near
// end, or amounts from above, leaves almost all in: that is read as it is.
func (a Search) On() bool {
	return a.Card != "" || a.Type != "" || a.Merchant != "" || a.Min != 0 || a.Older != 0
}

// within tells that a search finds nothing that another does not find.
func (a Search) within(b Search) bool {
	same := func(empty, equal bool) bool { return empty || equal }
	return same(b.Card == "", a.Card == b.Card) && same(b.Type == "", a.Type == b.Type) && same(b.Merchant == "", a.Merchant == b.Merchant) &&
		same(b.Min == 0, a.Min == b.Min) && same(b.Max == 0, a.Max == b.Max) &&
		same(b.Older == 0, a.Older == b.Older) && same(b.Younger == 0, a.Younger == b.Younger)
}

const (
	// searchKept is how many found rows are held however long the feed is: a
	// hundred pages.
	searchKept = 10_000
	// searchSlack is how much later than asked for a search begins that is for
	// what is older than an age. When the time has caught up, it is over.
	searchSlack = time.Hour
)

// search is the one search in the past, from where the feed was read back to.
// What it finds is not the feed's: it adds up to nothing, and no gap between two
// found rows counts as read.
type search struct {
	timeline
	Search
	past  backwards
	began time.Time // on the server's clock
}

// Found is what a search in the past came to.
type Found struct {
	Search Search
	// Rows are what the API gave, oldest first, all older than the feed. They
	// are the store's own: read, not kept and not changed.
	Rows []api.Transaction
	// Older is how far back it has looked.
	Older Older
}

// Found reports on the search; it is empty when there is none.
func (ol *OlderTable) Found() Found {
	f := &ol.search
	o := f.past.told()
	o.Full = len(f.rows()) >= ol.searchRoom()
	return Found{Search: f.Search, Rows: f.rows(), Older: o}
}

// seek asks for the next page of a search, which takes the place of another.
func (ol *OlderTable) seek(asks Search, pause time.Duration) (e FetchOlder, ok bool) {
	feed, begun := ol.backwards("")
	if !begun || feed.back.IsZero() || feed.end {
		return e, false
	}
	f := &ol.search
	if f.Search != asks {
		feed.asked = 0 // What it brings would come among what is found.
		f.become(asks, feed.back, ol.ServerNow(), ol.searchRoom())
	}
	if len(f.rows()) >= ol.searchRoom() || !f.past.ready(ol.now, pause) {
		return e, false
	}
	e = f.past.next(ol.nextSeq())
	e.Search = asks
	if asks.Younger != 0 {
		e.From = f.began.Add(-asks.Younger)
	}
	return e, true
}

// searchRoom is how many found rows may be held: what the feed leaves of what
// is held at all, and never less than searchKept.
func (ol *OlderTable) searchRoom() int { return max(searchKept, feedKept-len(ol.txns.feed.rows())) }

// become begins another search. One within what was looked for before goes on
// where that has come to, and as of when that began if both are for one age.
func (f *search) become(asks Search, back, serverNow time.Time, room int) {
	past, began := backwards{back: back, at: f.past.at}, serverNow
	if f.On() && asks.within(f.Search) && len(f.rows()) < room {
		past.back, past.end = f.past.back, f.past.end
		if asks.Older != 0 && asks.Older == f.Older {
			began = f.began
		}
	} else {
		f.timeline = timeline{}
	}
	if asks.Older != 0 {
		past.back = earlier(past.back, began.Add(searchSlack-asks.Older))
	}
	f.Search, f.past, f.began = asks, past, began
}

// found takes a page. Rows that the feed holds are its own.
func (ol *OlderTable) found(ev OlderLoaded) {
	f := &ol.search
	news := slices.DeleteFunc(newestFirst(ev.Items), func(t api.Transaction) bool {
		_, held := ol.txns.feed.known[t.ID]
		_, _, have := f.find(t)
		return held || have
	})
	slices.Reverse(news)
	f.add(news)
}

// keep takes rows that the feed lets go of, so that none is missing between what
// it holds and what was found. Where they are too many the search is over.
func (f *search) keep(gone []api.Transaction) {
	switch {
	case !f.On():
	case len(f.rows())+len(gone) > searchKept+api.MaxPerPage:
		*f = search{}
	default:
		f.add(gone)
	}
}

// expire ends a search for what is older than an age when rows have come of
// that age which it was not for.
func (f *search) expire(serverNow time.Time) Topic {
	if f.Older == 0 || serverNow.Sub(f.began) <= searchSlack {
		return 0
	}
	*f = search{}
	return TopicFeed | TopicHealth
}

// endSearch removes what a search has found.
func (ol *OlderTable) endSearch() { ol.search = search{} }

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
