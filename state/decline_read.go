package state

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

// readDecline plans to read a decline that raises an alert in full, and of a storm of retries only the
// first: the rest were declined for the same reason.
func (s *Store) readDecline(t api.Transaction) {
	rules, storm := s.Alerts.Rules(), s.Spend.Storm(t.ID)
	if !rules.Declines || storm != nil && storm.Tries[0].ID != t.ID {
		return
	}
	if _, read := s.Txns.Detail(t.ID); read || s.Cfg.Only != nil {
		return
	}
	r, id := &s.Spend.reading, t.ID
	if r.alerting = append(r.alerting, id); len(r.alerting) > aheadMost {
		r.alerting = slices.Clone(r.alerting[1:])
	}
}

// readDeclines requests the next decline that is to be read.
func readDeclines(s *Store, now time.Time) {
	r := &s.Spend.reading
	if !poll.Reached(now, r.due) {
		return
	}
	r.alerting = slices.DeleteFunc(r.alerting, func(id api.TransactionID) bool {
		e := s.Spend.declines.Get(id)
		return e == nil || !e.Unread()
	})
	id, ok := nextDecline(s, now)
	if !ok {
		if len(r.alerting) > 0 { // They wait for an answer.
			r.due = now.Add(s.Spend.pastPause())
		}
		return
	}
	if free, ok := r.quota.Take(now, aheadHourly); !ok {
		r.due = free
		return
	}
	r.due = now.Add(s.Spend.pastPause())
	s.Spend.declines.Get(id).Asked = now
	s.Wants = append(s.Wants, txns.FetchOne{Seq: s.NextSeq(), Transaction: id, Ahead: true})
}

// nextDecline returns the decline to be read next: the latest of those that alert, else the newest that a screen counts by
// its cause, of 24 hours, or of the 7 days of the inspected card.
func nextDecline(s *Store, now time.Time) (api.TransactionID, bool) {
	r, l, card := &s.Spend.reading, s.Spend.ledger, s.Info.Card()
	waits := func(e *decline.Explained) bool { // It was not requested, or had no answer.
		return e.Unread() && (e.Asked.IsZero() || poll.Elapsed(e.Asked, now) >= aheadAgain)
	}
	for _, id := range slices.Backward(r.alerting) {
		if waits(s.Spend.declines.Get(id)) {
			return id, true
		}
	}
	if !r.counted && card == "" || s.Cfg.Only != nil {
		return "", false
	}
	day, from := l.Begin(ledger.Last24h), l.Begin(ledger.Last24h)
	if card != "" {
		from = l.Begin(ledger.Last7d)
	}
	for e := range s.Spend.declines.Since(from) {
		wanted := e.Row.CardID == card || r.counted && !e.Row.CreatedAt.Before(day)
		if wanted && waits(e) {
			return e.Row.ID, true
		}
	}
	return "", false
}

// declineUnread records that a decline could not be read.
func declineUnread(s *Store, id api.TransactionID, f kernel.Failure) kernel.Topic {
	s.Spend.reading.due = f.At.Add(max(f.Wait, declineAgain))
	if e := s.Spend.declines.Get(id); e != nil && !f.Deferred && kernel.RefusesRead(f.Err) {
		e.Refused = true
		return kernel.TopicFeed
	}
	return 0
}

// explainRead explains a decline that was read in full, and those of its storm.
func explainRead(s *Store, id api.TransactionID) (topics kernel.Topic) {
	e := s.Spend.declines.Get(id)
	if e == nil {
		return 0
	}
	topics = s.explainDecline(e)
	if storm := s.Spend.Storm(id); storm != nil {
		for _, t := range storm.Tries {
			if other := s.Spend.declines.Get(t.ID); other != nil && t.ID != id {
				topics |= s.explainDecline(other)
			}
		}
	}
	return topics
}

// ReadDeclines has all declines of 24 hours read in full whose cause is not sure, the newest first, as long as it is
// On: the screen counts them by cause.
type ReadDeclines struct{ On bool }

func (in ReadDeclines) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	s.Spend.reading.counted = in.On
	if !in.On {
		return 0, nil
	}
	var topics kernel.Topic
	for e := range s.Spend.declines.Since(s.Spend.begin24h()) { // What was read meanwhile may tell.
		if !e.Sure() {
			topics |= s.explainDecline(e)
		}
	}
	return topics, s.BINs.Load(false)
}

// DeclinesByCause groups the declines of the last 24 hours by cause, the most first.
func (sp *SpendTable) DeclinesByCause() []decline.Group {
	return sp.declines.Groups(sp.begin24h())
}

// DeclineRows are declines by cause for other programs.
func (sp *SpendTable) DeclineRows(groups []decline.Group) rows.Rows {
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

// transactionsRead adds a page of the feed: why declines were, what is news, what raises an alert.
func (s *Store) transactionsRead(page txns.PageRead) kernel.Topic {
	topics := s.addDeclines(page.Items)
	for i := range page.Fresh {
		t := &page.Fresh[i]
		s.News.ReportTransaction(t)
		if t.Type == api.TransactionDecline {
			s.readDecline(*t)
		}
		topics |= s.Alerts.Used(*t)
	}
	return topics
}

// readAbout requests what explains why a transaction was declined, besides itself: its
// card's expiry and limit, and the maximum of its BIN.
func (s *Store) readAbout(id api.TransactionID) []kernel.Effect {
	t, ok := s.Txns.Get(id)
	if !ok || t.Type != api.TransactionDecline {
		return nil
	}
	s.addDeclines([]api.Transaction{t})
	effects := s.BINs.Load(false)
	if _, known := s.Info.summaryOf(t.CardID); !known {
		effects = append(effects, FetchSummary{Seq: s.NextSeq(), Card: t.CardID, Ahead: true})
	}
	return effects
}
