package state

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
)

// InfoTable holds what is read of a card besides the list: the card screen, the
// summary of the selected one, settings.
type InfoTable struct {
	*core
	cards     *CardsTable
	poll      *PollTable
	txns      *TxnsTable
	inspector inspector
	selected  selected
	summaries summaryBook
	settings  settingsBook
}

// inspector is the one card a person looks at closely.
type inspector struct {
	card    api.CardID
	summary *api.CardSummary
	txns    []api.Transaction
	txnsIn  bool
	past    backwards
	seq     Seq
	err     error
	okAt    time.Time
	due     time.Time
}

// inspectEvery is how often the inspected card is read while it is looked at.
const inspectEvery = 15 * time.Second

// Inspected is what is known of the inspected card beyond the list.
type Inspected struct {
	Card api.CardID
	// Summary is nil until it has been read.
	Summary *api.CardSummary
	// Transactions are the card's own as far back as they were read, newest
	// first; Loaded tells an empty
	// list from one not read yet.
	Transactions []api.Transaction
	Loaded       bool
	Err          error
	// Why says in words what Err is.
	Why string
	// Source tells how old the summary is.
	Source Source
}

// Inspected reports on the inspected card; its id is empty when there is
// none.
func (inf *InfoTable) Inspected() Inspected {
	in, why := inf.inspector, ""
	if in.err != nil {
		why = explain(in.err)
	}
	return Inspected{
		Card: in.card, Summary: in.summary, Transactions: in.txns, Loaded: in.txnsIn, Err: in.err, Why: why,
		Source: Source{Every: inspectEvery, OKAt: in.okAt, Err: in.err},
	}
}

func (inf *InfoTable) inspect(in InspectCard) []Effect {
	inf.inspector, inf.txns.links = inspector{card: in.Card}, links{}
	if in.Card == "" {
		return nil
	}
	if m, ok := inf.summaries[in.Card]; ok {
		inf.inspector.summary, inf.inspector.okAt = &m.CardSummary, m.at
	}
	if in.Passing {
		inf.inspector.due = inf.now.Add(restBefore)
		return nil
	}
	return inf.reinspect()
}

// reinspect asks anew for what is shown of the inspected card.
func (inf *InfoTable) reinspect() []Effect {
	in := &inf.inspector
	if in.card == "" {
		return nil
	}
	in.seq, in.err, in.due = inf.nextSeq(), nil, inf.now.Add(inspectEvery)
	return []Effect{FetchSummary{Seq: in.seq, Card: in.card}, FetchCardTransactions{Seq: in.seq, Card: in.card}}
}

func (ev SummaryLoaded) apply(s *Store) (topics Topic, effects []Effect) {
	if ev.Seq >= s.Info.settings[ev.Card].seq { // Else a write has told better since.
		s.Limits.learnLimit(ev.Card, ev.Summary.SpendingLimit, ev.At)
	}
	if ev.Limit {
		s.Limits.limits.answered(ev.Seq)
	}
	if c := s.Cards.find(ev.Card); c != nil && ev.Seq > c.fence {
		c.fence = ev.Seq - 1
		s.sawStatus(c.card(), ev.Summary.Status, ev.At)
		shown := c.status.text()
		c.read = stampOf(ev.At)
		c.status, c.balance, c.label, c.cached = wordOf(ev.Summary.Status), ev.Summary.Balance, ev.Summary.Label, false
		c.turn(shown, ev.At)
		topics, effects = s.judge(c.card())
		topics |= TopicCards
	}
	if !ev.Limit {
		s.Info.keepSummary(ev)
	}
	if ev.Card == s.Info.selected.card {
		topics |= TopicInspector
	}
	if ev.Card != s.Info.inspector.card || ev.Seq != s.Info.inspector.seq {
		return topics, effects
	}
	s.Info.inspector.summary, s.Info.inspector.okAt = &ev.Summary, ev.At
	return topics | TopicInspector, effects
}

func (inf *InfoTable) transactionsLoaded(ev CardTransactionsLoaded) Topic {
	if ev.Card != inf.inspector.card || ev.Seq != inf.inspector.seq {
		return 0
	}
	in := &inf.inspector
	gap := ev.More && !slices.ContainsFunc(ev.Items, func(t api.Transaction) bool {
		return slices.ContainsFunc(in.txns, func(held api.Transaction) bool { return held.ID == t.ID })
	})
	if gap || !in.txnsIn {
		// What was made since the last answer is more than a page.
		in.txns, in.past = nil, backwards{}
	}
	in.txns, in.txnsIn = withRows(in.txns, newestFirst(ev.Items)), true
	in.past.reach(ev.Items)
	in.past.end = in.past.end || !ev.More
	return TopicInspector
}

// failed shows why the card that is looked at could not be read.
func (inf *InfoTable) failed(seq Seq, e failure) Topic {
	if inf.inspector.seq != seq {
		return 0
	}
	inf.inspector.err = e.err
	return TopicInspector
}

// refreshInspector asks again for the card that is looked at.
func (inf *InfoTable) refreshInspector(now time.Time) {
	if inf.inspector.card != "" && poll.Reached(now, inf.inspector.due) {
		inf.wants = append(inf.wants, inf.reinspect()...)
	}
}
