package txns

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/txnlist"
)

// Past reads transactions of the past: pages behind the feed and a card, a
// search, the rest for an export.
type Past struct {
	*kernel.Core
	lanes     *kernel.Lanes
	txns      *Table
	inspected InspectedCard
	search    search
	rest      restReading
}

// NewPast returns a table of the past of a table of transactions.
func NewPast(tx *Table) *Past {
	return &Past{Core: tx.Core, lanes: tx.lanes, txns: tx, inspected: tx.needs.Inspected}
}

// search is the one search in the past, from where the feed was read back to.
// What it finds is not the feed's: it adds up to nothing, and no gap between two
// found rows counts as read.
type search struct {
	txnlist.List
	Search
	past  txnlist.Paging
	began time.Time // on the server's clock
}

// restReading is the one reading of a rest.
type restReading struct {
	Rest
	on bool
	// due is when to check whether it is over, and else to ask for the next page;
	// zero while one is on its way.
	due time.Time
	// refused reports whether the API refuses to go on.
	refused bool
}

// olderPause is so long that a key that is held down cannot spend the hour: a page a
// second is more than anyone reads.
const olderPause = time.Second

// Older is how far a list was read back into the past.
type Older struct {
	// Back is on the server's clock; zero when it is not known.
	Back    time.Time
	Loading bool
	// End: nothing is older. Full: as many are held as may be.
	End, Full bool
	// Why is why the last page could not be read; empty when it was.
	// ByItself reports whether it is asked for again without a key: it is the first.
	Why      string
	ByItself bool
}

// olderOf says how far a list was read.
func olderOf(w *lang.Words, p *txnlist.Paging) Older {
	o := Older{Back: p.Back, Loading: p.Asked != 0, End: p.End}
	if p.Err != nil {
		o.Why = errtext.Explain(w, p.Err)
	}
	return o
}

// State returns how far the inspected card's own list was read back, or the feed
// for an empty id.
func (ol *Past) State(card api.CardID) Older {
	b, begun := ol.paging(card)
	o := olderOf(ol.Lang, b)
	o.Full = ol.full()
	if !begun {
		err := ol.notBegun(card)
		o.Loading, o.ByItself, o.Why = err == nil, err != nil, ""
		if err != nil {
			o.Why = errtext.Explain(ol.Lang, err)
		}
	}
	return o
}

// notBegun returns why the first rows of a list are not there yet; nil while they
// are on the way.
func (ol *Past) notBegun(card api.CardID) error {
	switch src := ol.lanes.Source(poll.History); {
	case card == ol.inspected.Card() && card != "":
		return ol.inspected.ReadErr()
	case card != "":
		return nil
	case !src.ShortTill.IsZero():
		return errtext.ErrLimitUsed
	default:
		return src.Err
	}
}

// paging finds the reading of a list; begun reports whether its first rows
// were read.
func (ol *Past) paging(card api.CardID) (b *txnlist.Paging, begun bool) {
	if card == "" {
		return ol.txns.Paging(), ol.lanes.Done(poll.History)
	}
	return ol.inspected.Paging(card)
}

// full reports whether as many transactions are held as may be.
func (ol *Past) full() bool {
	return len(ol.txns.All())+len(ol.inspected.Transactions()) >= feedKept
}

// loadOlder requests the next page of a list's past, or of a search in it.
func (ol *Past) loadOlder(in LoadOlder) []kernel.Effect {
	if e, ok := ol.nextOlder(in, olderPause); ok {
		return []kernel.Effect{e}
	}
	return nil
}

// nextOlder is the next page, unless the one before came less than a pause ago;
// false when there is none to ask for.
func (ol *Past) nextOlder(in LoadOlder, pause time.Duration) (e FetchOlder, ok bool) {
	if in.Search.On() {
		return ol.nextFound(in.Search, pause)
	}
	if in.Card == "" {
		ol.search = search{} // Now its rows are to be the feed's.
	}
	b, begun := ol.paging(in.Card)
	if !begun || ol.full() || !b.Ready(ol.Time, pause) {
		return e, false
	}
	if in.Card != "" {
		// The feed's rows of the card need not be read again.
		b.ContinueFrom(*ol.txns.Paging())
	}
	e = nextPage(b, ol.NextSeq())
	e.Card = in.Card
	return e, true
}

// nextPage starts the request for the next page of a list.
func nextPage(p *txnlist.Paging, seq poll.Seq) FetchOlder {
	to, page := p.Next(seq)
	return FetchOlder{Seq: seq, To: to, Page: page}
}

// pagingOf finds the reading that a page belongs to.
func (ol *Past) pagingOf(f FetchOlder) *txnlist.Paging {
	if f.Search.On() {
		return &ol.search.past
	}
	b, _ := ol.paging(f.Card)
	return b
}

func (ol *Past) loaded(ev OlderLoaded) kernel.Topic {
	b := ol.pagingOf(ev.FetchOlder)
	if b.Asked != ev.Seq {
		return 0
	}
	b.Asked, b.At, b.Page, b.End = 0, ev.At, ev.Page, !ev.More
	b.Reach(ev.Items)
	ol.restAnswered(ev.At, nil, false, 0)
	if ev.Search.On() {
		ol.addFound(ev)
		return kernel.TopicHealth | kernel.TopicFeed
	}
	if ev.Card == "" {
		if !ol.txns.merge(ev.Items) {
			return kernel.TopicHealth // There is only less to be read.
		}
		ol.txns.trim()
		return kernel.TopicHealth | kernel.TopicFeed | kernel.TopicCards
	}
	ol.inspected.AddOlder(ev.Items)
	return kernel.TopicInspector
}

// failed shows why, and waits to be asked again. A page that the API
// refuses would be refused for ever: the next reading begins where this one
// ended. wait is how long the API or the budget asks to wait.
func (ol *Past) failed(f FetchOlder, err error, at time.Time, wait time.Duration) kernel.Topic {
	b := ol.pagingOf(f)
	if b.Asked != f.Seq {
		return 0
	}
	b.Asked, b.At, b.Err = 0, at, err
	ol.restAnswered(at, err, f.Page == 1, wait)
	if kernel.RefusesRequest(err) {
		b.Page = 0
	}
	return kernel.TopicHealth | kernel.TopicInspector
}

// start reads the next page and reports what it changes.
func (ol *Past) start(in LoadOlder) (kernel.Topic, []kernel.Effect) {
	had := ol.search.Search
	effects := ol.loadOlder(in)
	if ol.search.Search != had {
		return kernel.TopicHealth | kernel.TopicInspector | kernel.TopicFeed, effects
	}
	return kernel.TopicHealth | kernel.TopicInspector, effects
}

// Wakes calls at with the times at which the table has something to do.
func (ol *Past) Wakes(at func(time.Time)) { at(ol.rest.due) }

// AddTrimmed adds what the feed dropped to where it is still shown.
func (ol *Past) AddTrimmed(gone []api.Transaction) {
	if len(gone) > 0 {
		ol.inspected.AddTrimmed(gone)
		ol.search.addTrimmed(gone)
	}
}

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
func (ol *Past) Found() Found {
	f := &ol.search
	o := olderOf(ol.Lang, &f.past)
	o.Full = len(f.Rows()) >= ol.searchRoom()
	return Found{Search: f.Search, Rows: f.Rows(), Older: o}
}

// nextFound requests the next page of a search, which replaces another.
func (ol *Past) nextFound(asks Search, pause time.Duration) (e FetchOlder, ok bool) {
	feed, begun := ol.paging("")
	if !begun || feed.Back.IsZero() || feed.End {
		return e, false
	}
	f := &ol.search
	if f.Search != asks {
		feed.Asked = 0 // What it brings would come among what is found.
		f.restart(asks, feed.Back, ol.ServerNow(), ol.searchRoom())
	}
	if len(f.Rows()) >= ol.searchRoom() || !f.past.Ready(ol.Time, pause) {
		return e, false
	}
	e = nextPage(&f.past, ol.NextSeq())
	e.Search = asks
	if asks.Younger != 0 {
		e.From = f.began.Add(-asks.Younger)
	}
	return e, true
}

// searchRoom is how many found rows may be held: what the feed leaves of what
// is held at all, and never less than searchKept.
func (ol *Past) searchRoom() int { return max(searchKept, feedKept-len(ol.txns.All())) }

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
		past.Back = kernel.Earlier(past.Back, began.Add(searchSlack-asks.Older))
	}
	f.Search, f.past, f.began = asks, past, began
}

// addFound adds a page. Rows that the feed holds are its own.
func (ol *Past) addFound(ev OlderLoaded) {
	f := &ol.search
	news := slices.DeleteFunc(txnlist.NewestFirst(ev.Items), func(t api.Transaction) bool {
		held := ol.txns.holds(t.ID)
		_, have := f.Find(t)
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

// Expire ends a search for what is older than an age when rows have come of
// that age which it was not for.
func (ol *Past) Expire(serverNow time.Time) kernel.Topic {
	if f := &ol.search; f.Older == 0 || serverNow.Sub(f.began) <= searchSlack {
		return 0
	}
	ol.search = search{}
	return kernel.TopicFeed | kernel.TopicHealth
}

// endSearch removes what a search has found.
func (ol *Past) endSearch() { ol.search = search{} }

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
func (ol *Past) RestRead() RestRead {
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
func (ol *Past) restOlder() Older {
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
func (ol *Past) readRest(in ReadRest) {
	ol.rest = restReading{Rest: in.Rest, on: true, due: ol.Time}
}

// ContinueRest requests the next page when it is due, or ends the reading.
func (ol *Past) ContinueRest(now time.Time) kernel.Topic {
	r := &ol.rest
	if !r.on || r.due.IsZero() || !poll.Reached(now, r.due) {
		return 0
	}
	if ol.restOver() {
		*r = restReading{}
		return kernel.TopicHealth
	}
	r.due = now.Add(restPause)
	if e, ok := ol.nextOlder(LoadOlder{Card: r.Card, Search: r.Search}, restPause); ok {
		e.Rest = true
		r.due = time.Time{}
		ol.Wants = append(ol.Wants, e)
	}
	return kernel.TopicHealth | kernel.TopicInspector | kernel.TopicFeed
}

// restOver reports whether nothing more can be read of the rest, or is wanted.
func (ol *Past) restOver() bool {
	r, o := &ol.rest, ol.restOlder()
	if o.End || o.Full || r.refused || ol.txns.Paging().End || r.Card != "" && r.Card != ol.inspected.Card() {
		return true
	}
	return !r.From.IsZero() && !o.Back.IsZero() && o.Back.Before(r.From)
}

// restAnswered plans the next page after one that came, or failed; wait is how long
// the API or the budget asks to wait for it.
func (ol *Past) restAnswered(at time.Time, err error, first bool, wait time.Duration) {
	r := &ol.rest
	if !r.on {
		return
	}
	switch {
	case err == nil:
		wait = restPause
	case kernel.RefusesRequest(err):
		// A later page is not there: the next reading begins where this one ended.
		wait, r.refused = restPause, first
	default:
		wait = max(wait, restAgain)
	}
	r.due = at.Add(wait)
}

func (ol *Past) endRest() { ol.rest = restReading{} }
