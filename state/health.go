package state

import (
	"errors"
	"fmt"
	"time"

	"github.com/cardtop/cardtop/api"
)

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

// Health is the header's word on the link.
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

// Health reports on the link.
func (p *PollTable) Health() Health {
	h := Health{Link: Live, Age: max(0, p.Source(LaneCodes).Age(p.now))}
	worst, cached := error(nil), false
	for _, lane := range [...]Lane{LaneCodes, LaneWallet, LaneFeed, LaneHot} {
		src := p.Source(lane)
		age := src.Age(p.now)
		if age < 0 && src.Err == nil {
			h.Link = max(h.Link, Connecting)
			continue
		}
		if src.Cached && src.Err == nil {
			cached = true
			continue
		}
		if src.Err == nil {
			if src.Stale(p.now) && h.Link < Late {
				h.Link, h.Age = Late, age
			}
			continue
		}
		if link := linkOf(src.Err); link > h.Link || worst == nil {
			h.Link, worst, h.Age = max(h.Link, link), src.Err, max(0, age)
			h.Since, h.Until = src.Since, p.DueAt(lane)
		}
	}
	if h.Link == Live && (cached || p.OKAt(LaneCodes).IsZero()) {
		h.Link = Connecting
	}
	if short := p.Source(LaneCodes).ShortTill; worst == nil && !short.IsZero() {
		h.Link, h.Until = Limited, short
		h.Text = "the hour's requests are used up: what is left is kept for what you do"
	}
	if worst != nil {
		h.Text = p.privacy.Display().Sentence(explain(worst))
	}
	return h
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

// RefusedAtStart gives the error when the API refused the key before anything
// was ever read: the dashboard cannot do its work then.
func (p *PollTable) RefusedAtStart() error {
	if p.OKAt(LaneCodes).IsZero() && errors.Is(p.Err(LaneCodes), api.ErrKeyInvalid) {
		return p.Err(LaneCodes)
	}
	return nil
}

// fetchFailed keeps what is known, marks its lane, and tells a person only
// of what they asked for themselves; the header tells of the rest.
func (ev FetchFailed) apply(s *Store) (Topic, []Effect) {
	if lane, _, ok := laneOf(ev.Effect); ok {
		if !s.Poll.current(ev.Effect) {
			return 0, nil
		}
		s.fail(lane, ev)
		return TopicHealth | TopicAll, nil
	}
	switch e := ev.Effect.(type) {
	case FetchDetails:
		if wait := retryAfter(ev.Err); errors.Is(ev.Err, api.ErrRateLimited) && wait > 0 && wait <= detailsWait {
			return s.Secrets.pacing(e.Seq, wait), nil
		}
		s.Secrets.detailsFailed(e.Seq)
		s.Notices.tell(Bad, "cannot read the details of "+s.Cards.name(e.Card)+": "+explain(ev.Err))
	case FetchSummary:
		s.Limits.limitFailed(e, ev.At, retryAfter(ev.Err))
		if s.Info.inspector.seq == e.Seq {
			s.Info.inspector.err = ev.Err
		}
	case FetchMonth:
		return s.Limits.monthFailed(e, ev.Err, ev.At, retryAfter(ev.Err)), nil
	case FetchCardTransactions:
		if s.Info.inspector.seq == e.Seq {
			s.Info.inspector.err = ev.Err
		}
	case FetchOlder:
		return s.Older.olderFailed(e, ev.Err, ev.At, retryAfter(ev.Err)), nil
	case FetchChallenge:
		s.Codes.askLater(e.Challenge, max(askFailed, retryAfter(ev.Err)))
		if errors.Is(ev.Err, api.ErrUnreachable) {
			s.Codes.codes.unasked(e.Challenge)
		}
	case FetchBINs:
		s.BINs.failed(ev.Err)
		return TopicBINs, nil
	case FetchAddresses:
		return s.Wallet.addressesFailed(e.Seq, ev.Err), nil
	case FetchTransaction:
		return s.Txns.detailFailed(e.Seq, ev.Err, ev.At), nil
	case FetchWebhooks:
		return s.Webhooks.failed(e.Seq, ev.Err), nil
	default:
	}
	return TopicNotice | TopicSecrets | TopicInspector, nil
}

// errLimitUsed is why the budget did not allow a request; limitUsed tells also
// until when, for who has to ask again.
var errLimitUsed = errors.New("the request limit is used up")

func limitUsed(wait time.Duration) error {
	return fmt.Errorf("%w: try again in %s", errLimitUsed, seconds(wait))
}

// deferred plans again what the budget did not allow yet.
func (ev Deferred) apply(s *Store) (Topic, []Effect) {
	if lane, _, ok := laneOf(ev.Effect); ok {
		if s.Poll.current(ev.Effect) {
			s.Poll.postpone(lane, ev)
		}
		return TopicHealth, nil
	}
	switch e := ev.Effect.(type) {
	case FetchDetails:
		if ev.Wait > detailsWait {
			s.Notices.tell(Warn, "the request limit is used up: try again in "+seconds(ev.Wait))
			s.Secrets.detailsFailed(e.Seq)
			return TopicNotice | TopicSecrets, nil
		}
		return s.Secrets.pacing(e.Seq, ev.Wait), nil
	case FetchSummary:
		s.Limits.limitFailed(e, ev.At, ev.Wait)
		return s.Info.inspectorDeferred(e.Seq, ev.Wait), nil
	case FetchMonth:
		return s.Limits.monthFailed(e, limitUsed(ev.Wait), ev.At, ev.Wait), nil
	case FetchCardTransactions:
		return s.Info.inspectorDeferred(e.Seq, ev.Wait), nil
	case FetchOlder:
		return s.Older.olderFailed(e, limitUsed(ev.Wait), ev.At, ev.Wait), nil
	case FetchChallenge:
		s.Codes.askLater(e.Challenge, ev.Wait)
	case FetchBINs:
		s.BINs.failed(limitUsed(ev.Wait))
		return TopicBINs, nil
	case FetchAddresses:
		return s.Wallet.addressesFailed(e.Seq, limitUsed(ev.Wait)), nil
	case FetchTransaction:
		return s.Txns.detailFailed(e.Seq, limitUsed(ev.Wait), ev.At.Add(ev.Wait)), nil
	case FetchWebhooks:
		return s.Webhooks.failed(e.Seq, limitUsed(ev.Wait)), nil
	case Do:
		return s.opDeferred(e.Op.ID, ev.Wait), nil
	default:
	}
	return 0, nil
}
