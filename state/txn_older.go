package state

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
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

// backwards is the reading of a list on into the past, a page at a time, for
// who scrolls to its end. The pages of one reading are bounded by the time it
// began at, so that what is made meanwhile shifts none of them.
type backwards struct {
	// back is the time on the server's clock after which all was read; zero when
	// that is not known.
	back time.Time
	// to bounds the reading, page is the last one read of it; 0 before the first.
	to   time.Time
	page int
	// asked is the request under way, 0 for none; at is when the last ended.
	asked Seq
	at    time.Time
	end   bool // nothing is older
	err   error
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

// told tells how far a reading has come.
func (b *backwards) told() Older {
	o := Older{Back: b.back, Loading: b.asked != 0, End: b.end}
	if b.err != nil {
		o.Why = explain(b.err)
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

// ready tells whether another page can be asked for.
func (b *backwards) ready(now time.Time, pause time.Duration) bool {
	return b.asked == 0 && !b.end && !b.back.IsZero() && poll.Elapsed(b.at, now) >= pause
}

// next asks for another page.
func (b *backwards) next(seq Seq) FetchOlder {
	if b.page == 0 {
		b.to = b.back
	}
	b.asked, b.err = seq, nil
	return FetchOlder{Seq: b.asked, To: b.to, Page: b.page + 1}
}

// reading finds the reading that a page belongs to.
func (ol *OlderTable) reading(f FetchOlder) *backwards {
	if f.Search.On() {
		return &ol.search.past
	}
	b, _ := ol.backwards(f.Card)
	return b
}

// takeOver goes on where another reading of the same rows has come to, if that
// goes further back.
func (b *backwards) takeOver(from backwards) {
	if !from.back.IsZero() && from.back.Before(b.back) {
		*b = backwards{back: from.back, at: b.at}
	}
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

// reach notes that a page was read that follows what was read before. Of the
// time of its oldest row there may be more on the next.
func (b *backwards) reach(items []api.Transaction) {
	for _, t := range items {
		b.readAfter(t.CreatedAt)
	}
}

// readAfter notes that all was read that was made after a time; a row without
// one tells nothing.
func (b *backwards) readAfter(at time.Time) {
	if !at.IsZero() && (b.back.IsZero() || at.Before(b.back)) {
		b.back = at
	}
}

// since tells whether all was read that was made from a time on.
func (b *backwards) since(from time.Time) bool {
	return b.end || !b.back.IsZero() && b.back.Before(from)
}

// withRows puts rows into others, both newest first, each once. Of a row that
// is in both the later state counts, which is the second's.
func withRows(rows, more []api.Transaction) []api.Transaction {
	out := make([]api.Transaction, 0, len(rows)+len(more))
	for len(rows) > 0 && len(more) > 0 {
		switch c := inOrder(rows[0], more[0]); {
		case c == 0:
			rows = rows[1:]
		case c > 0:
			out, rows = append(out, rows[0]), rows[1:]
		default:
			out, more = append(out, more[0]), more[1:]
		}
	}
	return append(append(out, rows...), more...)
}

// newestFirst gives the rows of a page in order, each once.
func newestFirst(items []api.Transaction) []api.Transaction {
	out := slices.Clone(items)
	slices.SortFunc(out, func(a, b api.Transaction) int { return inOrder(b, a) })
	return slices.CompactFunc(out, func(a, b api.Transaction) bool { return a.ID == b.ID })
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
