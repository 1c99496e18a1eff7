package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/txnlist"
)

// OlderTable reads transactions of the past: pages behind the feed and a card, a
// search, the rest for an export.
type OlderTable struct {
	*core
	poll   *PollTable
	txns   *TxnsTable
	info   *InfoTable
	search search
	rest   restReading
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
func olderOf(p *txnlist.Paging) Older {
	o := Older{Back: p.Back, Loading: p.Asked != 0, End: p.End}
	if p.Err != nil {
		o.Why = errtext.Explain(p.Err)
	}
	return o
}

// State returns how far the inspected card's own list was read back, or the feed
// for an empty id.
func (ol *OlderTable) State(card api.CardID) Older {
	b, begun := ol.paging(card)
	o := olderOf(b)
	o.Full = ol.full()
	if !begun {
		err := ol.notBegun(card)
		o.Loading, o.ByItself, o.Why = err == nil, err != nil, ""
		if err != nil {
			o.Why = errtext.Explain(err)
		}
	}
	return o
}

// notBegun returns why the first rows of a list are not there yet; nil while they
// are on the way.
func (ol *OlderTable) notBegun(card api.CardID) error {
	switch src := ol.poll.Source(LaneHistory); {
	case card == ol.info.card() && card != "":
		return ol.info.readErr()
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
func (ol *OlderTable) paging(card api.CardID) (b *txnlist.Paging, begun bool) {
	if card == "" {
		return ol.txns.paging(), ol.poll.Done(LaneHistory)
	}
	return ol.info.paging(card)
}

// full reports whether as many transactions are held as may be.
func (ol *OlderTable) full() bool {
	return len(ol.txns.All())+ol.info.held() >= feedKept
}

// loadOlder requests the next page of a list's past, or of a search in it.
func (ol *OlderTable) loadOlder(in LoadOlder) []Effect {
	if e, ok := ol.nextOlder(in, olderPause); ok {
		return []Effect{e}
	}
	return nil
}

// nextOlder is the next page, unless the one before came less than a pause ago;
// false when there is none to ask for.
func (ol *OlderTable) nextOlder(in LoadOlder, pause time.Duration) (e FetchOlder, ok bool) {
	if in.Search.On() {
		return ol.nextFound(in.Search, pause)
	}
	if in.Card == "" {
		ol.search = search{} // Now its rows are to be the feed's.
	}
	b, begun := ol.paging(in.Card)
	if !begun || ol.full() || !b.Ready(ol.now, pause) {
		return e, false
	}
	if in.Card != "" {
		// The feed's rows of the card need not be read again.
		b.ContinueFrom(*ol.txns.paging())
	}
	e = nextPage(b, ol.nextSeq())
	e.Card = in.Card
	return e, true
}

// nextPage starts the request for the next page of a list.
func nextPage(p *txnlist.Paging, seq Seq) FetchOlder {
	to, page := p.Next(seq)
	return FetchOlder{Seq: seq, To: to, Page: page}
}

// pagingOf finds the reading that a page belongs to.
func (ol *OlderTable) pagingOf(f FetchOlder) *txnlist.Paging {
	if f.Search.On() {
		return &ol.search.past
	}
	b, _ := ol.paging(f.Card)
	return b
}

func (ol *OlderTable) loaded(ev OlderLoaded) Topic {
	b := ol.pagingOf(ev.FetchOlder)
	if b.Asked != ev.Seq {
		return 0
	}
	b.Asked, b.At, b.Page, b.End = 0, ev.At, ev.Page, !ev.More
	b.Reach(ev.Items)
	ol.restAnswered(ev.At, nil, false, 0)
	if ev.Search.On() {
		ol.addFound(ev)
		return TopicHealth | TopicFeed
	}
	if ev.Card == "" {
		if !ol.txns.merge(ev.Items) {
			return TopicHealth // There is only less to be read.
		}
		ol.addTrimmed(ol.txns.trim())
		return TopicHealth | TopicFeed | TopicCards
	}
	ol.info.addOlder(ev.Items)
	return TopicInspector
}

// failed shows why, and waits to be asked again. A page that the API
// refuses would be refused for ever: the next reading begins where this one
// ended. wait is how long the API or the budget asks to wait.
func (ol *OlderTable) failed(f FetchOlder, err error, at time.Time, wait time.Duration) Topic {
	b := ol.pagingOf(f)
	if b.Asked != f.Seq {
		return 0
	}
	b.Asked, b.At, b.Err = 0, at, err
	ol.restAnswered(at, err, f.Page == 1, wait)
	if refusesRequest(err) {
		b.Page = 0
	}
	return TopicHealth | TopicInspector
}

// start reads the next page and reports what it changes.
func (ol *OlderTable) start(in LoadOlder) (Topic, []Effect) {
	had := ol.search.Search
	effects := ol.loadOlder(in)
	if ol.search.Search != had {
		return TopicHealth | TopicInspector | TopicFeed, effects
	}
	return TopicHealth | TopicInspector, effects
}

// wakes calls at with the times at which the table has something to do.
func (ol *OlderTable) wakes(at func(time.Time)) { at(ol.rest.due) }

// addTrimmed adds what the feed removed to where it is still shown.
func (ol *OlderTable) addTrimmed(gone []api.Transaction) {
	if len(gone) > 0 {
		ol.info.addTrimmed(gone)
		ol.search.addTrimmed(gone)
	}
}
