package insight

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/state/txns"
)

const (
	// aheadMost is how many declines that alert wait to be read: of more the first are not.
	aheadMost = 20
	// aheadHourly is how many declines are read in an hour, aheadAgain after how long one is requested again that had no
	// answer.
	aheadHourly = 1000
	aheadAgain  = time.Minute
	// declineAgain is the pause after a decline that could not be read.
	declineAgain = 5 * time.Second
)

// declineReading is the reading of declines in full, for the reason that the API has for them.
type declineReading struct {
	// alerting are those that alert, due is when the next is read.
	alerting []api.TransactionID
	due      time.Time
	quota    poll.Quota
	// counted reports whether those of ledger.Last24h are counted on the screen.
	counted bool
}

// ReadSoon has a decline that raises an alert read in full, and of a storm of retries only the first: the rest were declined
// for the same reason.
func (sp *Table) ReadSoon(t api.Transaction) {
	if storm := sp.Storm(t.ID); storm != nil && storm.Tries[0].ID != t.ID {
		return
	}
	if _, read := sp.needs.Txns.Detail(t.ID); read || sp.Cfg.Only != nil {
		return
	}
	r, id := &sp.reading, t.ID
	if r.alerting = append(r.alerting, id); len(r.alerting) > aheadMost {
		r.alerting = slices.Clone(r.alerting[1:])
	}
}

// readDeclines requests the next decline that is to be read.
func (sp *Table) readDeclines(now time.Time) {
	r := &sp.reading
	if !poll.Reached(now, r.due) {
		return
	}
	r.alerting = slices.DeleteFunc(r.alerting, func(id api.TransactionID) bool {
		e := sp.declines.Get(id)
		return e == nil || !e.Unread()
	})
	id, ok := sp.nextDecline(now)
	if !ok {
		if len(r.alerting) > 0 { // They wait for an answer.
			r.due = now.Add(sp.pastPause())
		}
		return
	}
	if free, ok := r.quota.Take(now, aheadHourly); !ok {
		r.due = free
		return
	}
	r.due = now.Add(sp.pastPause())
	sp.declines.Get(id).Asked = now
	sp.Wants = append(sp.Wants, txns.FetchOne{Seq: sp.NextSeq(), Transaction: id, Ahead: true})
}

// nextDecline returns the decline to be read next: the latest of those that alert, else the newest that a screen counts by
// its cause, of 24 hours, or of the 7 days of the inspected card.
func (sp *Table) nextDecline(now time.Time) (api.TransactionID, bool) {
	r, l, card := &sp.reading, sp.ledger, sp.needs.Inspected()
	waits := func(e *decline.Explained) bool { // It was not requested, or had no answer.
		return e.Unread() && (e.Asked.IsZero() || poll.Elapsed(e.Asked, now) >= aheadAgain)
	}
	for _, id := range slices.Backward(r.alerting) {
		if waits(sp.declines.Get(id)) {
			return id, true
		}
	}
	if !r.counted && card == "" || sp.Cfg.Only != nil {
		return "", false
	}
	day, from := l.Begin(ledger.Last24h), l.Begin(ledger.Last24h)
	if card != "" {
		from = l.Begin(ledger.Last7d)
	}
	for e := range sp.declines.Since(from) {
		wanted := e.Row.CardID == card || r.counted && !e.Row.CreatedAt.Before(day)
		if wanted && waits(e) {
			return e.Row.ID, true
		}
	}
	return "", false
}

// DeclineUnread records that a decline could not be read.
func (sp *Table) DeclineUnread(id api.TransactionID, f kernel.Failure) kernel.Topic {
	sp.reading.due = f.At.Add(max(f.Wait, declineAgain))
	if e := sp.declines.Get(id); e != nil && !f.Deferred && kernel.RefusesRead(f.Err) {
		e.Refused = true
		return kernel.TopicFeed
	}
	return 0
}

// ExplainRead explains a decline that was read in full, and those of its storm.
func (sp *Table) ExplainRead(id api.TransactionID) (topics kernel.Topic) {
	e := sp.declines.Get(id)
	if e == nil {
		return 0
	}
	topics = sp.explainDecline(e)
	if storm := sp.Storm(id); storm != nil {
		for _, t := range storm.Tries {
			if other := sp.declines.Get(t.ID); other != nil && t.ID != id {
				topics |= sp.explainDecline(other)
			}
		}
	}
	return topics
}

// ReadDeclines has all declines of 24 hours read in full whose cause is not sure, the newest first, as long as it is
// On: the screen counts them by cause.
type ReadDeclines struct{ On bool }

func (in ReadDeclines) Start(sp *Table) (kernel.Topic, []kernel.Effect) {
	sp.reading.counted = in.On
	if !in.On {
		return 0, nil
	}
	var topics kernel.Topic
	for e := range sp.declines.Since(sp.begin24h()) { // What was read meanwhile may tell.
		if !e.Sure() {
			topics |= sp.explainDecline(e)
		}
	}
	return topics, sp.needs.BINs.Load(false)
}

// DeclinesByCause groups the declines of the last 24 hours by cause, the most first.
func (sp *Table) DeclinesByCause() []decline.Group {
	return sp.declines.Groups(sp.begin24h())
}

// DeclineRows are declines by cause for other programs.
func (sp *Table) DeclineRows(groups []decline.Group) rows.Rows {
	list := slices.Clone(groups)
	return rows.Rows{
		What: "declines", N: len(list),
		Columns: []string{"cause", "confidence", "said", "declines", "likely", "amount", "other_currencies", "cards", "last_at", "transaction_id"},
		Row: func(i int) []rows.Cell {
			g := &list[i]
			return []rows.Cell{
				rows.Text(g.Answer.Cause.String()), rows.Text(g.Answer.Confidence.String()), rows.Text(g.Answer.Said), rows.Count(len(g.IDs)), rows.Count(g.Likely), rows.Money(g.Sum),
				rows.Count(g.Foreign), rows.Count(len(g.Cards)), rows.Time(g.Last), rows.Text(g.IDs[0]),
			}
		},
	}
}
