package state

import (
	"context"
	"iter"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/txnlist"
)

// LimitsTable holds what cards spent in the calendar month beside their limits.
type LimitsTable struct {
	*kernel.Core
	cards  *CardsTable
	poll   *kernel.Lanes
	limits limitReading
	month  monthSums
}

// MonthRead reports whether all that settled in this month was read.
func (l *LimitsTable) MonthRead() bool {
	m := &l.month
	return m.on && len(m.left) == 0 && !m.failed
}

// MonthWhole reports whether the sum of a card in the month is all that it spent.
func (l *LimitsTable) MonthWhole(id api.CardID) bool {
	return l.MonthRead() && l.month.foreign[id] == 0
}

// Month is what a card spent in the calendar month, USD, and when that began; zero while nothing is added up.
func (l *LimitsTable) Month(id api.CardID) (sum api.USD, start time.Time) {
	if !l.month.on {
		return 0, start
	}
	return l.month.sums[id], l.month.start
}

// LimitRead reports whether an answer told the limit of a card, or that it has none.
func (l *LimitsTable) LimitRead(id api.CardID) bool {
	_, read := l.limits.at[id]
	return read
}

// HasNoDate reports whether an answer did not say when a card expires.
func (l *LimitsTable) HasNoDate(id api.CardID) bool { return l.limits.undatable[id] }

// CountUnread is how many cards have spent this month and nothing told their limit.
func (l *LimitsTable) CountUnread() (n int) {
	for range l.unread() {
		n++
	}
	return n
}

// AnyUnread reports whether there is one of them.
func (l *LimitsTable) AnyUnread() bool {
	for range l.unread() {
		return true
	}
	return false
}

func (l *LimitsTable) unread() iter.Seq[api.CardID] {
	return func(yield func(api.CardID) bool) {
		for id, sum := range l.month.sums {
			if sum <= 0 || l.LimitRead(id) {
				continue
			}
			if c, ok := l.cards.Get(id); ok && c.Status != api.CardTerminated && !yield(id) {
				return
			}
		}
	}
}

// ReadAfter reports whether the limit of a card was not read, or last after a time, on the server's clock.
func (l *LimitsTable) ReadAfter(id api.CardID, at time.Time) bool {
	read, ok := l.limits.at[id]
	return !ok || l.Clock.Server(read).After(at)
}

// ReadSince reports whether the limit of a card was read after a time, on the server's clock.
func (l *LimitsTable) ReadSince(id api.CardID, at time.Time) bool {
	return l.LimitRead(id) && l.ReadAfter(id, at)
}

// Count counts a row that came into the feed, or was another before.
func (l *LimitsTable) Count(t *api.Transaction, sign api.USD) {
	m := &l.month
	if !m.on || !t.CreatedAt.After(m.after) || txnlist.Spent(*t) == 0 && !txnlist.Foreign(t) {
		return
	}
	m.add(t, sign)
	l.showMonth(t.CardID)
}

// showMonth puts a card's sum into the list.
func (l *LimitsTable) showMonth(id api.CardID) {
	if c := l.cards.find(id); c != nil {
		c.Month = l.month.sums[id]
	}
}

// monthLoaded merges a page of what is older than the feed.
func (l *LimitsTable) monthLoaded(ev MonthLoaded) kernel.Topic {
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
	return kernel.TopicCards
}

// monthFailed goes on later, from where it has come to when a later page is
// refused, and not at all when the first one is.
func (l *LimitsTable) monthFailed(f FetchMonth, err error, at time.Time, wait time.Duration) kernel.Topic {
	m := &l.month
	if !l.limits.answered(f.Seq) {
		return 0
	}
	switch {
	case !kernel.RefusesRequest(err) || !f.From.Equal(m.start):
		l.limits.due = at.Add(max(wait, limitsAgain))
	case f.Page == 1 || m.oldest.IsZero():
		m.failed = true
	default:
		m.to, m.page = m.oldest, 0
	}
	return kernel.TopicCards
}

// limitReading reads in the background how much of its monthly limit a
// card has used: the limits, which only a card's summary has, and what the month
// sum was before the feed begins.
type limitReading struct {
	// shown reports whether a list shows it. at is when a card's limit was last read,
	// this machine's clock.
	shown bool
	at    map[api.CardID]time.Time
	due   time.Time
	asked poll.Seq
	// turn is what is read next: a page of the month's, or a card. dated reports whether
	// the last card was read for its expiry: the two take turns.
	turn  int
	dated bool
	// expiries reports whether a list shows or asks when cards expire, undatable are the
	// cards whose answer did not say it.
	expiries  bool
	undatable map[api.CardID]bool
	// wanted are cards for which the API's reason for a decline contradicts the limit that was read. They are read first.
	wanted []api.CardID
}

const (
	// limitsEvery is the pause between two requests for limits that somebody sees, alertsEvery
	// the one between two cards for alerts alone: those that spent most are first.
	limitsEvery = 3 * time.Second
	alertsEvery = 30 * time.Second
	// limitTurn is which of the requests is for a limit while the month is being read, and for no wanted card.
	limitTurn = 4
	// limitFresh is how long a limit needs no reading again: writes update it.
	limitFresh = 6 * time.Hour
	// limitsAgain is the pause after a request that failed, limitsIdle the one
	// when there is nothing to be read.
	limitsAgain = 30 * time.Second
	limitsIdle  = time.Minute
)

// FetchMonth reads a page of what settled in the month: one type of transaction from
// the month's begin to To (UTC, both included), newest first.
type FetchMonth struct {
	Seq      poll.Seq
	Type     api.TransactionType
	From, To time.Time
	Page     int
}

// Cost is counted with the limits.
func (FetchMonth) Cost() kernel.Cost {
	return kernel.Cost{Priority: budget.Low, Lane: lang.N("limits")}
}

func (f FetchMonth) Run(ctx context.Context, on kernel.Env) (kernel.Event, error) {
	page, err := on.API.ListTransactions(ctx, api.ListTransactionsOptions{Type: f.Type, From: f.From, To: f.To, Page: f.Page, PerPage: api.MaxPerPage})
	return MonthLoaded{FetchMonth: f, Meta: on.Over(page.Unread...), Items: page.Data, More: page.Full()}, err
}

func (FetchMonth) Effect() {}

// watchesLimits reports whether limits are shown or alerted to.
func (l *LimitsTable) watchesLimits() bool {
	return l.Cfg.Only == nil && (l.limits.shown || len(l.Cfg.Alerts.Limit) > 0)
}

// watchesExpiries reports whether it is shown, or alerted to, when cards expire.
func (l *LimitsTable) watchesExpiries() bool {
	return l.Cfg.Only == nil && (l.limits.expiries || len(l.Cfg.Alerts.Expiry) > 0)
}

// undatable records that the API does not say when a card expires, and reports whether that is new.
func (l *LimitsTable) undatable(id api.CardID) (first bool) {
	first = !l.limits.undatable[id]
	if l.limits.undatable == nil {
		l.limits.undatable = make(map[api.CardID]bool)
	}
	l.limits.undatable[id] = true
	return first
}

// nextCard returns the card that is read next by itself: for its limit or, in turns with
// that, for its expiry. One answer has both.
func (l *LimitsTable) nextCard(now time.Time) (card api.CardID, dates, ok bool) {
	if l.wantsNow() {
		return l.limits.wanted[0], false, true
	}
	var stale, undated api.CardID
	if l.watchesLimits() {
		stale, _ = l.staleLimit(now)
	}
	if l.watchesExpiries() {
		undated, _ = l.cards.undated(l.limits.undatable)
	}
	// What somebody sees goes before what only alerts.
	seen := l.limits.shown && !l.limits.expiries
	if undated != "" && (stale == "" || !l.limits.dated && !seen) {
		return undated, true, true
	}
	return stale, false, stale != ""
}

// limitsPause is longer after what nobody sees, while the terminal is unfocused, and while
// requests are throttled.
func (l *LimitsTable) limitsPause(seen bool) time.Duration {
	pause := limitsEvery
	if !seen {
		pause = alertsEvery
	}
	if l.poll.Attention() == poll.Unfocused {
		pause *= 4
	}
	return time.Duration(float64(pause) * l.poll.Throttle(poll.Sweep))
}

// staleLimit returns the card whose limit is to be read: of those with a sum in the
// month, the one with the largest among those whose limit
// is not known, else the one that was read longest ago.
func (l *LimitsTable) staleLimit(now time.Time) (card api.CardID, ok bool) {
	var most api.USD
	var oldest time.Time
	for _, r := range l.cards.rows() {
		if r.Month <= 0 || r.Status() == api.CardTerminated {
			continue
		}
		at, read := l.limits.at[r.ID]
		switch {
		case !read && r.Month > most:
			card, most = r.ID, r.Month
		case read && most == 0 && poll.Elapsed(at, now) >= limitFresh && (oldest.IsZero() || at.Before(oldest)):
			card, oldest = r.ID, at
		}
	}
	return card, card != ""
}

// answered reports whether an answer is the one that is waited for, and ends the
// wait.
func (l *limitReading) answered(seq poll.Seq) bool {
	if seq != l.asked {
		return false
	}
	l.asked = 0
	return true
}

// setLimit sets the limit of a card, from any answer, and reports whether it is the first one.
func (l *LimitsTable) setLimit(id api.CardID, limit *api.USD, at time.Time) (first bool) {
	first = !l.LimitRead(id)
	l.limitAsked(id, at)
	if c := l.cards.find(id); c != nil {
		c.Limit = kernel.OrZero(limit)
	}
	return first
}

// limitAsked notes when a card's limit was read, or that the API refuses to tell it.
func (l *LimitsTable) limitAsked(id api.CardID, at time.Time) {
	if l.limits.at == nil {
		l.limits.at = make(map[api.CardID]time.Time)
	}
	l.limits.at[id] = at
	l.limits.wanted = slices.DeleteFunc(l.limits.wanted, func(w api.CardID) bool { return w == id })
}

// Want queues a card so that its limit is read again next.
func (l *LimitsTable) Want(id api.CardID) {
	if l.Cfg.Only == nil && !slices.Contains(l.limits.wanted, id) {
		l.limits.wanted = append(l.limits.wanted, id)
		l.limits.due, l.limits.turn = l.Time, 0
	}
}

// wantsNow reports whether a wanted card is read next: those that cannot be read leave turns to others.
func (l *LimitsTable) wantsNow() bool {
	return len(l.limits.wanted) > 0 && l.limits.turn%limitTurn != 0
}

// limitFailed plans another request for the limit.
func (l *LimitsTable) limitFailed(f FetchSummary, err error, at time.Time, wait time.Duration) {
	if f.Limit && l.limits.answered(f.Seq) {
		l.limits.due = at.Add(max(wait, limitsAgain))
		if i := slices.Index(l.limits.wanted, f.Card); i >= 0 { // The others first.
			l.limits.wanted = append(slices.Delete(l.limits.wanted, i, i+1), f.Card)
		}
		if kernel.RefusesRequest(err) {
			l.undatable(f.Card) // The others are not kept waiting.
			l.limitAsked(f.Card, at)
		}
	}
}

// show sets what the list shows.
func (l *LimitsTable) show(in WatchLimits) { l.limits.shown, l.limits.expiries = in.Shown, in.Expiries }

// monthSums adds up what settled on each card since the calendar month began in
// UTC, net of refunds (ASSUMED 29): of the feed's rows as they come, and of what
// is older than the feed by reading it once, page by page.
type monthSums struct {
	on    bool
	start time.Time
	// after is the time on the server's clock after which the feed's rows are
	// counted. What is older comes by the reading.
	after time.Time
	sums  map[api.CardID]api.USD
	// foreign counts by card what was spent in other currencies: the sum is at least.
	foreign map[api.CardID]int
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
	// failed reports whether the API refuses the rest.
	failed bool
}

// add adds a transaction to the sums, or subtracts it.
func (m *monthSums) add(t *api.Transaction, sign api.USD) {
	if !t.CreatedAt.Before(m.start) {
		m.sums[t.CardID] += sign * txnlist.Spent(*t)
		if txnlist.Foreign(t) {
			m.foreign[t.CardID] += int(sign)
		}
	}
}

// Trimmed records that the feed removed rows up to one: they are counted.
func (m *monthSums) trimmed(last time.Time) {
	if m.on && last.After(m.after) {
		m.after = last
	}
}

// page is the next one to be read; false when there is none.
func (m *monthSums) next() (FetchMonth, bool) {
	if !m.on || m.failed || len(m.left) == 0 {
		return FetchMonth{}, false
	}
	return FetchMonth{Type: m.left[0], From: m.start, To: m.to, Page: m.page + 1}, true
}

// monthOf is when the month of a time began, in UTC.
func monthOf(now time.Time) time.Time {
	now = now.UTC()
	return time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// Trimmed sets that the feed no longer has rows up to a time.
func (l *LimitsTable) Trimmed(last time.Time) { l.month.trimmed(last) }

// wakes calls at with the times at which the table has something to do.
func (l *LimitsTable) wakes(at func(time.Time)) {
	if l.limits.asked == 0 {
		at(l.limits.due)
	}
}

// MonthLoaded is a page of what settled in the month. More says that it was full.
type MonthLoaded struct {
	FetchMonth
	kernel.Meta
	Items []api.Transaction
	More  bool
}

func (ev MonthLoaded) Transactions() []api.Transaction { return ev.Items }
