package team

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
)

// Decision is what became of the user's word on a request.
type Decision struct {
	Approve bool
	// Sending reports whether the hub has not answered; Why it did not do it.
	Sending bool
	Why     string
}

// News is what changed of the requests that is news to the user.
type News struct {
	// Asked are those that the user may decide, Ended their own that are over.
	Asked, Ended []Request
}

// SetRequests replaces the requests and returns what is new to the user.
func (t *Table) SetRequests(rows []Request, now time.Time) (n News) {
	before := make(map[string]Request, len(t.requests))
	for _, r := range t.requests {
		before[r.ID] = r
	}
	for _, r := range rows {
		old, known := before[r.ID]
		switch {
		case r.Waits() && !known && t.WhyNot(nil, r, true) == "":
			n.Asked = append(n.Asked, r)
		case r.By == t.you.Name && known && old.Waits() && !r.Waits():
			n.Ended = append(n.Ended, r)
		}
		if !r.Waits() {
			delete(t.decisions, r.ID)
		}
	}
	t.requests = rows
	t.done(Requests, t.whileWatched(requestsEvery), now, nil)
	return n
}

// Requests lists those that the user may see: what waits first, the oldest of it first,
// then what ended, the latest first.
func (t *Table) Requests() []Request {
	out := slices.Clone(t.requests)
	slices.SortStableFunc(out, func(a, b Request) int {
		switch {
		case a.Waits() != b.Waits():
			if a.Waits() {
				return -1
			}
			return 1
		case a.Waits():
			return a.At.Compare(b.At)
		default:
			return Ended(b).Compare(Ended(a))
		}
	})
	return out
}

// Request finds one by its id.
func (t *Table) Request(id string) (Request, bool) {
	i := slices.IndexFunc(t.requests, func(r Request) bool { return r.ID == id })
	if i < 0 {
		return Request{}, false
	}
	return t.requests[i], true
}

// Asked reports whether a request of the user's to move that amount to a card waits.
func (t *Table) Asked(card api.CardID, amount api.USD) bool {
	return slices.ContainsFunc(t.requests, func(r Request) bool {
		return r.Waits() && r.By == t.you.Name && r.Card == card && r.Amount == amount
	})
}

// ToDecide counts the requests that the user may approve.
func (t *Table) ToDecide() (n int) {
	for _, r := range t.requests {
		if t.WhyNot(nil, r, true) == "" {
			n++
		}
	}
	return n
}

// WhyNot returns why the user cannot approve or refuse a request; empty when they can.
func (t *Table) WhyNot(w *lang.Words, r Request, approve bool) string {
	switch {
	case !t.you.Role.May(Lead):
		return w.Tf("this needs the role lead: you are %s", t.you.Role.String())
	case !r.Waits():
		return w.Tf("it is %s already", w.T(string(r.State)))
	case approve && r.By == t.you.Name:
		return w.T("you asked for it: another lead has to approve it")
	case approve && t.you.Cap > 0 && r.Amount > t.you.Cap:
		return w.Tf("above your cap of %s: another lead has to approve it", w.Dollars(t.you.Cap))
	}
	return ""
}

// Decide notes that the user's word on a request is sent.
func (t *Table) Decide(id string, approve bool) {
	if t.decisions == nil {
		t.decisions = make(map[string]Decision)
	}
	t.decisions[id] = Decision{Approve: approve, Sending: true}
}

// Decided notes what became of it: done, or why not.
func (t *Table) Decided(id, why string) {
	if why == "" {
		delete(t.decisions, id)
		return
	}
	d := t.decisions[id]
	d.Sending, d.Why = false, why
	t.decisions[id] = d
}

// Decision returns what is known of the user's word on a request; false when there is
// none, or it was done.
func (t *Table) Decision(id string) (Decision, bool) {
	d, ok := t.decisions[id]
	return d, ok
}

// Ended is when a request was decided or ended; zero while it waits.
func Ended(r Request) time.Time {
	if r.DecidedAt == nil {
		return time.Time{}
	}
	return *r.DecidedAt
}

// Known reports whether the balances that a request rests on are all known. A card that
// is to be issued has none before.
func Known(r Request) bool {
	f := r.HubFigures
	return f.WalletBefore != nil && f.WalletAfter != nil && (r.Card == "" || f.CardBefore != nil && f.CardAfter != nil)
}
