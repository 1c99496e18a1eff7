package state

import "github.com/cardtop/cardtop/api"

// inspector is the one card a person looks at closely.
type inspector struct {
	card    api.CardID
	summary *api.CardSummary
	txns    []api.Transaction
	txnsIn  bool
	seq     Seq
	err     error
}

// Inspected is what is known of the inspected card beyond the list.
type Inspected struct {
	Card api.CardID
	// Summary is nil until it has been read.
	Summary *api.CardSummary
	// Transactions are the card's latest, newest first; Loaded tells an empty
	// list from one not read yet.
	Transactions []api.Transaction
	Loaded       bool
	Err          error
}

// Inspected reports on the inspected card; its id is empty when there is
// none.
func (s *Store) Inspected() Inspected {
	in := s.inspector
	return Inspected{Card: in.card, Summary: in.summary, Transactions: in.txns, Loaded: in.txnsIn, Err: in.err}
}

func (s *Store) inspect(id api.CardID) (Topic, []Effect) {
	s.inspector = inspector{card: id}
	if id == "" {
		return TopicInspector, nil
	}
	return TopicInspector, s.reinspect()
}

// reinspect asks anew for what is shown of the inspected card.
func (s *Store) reinspect() []Effect {
	in := &s.inspector
	if in.card == "" {
		return nil
	}
	in.seq = s.nextSeq()
	return []Effect{FetchSummary{Seq: in.seq, Card: in.card}, FetchCardTransactions{Seq: in.seq, Card: in.card}}
}

func (s *Store) summaryLoaded(ev SummaryLoaded) Topic {
	topics := Topic(0)
	if c := s.cards.find(ev.Card); c != nil && ev.Seq > c.fence {
		c.Status, c.Balance, c.Label = ev.Summary.Status, ev.Summary.Balance, ev.Summary.Label
		topics |= TopicCards | s.judge(c)
	}
	if ev.Card != s.inspector.card || ev.Seq != s.inspector.seq {
		return topics
	}
	s.inspector.summary, s.inspector.err = &ev.Summary, nil
	return topics | TopicInspector
}

func (s *Store) cardTransactionsLoaded(ev CardTransactionsLoaded) Topic {
	if ev.Card != s.inspector.card || ev.Seq != s.inspector.seq {
		return 0
	}
	s.inspector.txns, s.inspector.txnsIn = newestFirst(ev.Items), true
	return TopicInspector
}
