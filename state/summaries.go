package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
)

const (
	// restBefore is how long the cursor rests on a card before its summary is
	// read ahead, summaryFresh how long a summary needs no reading again.
	restBefore   = 250 * time.Millisecond
	summaryFresh = time.Minute
	// summariesKept bounds how many summaries are held.
	summariesKept = 64
)

// selected is the card under the cursor.
type selected struct {
	card api.CardID
	due  time.Time // when its summary is read; zero for not
}

// summaryBook keeps the summaries read lately.
type summaryBook map[api.CardID]summary

type summary struct {
	api.CardSummary
	at  time.Time
	seq Seq
}

// Summary is what was last read of a card beyond the list, and when; false
// when it was not read lately.
func (s *Store) Summary(id api.CardID) (api.CardSummary, time.Time, bool) {
	m, ok := s.summaries[id]
	return m.CardSummary, m.at, ok
}

func (s *Store) selectCard(id api.CardID) {
	s.selected = selected{card: id}
	if id != "" {
		s.selected.due = s.now.Add(restBefore)
	}
}

// readAhead asks for the summary of the card that the cursor rests on.
func (s *Store) readAhead(now time.Time) {
	sel := &s.selected
	if sel.due.IsZero() || !poll.Reached(now, sel.due) {
		return
	}
	if m, ok := s.summaries[sel.card]; ok && poll.Elapsed(m.at, now) < summaryFresh {
		sel.due = m.at.Add(summaryFresh)
		return
	}
	sel.due = now.Add(summaryFresh)
	if s.Poll.Attention() == Unfocused || s.inspector.card == sel.card || s.cfg.Only != nil {
		return
	}
	s.wants = append(s.wants, FetchSummary{Seq: s.nextSeq(), Card: sel.card, Ahead: true})
}

// keepSummary holds a summary and lets go of the oldest beyond the bound.
func (s *Store) keepSummary(ev SummaryLoaded) {
	if ev.Seq < s.settings[ev.Card].seq {
		return // A write has told better since it was asked for.
	}
	if s.summaries == nil {
		s.summaries = make(summaryBook)
	}
	s.summaries[ev.Card] = summary{ev.Summary, ev.At, ev.Seq}
	if len(s.summaries) <= summariesKept {
		return
	}
	oldest := ev.Card
	for id, m := range s.summaries {
		if m.at.Before(s.summaries[oldest].at) {
			oldest = id
		}
	}
	delete(s.summaries, oldest)
}

// refresh reads what a money operation rests on; of many cards those that
// change are on the hot page.
func (s *Store) refresh(id api.CardID) []Effect {
	s.Poll.MakeDue(LaneWallet)
	if id == "" {
		s.Poll.MakeDue(LaneHot)
		return nil
	}
	return []Effect{FetchSummary{Seq: s.nextSeq(), Card: id}}
}
