package cardlist

import (
	"cmp"
	"time"

	"github.com/cardtop/cardtop/api"
)

// expiries is on which part of the server's clock Row.Expired is right for all cards:
// from the latest expiry that passed to the next one. Zero is no bound.
type expiries struct{ from, until time.Time }

// add narrows the part of the clock by an expiry.
func (e *expiries) add(at time.Time, passed bool) {
	switch {
	case passed && at.After(e.from):
		e.from = at
	case !passed && (e.until.IsZero() || at.Before(e.until)):
		e.until = at
	}
}

// Passed reports whether an expiry has passed; one that is not known has not.
func Passed(expiry, now time.Time) bool { return !expiry.IsZero() && !now.Before(expiry) }

// SetExpiry records when a card expires, on the server's clock, and reports whether that
// was not known.
func (t *Table) SetExpiry(id api.CardID, at, now time.Time) bool {
	r := t.Get(id)
	if r == nil || at.IsZero() || r.Expires == StampOf(at) {
		return false
	}
	r = t.Find(id)
	r.Expires, r.Expired = StampOf(at), Passed(at, now)
	t.dated.add(at, r.Expired)
	return true
}

// Expire marks the cards that have expired, and unmarks those that have not after all: the
// server's clock was not known before. It reports whether there were any.
func (t *Table) Expire(now time.Time) (changed bool) {
	if !now.Before(t.dated.from) && (t.dated.until.IsZero() || now.Before(t.dated.until)) {
		return false
	}
	t.dated = expiries{}
	for i, r := range t.Rows() {
		at := r.Expires.Time()
		passed := Passed(at, now)
		if passed != r.Expired {
			t.Change(i).Expired = passed
			changed = true
		}
		if !at.IsZero() {
			t.dated.add(at, passed)
		}
	}
	return changed
}

// Undated returns the card whose expiry is to be read by itself: active ones with a
// balance first, then other active ones, then frozen ones, the oldest of each first. Skip
// are cards of which it cannot be read.
func (t *Table) Undated(skip map[api.CardID]bool) (api.CardID, bool) {
	var best *Row
	for _, r := range t.Rows() {
		if r.Expires != 0 || r.Status() == api.CardTerminated || skip[r.ID] {
			continue
		}
		if best == nil || datedFirst(r, best) < 0 {
			best = r
		}
	}
	if best == nil {
		return "", false
	}
	return best.ID, true
}

func datedFirst(a, b *Row) int {
	rank := func(r *Row) int {
		switch {
		case r.Status() != api.CardActive:
			return 2
		case r.Balance < api.Cent:
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Created, b.Created))
}
