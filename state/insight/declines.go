package insight

import (
	"math"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/ledger"
)

// HistoryRead means that the history of what was done here was read: it tells about old declines.
func (sp *Table) HistoryRead() { sp.listed = false }

const (
	// declineRecent is how long after a decline what is read tells about it: the card's
	// settings and what it held are not known of the past.
	declineRecent = 10 * time.Minute
	// declinePolled is how long after a decline every lane was polled, if nothing
	// slows it.
	declinePolled = 2 * time.Minute
	// declinesRecent bounds how many are explained again with what was read since.
	declinesRecent = 100
)

// Decline returns why a transaction was declined, as far as that is known; false when
// it is none, or one of so long ago that it is not held.
func (sp *Table) Decline(id api.TransactionID) (decline.Answer, bool) {
	if e := sp.declines.Get(id); e != nil {
		return e.Answer, true
	}
	return decline.Answer{}, false
}

// DeclineReason is why the API says that a transaction was declined, where it was read in full;
// empty where that is not known.
func (sp *Table) DeclineReason(id api.TransactionID) string {
	if e := sp.declines.Get(id); e != nil {
		for _, reason := range e.Reasons() {
			return string(reason)
		}
	}
	return ""
}

// Storm returns the storm of retries that a decline is part of; nil for none.
func (sp *Table) Storm(id api.TransactionID) *decline.Storm { return sp.declines.Storm(id) }

// AddDeclines says why the declines of a page were, and tells the ledger of all of
// them, which may have been read before.
func (sp *Table) AddDeclines(page []api.Transaction) kernel.Topic {
	var topics kernel.Topic
	for _, e := range sp.declines.Add(page) {
		topics |= sp.explainDecline(e)
	}
	for i := range page {
		if e := sp.declines.Get(page[i].ID); e != nil {
			sp.ledger.Explain(e.Row.ID, e.Answer.Cause)
		}
	}
	return topics
}

// ExplainLately explains those declines again that what has changed may tell about:
// the recent ones, and the one that is looked at. A poll that brought nothing new
// tells about those that were made just before it.
func (sp *Table) ExplainLately(changed kernel.Topic) kernel.Topic {
	newer, most := declineRecent, declinesRecent
	_, listed := sp.needs.Total()
	switch known := listed && !sp.listed; {
	case changed&kernel.TopicBINs != 0, known: // A maximum tells about old declines as well, and so does that a card is terminated.
		newer, most, sp.listed = ledger.Last30d.Span(), math.MaxInt, listed
	case changed&(kernel.TopicCards|kernel.TopicCodes|kernel.TopicInspector|kernel.TopicFeed) != 0:
	case changed&kernel.TopicHealth != 0:
		newer = declinePolled
	default:
		return 0
	}
	var topics kernel.Topic
	for e := range sp.declines.Since(sp.ServerNow().Add(-newer)) {
		if most--; most < 0 {
			break
		}
		if !e.Sure() {
			topics |= sp.explainDecline(e)
		}
	}
	if e := sp.declines.Get(sp.needs.Txns.Inspected()); e != nil {
		topics |= sp.explainDecline(e)
	}
	return topics
}

func (sp *Table) recent(e *decline.Explained) bool { return sp.since(e) <= declineRecent }

// since is how long ago a transaction was declined.
func (sp *Table) since(e *decline.Explained) time.Duration {
	return sp.ServerNow().Sub(e.Row.CreatedAt)
}

// explainDecline says why a transaction was declined, by what is known now.
func (sp *Table) explainDecline(e *decline.Explained) kernel.Topic {
	f, before := &sp.facts, e.Answer
	sp.declineFacts(f, e)
	e.Explain(sp.Lang, f)
	if e.Answer.Confidence == decline.NotKnown {
		if a, ok := sp.declines.FromStorm(sp.Lang, e.Row.ID, f); ok {
			e.Answer = a
		}
	}
	if a := &e.Answer; a.Confidence == decline.Stated && a.Cause == decline.MonthlyLimit && sp.recent(e) && !sp.needs.Limits.ReadSince(e.Row.CardID, f.At) {
		sp.needs.Limits.Want(e.Row.CardID)
	}
	if e.Answer == before {
		return 0
	}
	sp.ledger.Explain(e.Row.ID, e.Answer.Cause)
	kernel.Tell(sp.Core, Explained{e})
	return kernel.TopicFeed
}

// DeclinesByBIN counts what the cards of each BIN were asked to pay over a range.
func (sp *Table) DeclinesByBIN(over ledger.Range) map[api.BINID]bins.Declines {
	out := make(map[api.BINID]bins.Declines)
	for _, r := range sp.needs.Cards.Rows() {
		if r.Status() != api.CardTerminated {
			d := out[r.BIN()]
			d.Cards++
			out[r.BIN()] = d
		}
	}
	table, _ := sp.ledger.Table(ledger.ByBIN, over, nil)
	for i := range table {
		row := &table[i]
		bin, _ := sp.ledger.Name(ledger.ByBIN, row.Place)
		d := out[api.BINID(bin)]
		d.Asked, d.Declined = row.Now.Attempts(), int(row.Now.Declined)
		out[api.BINID(bin)] = d
	}
	return out
}
