package state

import (
	"sort"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
)

// WatchLimits sets whether a list shows how much of their limits cards used, and whether
// it shows or asks when they expire.
type WatchLimits struct{ Shown, Expiries bool }

func (in WatchLimits) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	s.Limits.show(in)
	return kernel.TopicHealth, nil
}

func (f FetchMonth) Failed(s *Store, e kernel.Failure) kernel.Topic {
	return s.Limits.monthFailed(f, e.Err, e.At, e.Wait)
}

func (ev MonthLoaded) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	return s.Limits.monthLoaded(ev), nil
}

// readLimits requests the next page or card when it is due: all of it is read in one lane.
func (s *Store) readLimits(now time.Time) kernel.Topic {
	l := &s.Limits.limits
	limits := s.Limits.watchesLimits()
	if !s.Limits.reads() {
		l.due = time.Time{}
		return 0
	}
	var topics kernel.Topic
	if limits {
		topics = s.startMonth(s.Clock.Server(now))
	}
	if !s.Limits.mayRead(limits) {
		l.due = time.Time{}
		return topics
	}
	if l.asked != 0 || !poll.Reached(now, l.due) {
		return topics
	}
	l.turn++
	var page FetchMonth
	more := false
	if limits {
		page, more = s.Limits.month.next()
	}
	card, dates, found := s.Limits.nextCard(now)
	switch {
	case more && !s.Limits.wantsNow() && (!found || !l.shown && !l.expiries || l.turn%limitTurn != 0):
		l.due = now.Add(s.Limits.limitsPause(true))
		l.asked = s.NextSeq()
		page.Seq = l.asked
		s.Wants = append(s.Wants, page)
	case found:
		seen := len(l.wanted) > 0 || dates && l.expiries || !dates && l.shown
		l.due, l.dated = now.Add(s.Limits.limitsPause(seen)), dates
		l.asked = s.NextSeq()
		s.Wants = append(s.Wants, FetchSummary{Seq: l.asked, Card: card, Ahead: true, Limit: true})
	default:
		l.due = now.Add(limitsIdle)
	}
	return topics
}

// reads reports whether limits or expiries are read by themselves.
func (l *LimitsTable) reads() bool {
	return l.watchesLimits() || l.watchesExpiries() || len(l.limits.wanted) > 0
}

// mayRead reports whether what the next reading adds to was read: the month of limits, or the
// feed of expiries alone.
func (l *LimitsTable) mayRead(limits bool) bool {
	if limits {
		return l.month.on || len(l.limits.wanted) > 0
	}
	return l.poll.Done(poll.History) || len(l.limits.wanted) > 0
}

// startMonth begins to add up as soon as it is known what the feed holds, and
// anew with every month.
func (s *Store) startMonth(serverNow time.Time) kernel.Topic {
	start, back := monthOf(serverNow), s.Txns.Paging().Back
	if !s.Poll.Done(poll.History) || back.IsZero() && !s.Txns.Paging().End || s.Limits.month.on && s.Limits.month.start.Equal(start) {
		return 0
	}
	m := monthSums{on: true, start: start, after: start.Add(-1), sums: make(map[api.CardID]api.USD), foreign: make(map[api.CardID]int)}
	if !s.Txns.Paging().ReadSince(start) {
		m.after, m.to = back, back
		m.left = []api.TransactionType{api.TransactionSettlement, api.TransactionRefund}
	}
	s.Limits.month = m
	rows := s.Txns.All()
	from := sort.Search(len(rows), func(i int) bool { return rows[i].CreatedAt.After(m.after) })
	for i := range rows[from:] {
		m.add(&rows[from+i], 1)
	}
	for i, r := range s.Cards.rows() {
		if sum := m.sums[r.ID]; r.Month != sum {
			s.Cards.table.Change(i).Month = sum
		}
	}
	return kernel.TopicCards
}
