package state

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/txnlist"
)

const (
	// searchKept is how many found rows are held however long the feed is: a
	// hundred pages.
	searchKept = 10_000
	// searchSlack is how much later than asked for a search begins that is for
	// what is older than an age. When the time has caught up, it is over.
	searchSlack = time.Hour
)

// Found is what a search in the past came to.
type Found struct {
	Search Search
	// Rows are what the API found, oldest first, all older than the feed. They
	// are the store's own: read only.
	Rows []api.Transaction
	// Older is how far back it has searched.
	Older Older
}

// Found reports on the search; it is empty when there is none.
func (ol *OlderTable) Found() Found {
	f := &ol.search
	o := olderOf(&f.past)
	o.Full = len(f.Rows()) >= ol.searchRoom()
	return Found{Search: f.Search, Rows: f.Rows(), Older: o}
}

// nextFound requests the next page of a search, which replaces another.
func (ol *OlderTable) nextFound(asks Search, pause time.Duration) (e FetchOlder, ok bool) {
	feed, begun := ol.paging("")
	if !begun || feed.Back.IsZero() || feed.End {
		return e, false
	}
	f := &ol.search
	if f.Search != asks {
		feed.Asked = 0 // What it brings would come among what is found.
		f.restart(asks, feed.Back, ol.ServerNow(), ol.searchRoom())
	}
	if len(f.Rows()) >= ol.searchRoom() || !f.past.Ready(ol.now, pause) {
		return e, false
	}
	e = nextPage(&f.past, ol.nextSeq())
	e.Search = asks
	if asks.Younger != 0 {
		e.From = f.began.Add(-asks.Younger)
	}
	return e, true
}

// searchRoom is how many found rows may be held: what the feed leaves of what
// is held at all, and never less than searchKept.
func (ol *OlderTable) searchRoom() int { return max(searchKept, feedKept-len(ol.txns.All())) }

// restart begins another search. One within what was searched for before goes on
// where that has come to, and as of when that began if both are for one age.
func (f *search) restart(asks Search, back, serverNow time.Time, room int) {
	past, began := txnlist.Paging{Back: back, At: f.past.At}, serverNow
	if f.On() && asks.within(f.Search) && len(f.Rows()) < room {
		past.Back, past.End = f.past.Back, f.past.End
		if asks.Older != 0 && asks.Older == f.Older {
			began = f.began
		}
	} else {
		f.List = txnlist.List{}
	}
	if asks.Older != 0 {
		past.Back = earlier(past.Back, began.Add(searchSlack-asks.Older))
	}
	f.Search, f.past, f.began = asks, past, began
}

// addFound adds a page. Rows that the feed holds are its own.
func (ol *OlderTable) addFound(ev OlderLoaded) {
	f := &ol.search
	news := slices.DeleteFunc(txnlist.NewestFirst(ev.Items), func(t api.Transaction) bool {
		held := ol.txns.holds(t.ID)
		_, _, have := f.Find(t)
		return held || have
	})
	slices.Reverse(news)
	f.Add(news)
}

// addTrimmed adds rows that the feed removes, so that none is missing between what
// it holds and what was found. Where they are too many the search is over.
func (f *search) addTrimmed(gone []api.Transaction) {
	switch {
	case !f.On():
	case len(f.Rows())+len(gone) > searchKept+api.MaxPerPage:
		*f = search{}
	default:
		f.Add(gone)
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

const (
	// restPause is the pause between two pages of a rest: five a second leave
	// room in the minute for everything else.
	restPause = 200 * time.Millisecond
	// restAgain is the pause before a page that failed is asked for again.
	restAgain = 2 * time.Second
)

// RestRead is how far the reading of a rest has come.
type RestRead struct {
	Rest
	// On reports whether it goes on. Older is how far back the list was read.
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

// restOlder returns how far back the list of the rest was read.
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

// continueRest requests the next page when it is due, or ends the reading.
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

// restOver reports whether nothing more can be read of the rest, or is wanted.
func (ol *OlderTable) restOver() bool {
	r, o := &ol.rest, ol.restOlder()
	if o.End || o.Full || r.refused || ol.txns.paging().End || r.Card != "" && r.Card != ol.info.card() {
		return true
	}
	return !r.From.IsZero() && !o.Back.IsZero() && o.Back.Before(r.From)
}

// restAnswered plans the next page after one that came, or failed; wait is how long
// the API or the budget asks to wait for it.
func (ol *OlderTable) restAnswered(at time.Time, err error, first bool, wait time.Duration) {
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

// EndSearch removes what a search in the past has found.
type EndSearch struct{}

func (EndSearch) start(s *Store) (Topic, []Effect) {
	s.Older.endSearch()
	return TopicHealth | TopicFeed, nil
}

// ReadRest asks to read a rest to its end, page after page, until EndRest.
type ReadRest struct{ Rest }

func (in ReadRest) start(s *Store) (Topic, []Effect) {
	s.Older.readRest(in)
	return TopicHealth, nil
}

// EndRest ends the reading of a rest. What was read of it stays.
type EndRest struct{}

func (EndRest) start(s *Store) (Topic, []Effect) {
	s.Older.endRest()
	return TopicHealth, nil
}
