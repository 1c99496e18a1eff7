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
func (inf *InfoTable) Summary(id api.CardID) (api.CardSummary, time.Time, bool) {
	m, ok := inf.summaries[id]
	return m.CardSummary, m.at, ok
}

func (inf *InfoTable) selectCard(id api.CardID) {
	inf.selected = selected{card: id}
	if id != "" {
		inf.selected.due = inf.now.Add(restBefore)
	}
}

// readAhead asks for the summary of the card that the cursor rests on.
func (inf *InfoTable) readAhead(now time.Time) {
	sel := &inf.selected
	if sel.due.IsZero() || !poll.Reached(now, sel.due) {
		return
	}
	if m, ok := inf.summaries[sel.card]; ok && poll.Elapsed(m.at, now) < summaryFresh {
		sel.due = m.at.Add(summaryFresh)
		return
	}
	sel.due = now.Add(summaryFresh)
	if inf.poll.Attention() == Unfocused || inf.inspector.card == sel.card || inf.cfg.Only != nil {
		return
	}
	inf.wants = append(inf.wants, FetchSummary{Seq: inf.nextSeq(), Card: sel.card, Ahead: true})
}

// keepSummary holds a summary and lets go of the oldest beyond the bound.
func (inf *InfoTable) keepSummary(ev SummaryLoaded) {
	if ev.Seq < inf.settings[ev.Card].seq {
		return // A write has told better since it was asked for.
	}
	if inf.summaries == nil {
		inf.summaries = make(summaryBook)
	}
	inf.summaries[ev.Card] = summary{ev.Summary, ev.At, ev.Seq}
	if len(inf.summaries) <= summariesKept {
		return
	}
	oldest := ev.Card
	for id, m := range inf.summaries {
		if m.at.Before(inf.summaries[oldest].at) {
			oldest = id
		}
	}
	delete(inf.summaries, oldest)
}

// refresh reads what a money operation rests on; of many cards those that
// change are on the hot page.
func (inf *InfoTable) refresh(id api.CardID) []Effect {
	inf.poll.MakeDue(LaneWallet)
	if id == "" {
		inf.poll.MakeDue(LaneHot)
		return nil
	}
	return []Effect{FetchSummary{Seq: inf.nextSeq(), Card: id}}
}
