package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
)

// LimitsTable holds what cards spent in the calendar month beside their limits.
type LimitsTable struct {
	*core
	cards  *CardsTable
	poll   *PollTable
	limits limitsBook
	month  monthBook
}

// limitsBook reads in the background what tells how much of its monthly limit a
// card has used: the limits, which only a card's summary has, and what the month
// took before the feed begins.
type limitsBook struct {
	// shown says that a list shows it. at is when a card's limit was last asked
	// for, this machine's clock.
	shown bool
	at    map[api.CardID]time.Time
	due   time.Time
	asked Seq
	// turn says whose turn it is: a page of the month's, or a limit.
	turn bool
}

const (
	// limitsEvery is the pause between two requests for limits, half of them for
	// what the month took: twelve hundred an hour while there is that much to be
	// read, which is less than an hour's work for most accounts.
	limitsEvery = 3 * time.Second
	// limitFresh is how long a limit needs no reading again: writes tell of it.
	limitFresh = time.Hour
	// limitsAgain is the pause after a request that failed, limitsIdle the one
	// when there is nothing to be read.
	limitsAgain = 30 * time.Second
	limitsIdle  = time.Minute
)

// WatchLimits says whether a list shows how much of their limits cards used.
type WatchLimits struct{ Shown bool }

// FetchMonth reads a page of what the month took: one type of transaction from
// the month's begin to To (UTC, both included), newest first.
type FetchMonth struct {
	Seq      Seq
	Type     api.TransactionType
	From, To time.Time
	Page     int
}

func (FetchMonth) effect() {}

// MonthLoaded is a page of what the month took. More says that it was full.
type MonthLoaded struct {
	FetchMonth
	Meta
	Items []api.Transaction
	More  bool
}

// LimitUse is how much of its monthly limit a card has used, in percent; false
// when that is not known.
func (c *Card) LimitUse() (percent int, known bool) {
	switch {
	case c.Month <= 0:
		return 0, true
	case c.Limit <= 0:
		return 0, false
	}
	return int(c.Month * 100 / c.Limit), true
}

// watchesLimits tells whether anybody wants to know.
func (l *LimitsTable) watchesLimits() bool {
	return l.cfg.Only == nil && (l.limits.shown || len(l.cfg.Alerts.Limit) > 0)
}

// readLimits asks for the next page or limit when it is due.
func (s *Store) readLimits(now time.Time) Topic {
	l := &s.Limits.limits
	if !s.Limits.watchesLimits() {
		l.due = time.Time{}
		return 0
	}
	topics := s.keepMonth(s.clock.Server(now))
	if !s.Limits.month.on {
		l.due = time.Time{}
		return topics
	}
	if l.asked != 0 || !poll.Reached(now, l.due) {
		return topics
	}
	l.due = now.Add(s.Limits.limitsPause())
	l.turn = !l.turn
	page, more := s.Limits.month.next()
	card, stale := s.Limits.staleLimit(now)
	switch {
	case more && (l.turn || !stale):
		l.asked = s.nextSeq()
		page.Seq = l.asked
		s.wants = append(s.wants, page)
	case stale:
		l.asked = s.nextSeq()
		s.Limits.askedLimit(card, now)
		s.wants = append(s.wants, FetchSummary{Seq: l.asked, Card: card, Ahead: true, Limit: true})
	default:
		l.due = now.Add(limitsIdle)
	}
	return topics
}

// limitsPause is longer when nobody watches, and when requests are short.
func (l *LimitsTable) limitsPause() time.Duration {
	pause := limitsEvery
	if l.poll.Attention() == Unfocused {
		pause *= 4
	}
	return time.Duration(float64(pause) * l.poll.Throttle(LaneSweep))
}

// staleLimit gives the card whose limit is to be read: of those that the month
// took something from, the one that it took the most from among those whose limit
// is not known, else the one that was read longest ago.
func (l *LimitsTable) staleLimit(now time.Time) (card api.CardID, ok bool) {
	var most api.USD
	var oldest time.Time
	for _, r := range l.cards.rows() {
		if r.month <= 0 || r.status.text() == api.CardTerminated {
			continue
		}
		at, asked := l.limits.at[r.id]
		switch {
		case !asked && r.month > most:
			card, most = r.id, r.month
		case asked && most == 0 && poll.Elapsed(at, now) >= limitFresh && (oldest.IsZero() || at.Before(oldest)):
			card, oldest = r.id, at
		}
	}
	return card, card != ""
}

func (l *LimitsTable) askedLimit(id api.CardID, at time.Time) {
	if l.limits.at == nil {
		l.limits.at = make(map[api.CardID]time.Time)
	}
	l.limits.at[id] = at
}

// answered tells whether an answer is the one that is waited for, and ends the
// wait.
func (l *limitsBook) answered(seq Seq) bool {
	if seq != l.asked {
		return false
	}
	l.asked = 0
	return true
}

// learnLimit takes the limit of a card, wherever it was told.
func (l *LimitsTable) learnLimit(id api.CardID, limit *api.USD, at time.Time) {
	l.askedLimit(id, at)
	if c := l.cards.find(id); c != nil {
		c.limit = orZero(limit)
	}
}

// limitFailed asks for the limit again in a while.
func (l *LimitsTable) limitFailed(f FetchSummary, at time.Time, wait time.Duration) {
	if f.Limit && l.limits.answered(f.Seq) {
		delete(l.limits.at, f.Card)
		l.limits.due = at.Add(max(wait, limitsAgain))
	}
}

// show says whether the list shows limits.
func (l *LimitsTable) show(shown bool) { l.limits.shown = shown }
