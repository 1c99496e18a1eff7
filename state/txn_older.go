package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
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

// olderPause keeps a key that is held down from spending the hour: a page a
// second is more than anyone reads.
const olderPause = time.Second

// Older is how far a list was read back into the past.
type Older struct {
	// Back is on the server's clock; zero when it is not known.
	Back    time.Time
	Loading bool
	// End: nothing is older. Full: as many are held as may be.
	End, Full bool
	// Why tells in words why the last page could not be read; empty when it was.
	// ByItself says that it is asked for again without a key: it is the first.
	Why      string
	ByItself bool
}

// Older tells how far the inspected card's own list was read back, or the feed
// for an empty id.
func (ol *OlderTable) State(card api.CardID) Older {
	b, begun := ol.backwards(card)
	o := b.told()
	o.Full = ol.full()
	if !begun {
		err := ol.notBegun(card)
		o.Loading, o.ByItself, o.Why = err == nil, err != nil, ""
		if err != nil {
			o.Why = explain(err)
		}
	}
	return o
}

// notBegun tells why the first rows of a list are not there yet; nil while they
// are on the way.
func (ol *OlderTable) notBegun(card api.CardID) error {
	switch src := ol.poll.Source(LaneHistory); {
	case card == ol.info.inspector.card && card != "":
		return ol.info.inspector.err
	case card != "":
		return nil
	case !src.ShortTill.IsZero():
		return errLimitUsed
	default:
		return src.Err
	}
}

// backwards finds the reading of a list; begun tells whether its first rows
// were read.
func (ol *OlderTable) backwards(card api.CardID) (b *backwards, begun bool) {
	if card == "" {
		return &ol.txns.feed.past, ol.poll.Done(LaneHistory)
	}
	return &ol.info.inspector.past, ol.info.inspector.card == card && ol.info.inspector.txnsIn
}

// full tells whether as many transactions are held as may be.
func (ol *OlderTable) full() bool {
	return len(ol.txns.feed.rows())+len(ol.info.inspector.txns) >= feedKept
}

// loadOlder asks for the next page of a list's past, or of a search in it.
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
		return ol.seek(in.Search, pause)
	}
	if in.Card == "" {
		ol.search = search{} // Now its rows are to be the feed's.
	}
	b, begun := ol.backwards(in.Card)
	if !begun || ol.full() || !b.ready(ol.now, pause) {
		return e, false
	}
	if in.Card != "" {
		// The feed's rows of the card need not be read again.
		b.takeOver(ol.txns.feed.past)
	}
	e = b.next(ol.nextSeq())
	e.Card = in.Card
	return e, true
}

// reading finds the reading that a page belongs to.
func (ol *OlderTable) reading(f FetchOlder) *backwards {
	if f.Search.On() {
		return &ol.search.past
	}
	b, _ := ol.backwards(f.Card)
	return b
}

func (ol *OlderTable) loaded(ev OlderLoaded) Topic {
	b := ol.reading(ev.FetchOlder)
	if b.asked != ev.Seq {
		return 0
	}
	b.asked, b.at, b.page, b.end = 0, ev.At, ev.Page, !ev.More
	b.reach(ev.Items)
	ol.restCame(ev.At, nil, false, 0)
	if ev.Search.On() {
		ol.found(ev)
		return TopicHealth | TopicFeed
	}
	if ev.Card == "" {
		if !ol.txns.merge(ev.Items) {
			return TopicHealth // There is only less to be read.
		}
		ol.txns.trim()
		return TopicHealth | TopicFeed | TopicCards
	}
	ol.info.inspector.txns = withRows(ol.info.inspector.txns, newestFirst(ev.Items))
	return TopicInspector
}

// failed shows why, and waits to be asked again. A page that the API
// refuses would be refused for ever: the next reading begins where this one
// ended. wait is how long the API or the budget asks to wait.
func (ol *OlderTable) failed(f FetchOlder, err error, at time.Time, wait time.Duration) Topic {
	b := ol.reading(f)
	if b.asked != f.Seq {
		return 0
	}
	b.asked, b.at, b.err = 0, at, err
	ol.restCame(at, err, f.Page == 1, wait)
	if refusesRequest(err) {
		b.page = 0
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
