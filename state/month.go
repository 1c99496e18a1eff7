package state

import (
	"sort"
	"time"

	"github.com/cardtop/cardtop/api"
)

// monthBook adds up what settled on each card since the calendar month began in
// UTC, net of refunds (ASSUMED 29): of the feed's rows as they come, and of what
// is older than the feed by reading it once, page by page.
type monthBook struct {
	on    bool
	start time.Time
	// after is the time on the server's clock after which the feed's rows are
	// counted. What is older comes by the reading.
	after time.Time
	sums  map[api.CardID]api.USD
	// left are the types of transactions that are still to be read, the first is
	// the one under way, from its page on, of what was made up to to. page is the
	// last that was read.
	left []api.TransactionType
	to   time.Time
	page int
	// oldest is the oldest row of the type that was read, came the ids of the
	// last page: rows that were listed late push others to the next one.
	oldest time.Time
	came   map[api.TransactionID]bool
	// failed says that the API refuses the rest.
	failed bool
}

// monthOf is when the month of a time began, in UTC.
func monthOf(now time.Time) time.Time {
	now = now.UTC()
	return time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// MonthRead tells whether all that settled in this month was read.
func (l *LimitsTable) MonthRead() bool {
	m := &l.month
	return m.on && len(m.left) == 0 && !m.failed
}

// keepMonth begins to add up as soon as it is known what the feed holds, and
// anew with every month.
func (s *Store) keepMonth(serverNow time.Time) Topic {
	start, back := monthOf(serverNow), s.Txns.feed.past.back
	if !s.Poll.Done(LaneHistory) || back.IsZero() && !s.Txns.feed.past.end || s.Limits.month.on && s.Limits.month.start.Equal(start) {
		return 0
	}
	m := monthBook{on: true, start: start, after: start.Add(-1), sums: make(map[api.CardID]api.USD)}
	if !s.Txns.feed.past.since(start) {
		m.after, m.to = back, back
		m.left = []api.TransactionType{api.TransactionSettlement, api.TransactionRefund}
	}
	s.Limits.month = m
	rows := s.Txns.feed.rows()
	from := sort.Search(len(rows), func(i int) bool { return rows[i].CreatedAt.After(m.after) })
	for i := range rows[from:] {
		m.add(&rows[from+i], 1)
	}
	for i, r := range s.Cards.rows() {
		if sum := m.sums[r.id]; r.month != sum {
			s.Cards.change(i).month = sum
		}
	}
	return TopicCards
}

// add puts a transaction into the sums, or takes it out.
func (m *monthBook) add(t *api.Transaction, sign api.USD) {
	if !t.CreatedAt.Before(m.start) {
		m.sums[t.CardID] += sign * spent(*t)
	}
}

// countMonth counts a row that came into the feed, or was another before.
func (l *LimitsTable) countMonth(t *api.Transaction, sign api.USD) {
	m := &l.month
	if !m.on || !t.CreatedAt.After(m.after) || spent(*t) == 0 {
		return
	}
	m.add(t, sign)
	l.showMonth(t.CardID)
}

// showMonth puts a card's sum into the list.
func (l *LimitsTable) showMonth(id api.CardID) {
	if c := l.cards.find(id); c != nil {
		c.month = l.month.sums[id]
	}
}

// trimmed notes that the feed let go of rows up to one: they are counted.
func (m *monthBook) trimmed(last time.Time) {
	if m.on && last.After(m.after) {
		m.after = last
	}
}

// page is the next one to be read; false when there is none.
func (m *monthBook) next() (FetchMonth, bool) {
	if !m.on || m.failed || len(m.left) == 0 {
		return FetchMonth{}, false
	}
	return FetchMonth{Type: m.left[0], From: m.start, To: m.to, Page: m.page + 1}, true
}

// monthLoaded takes a page of what is older than the feed.
func (l *LimitsTable) monthLoaded(ev MonthLoaded) Topic {
	m := &l.month
	if !l.limits.answered(ev.Seq) || !ev.From.Equal(m.start) || len(m.left) == 0 {
		return 0 // It is of the month before.
	}
	came := make(map[api.TransactionID]bool, len(ev.Items))
	for i := range ev.Items {
		t := &ev.Items[i]
		came[t.ID] = true
		if m.oldest.IsZero() || t.CreatedAt.Before(m.oldest) {
			m.oldest = t.CreatedAt
		}
		if t.Type == ev.Type && !m.came[t.ID] && !t.CreatedAt.After(ev.To) {
			m.add(t, 1)
			l.showMonth(t.CardID)
		}
	}
	m.page, m.came = ev.Page, came
	if !ev.More {
		m.left, m.page, m.to, m.oldest, m.came = m.left[1:], 0, m.after, time.Time{}, nil
	}
	return TopicCards
}

// monthFailed goes on later, from where it has come to when a later page is
// refused, and not at all when the first one is.
func (l *LimitsTable) monthFailed(f FetchMonth, err error, at time.Time, wait time.Duration) Topic {
	m := &l.month
	if !l.limits.answered(f.Seq) {
		return 0
	}
	switch {
	case !refusesRequest(err) || !f.From.Equal(m.start):
		l.limits.due = at.Add(max(wait, limitsAgain))
	case f.Page == 1 || m.oldest.IsZero():
		m.failed = true
	default:
		m.to, m.page = m.oldest, 0
	}
	return TopicCards
}
