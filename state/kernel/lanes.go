package kernel

import (
	"errors"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/poll"
)

// Lanes are what is polled: when each is due, what came of it, and where a list with pages goes on.
type Lanes struct {
	*Core
	*poll.Table
	privacy   *Privacy
	nextPages [poll.Lanes]Effect // the page to go on with after a failure; nil to start anew
	// unread are the items that could not be read and that a notice told of; one without
	// an identifier by its list alone.
	unread map[api.Unread]bool
	// found hears of each answer, and whether it brought something new.
	found func(lane poll.Lane, sent, at time.Time, something bool)
}

// NewLanes returns lanes that have not been started.
func NewLanes(c *Core, privacy *Privacy) *Lanes {
	return &Lanes{Core: c, Table: poll.New(c.Cfg.Rand), privacy: privacy, found: func(poll.Lane, time.Time, time.Time, bool) {}}
}

// HearFound has each answer heard before its lane's next request is planned: when it was asked for, when it came, and
// whether it brought something new.
func (l *Lanes) HearFound(found func(lane poll.Lane, sent, at time.Time, something bool)) {
	l.found = found
}

// Found tells whether an answer brought something new. It is called before the lane's next request is planned.
func (l *Lanes) Found(lane poll.Lane, m Meta, something bool) { l.found(lane, m.Sent, m.At, something) }

// unreadSaid bounds how many items that could not be read are remembered.
const unreadSaid = 1000

// SayUnread tells in a notice of items that could not be read, once of each.
func (l *Lanes) SayUnread(to *Notices, items []api.Unread) Topic {
	var fresh []api.Unread
	for _, u := range items {
		about := api.Unread{Route: u.Route, ID: u.ID}
		if l.unread[about] {
			continue
		}
		if l.unread == nil || len(l.unread) == unreadSaid {
			l.unread = make(map[api.Unread]bool)
		}
		l.unread[about] = true
		fresh = append(fresh, u)
	}
	if len(fresh) == 0 {
		return 0
	}
	to.SayNext(Warn, l.privacy.Display().Sentence(errtext.Unread(l.Lang, fresh)))
	return TopicNotice
}

// Health reports on the link.
func (l *Lanes) Health() Health {
	h := Health{Link: Live, Age: max(0, l.Source(poll.Codes).Age(l.Time))}
	worst, cached := error(nil), false
	for _, lane := range [...]poll.Lane{poll.Codes, poll.Wallet, poll.Feed, poll.Hot} {
		src := l.Source(lane)
		age := src.Age(l.Time)
		if age < 0 && src.Err == nil {
			h.Link = max(h.Link, Connecting)
			continue
		}
		if src.Cached && src.Err == nil {
			cached = true
			continue
		}
		if src.Err == nil {
			if src.Stale(l.Time) && h.Link < Late {
				h.Link, h.Age = Late, age
			}
			continue
		}
		if link := linkOf(src.Err); link > h.Link || worst == nil {
			h.Link, worst, h.Age = max(h.Link, link), src.Err, max(0, age)
			h.Since, h.Until = src.Since, l.DueAt(lane)
		}
	}
	if h.Link == Live && (cached || l.OKAt(poll.Codes).IsZero()) {
		h.Link = Connecting
	}
	if short := l.Source(poll.Codes).ShortTill; worst == nil && !short.IsZero() {
		h.Link, h.Until = Limited, short
		h.Text = l.Lang.T("the hour's requests are used up: the rest is reserved for your actions")
	}
	if worst != nil {
		h.Text = l.privacy.Display().Sentence(errtext.Explain(l.Lang, worst))
	}
	return h
}

// RefusedAtStart returns the error when the API refused the key before anything
// was ever read: the dashboard cannot do its work then.
func (l *Lanes) RefusedAtStart() error {
	if l.OKAt(poll.Codes).IsZero() && errors.Is(l.Err(poll.Codes), api.ErrKeyInvalid) {
		return l.Err(poll.Codes)
	}
	return nil
}

// Answered closes a lane's request and plans the next.
func (l *Lanes) Answered(lane poll.Lane, m Meta) {
	l.nextPages[lane] = nil
	l.Succeed(lane, m.Sent, m.At)
}

// Follow numbers a lane's next request, which may be for the next page.
func (l *Lanes) Follow(lane poll.Lane) poll.Seq {
	seq := l.NextSeq()
	l.Ask(lane, seq)
	return seq
}

// Defer closes a lane's request that never left this machine.
func (l *Lanes) Defer(lane poll.Lane, e Effect, at time.Time, wait time.Duration) {
	l.SavePage(lane, e)
	l.Postpone(lane, at, wait, l.nextPages[lane] != nil)
}

// SavePage records the page of a request that brought nothing. A later page
// is asked for again by itself: the pages before it would not be read on from
// a second time, because the feed stops where nothing is new.
func (l *Lanes) SavePage(lane poll.Lane, e Effect) {
	l.nextPages[lane] = nil
	if PageOf(e) > 1 {
		l.nextPages[lane] = e
	}
}

// Link is how things stand between the dashboard and the API.
type Link uint8

// The states of the link, best first.
const (
	Connecting Link = iota
	Live
	Late
	Limited
	Offline
	KeyRefused
)

// Health is the state of the link for the header.
type Health struct {
	Link Link
	// Age is how old what is wrong is, or else the codes, the lane that is polled
	// most often.
	Age time.Duration
	// Since is when things went wrong, Until when the server will be asked
	// again; both this machine's clock, zero when they do not apply.
	Since, Until time.Time
	// Text explains in a line what is wrong and what to do; empty when live.
	Text string
}

func linkOf(err error) Link {
	switch {
	case errors.Is(err, api.ErrUnauthorized):
		return KeyRefused
	case errors.Is(err, api.ErrRateLimited):
		return Limited
	case errors.Is(err, api.ErrUnreachable):
		return Offline
	default:
		return Late
	}
}

// PageOf is the page an effect reads; 0 when what it reads has none.
func PageOf(e Effect) int {
	if p, ok := e.(Paged); ok {
		return p.AtPage()
	}
	return 0
}

// NextPage is the request for the next page of a lane's list; nil to start from the first page.
func (l *Lanes) NextPage(lane poll.Lane) Effect { return l.nextPages[lane] }

// ForgetPages makes all lists start from the first page.
func (l *Lanes) ForgetPages() { l.nextPages = [poll.Lanes]Effect{} }

// Answer merges what the request of a lane brought, unless the lane has given up on it.
func (l *Lanes) Answer(e Polled, m Meta, merge func() (Topic, []Effect)) (Topic, []Effect) {
	if !l.Current(e.Lane()) {
		return 0, nil
	}
	lane, _ := e.Lane()
	l.SetUnread(lane, PageOf(e), m.Unread)
	topics, effects := merge()
	return topics | TopicHealth, effects
}
