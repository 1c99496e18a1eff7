package state

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/cardlist"
)

// cardChanges are how records of the history changed cards, by this machine's clock.
type cardChanges struct {
	// statuses are the changes of the status of each card, the oldest first.
	statuses map[api.CardID][]cardlist.StatusChange
	// updates are the writes of the settings of each card that may have acted, the oldest first.
	updates map[api.CardID][]settingsChange
}

// settingsChange is a write of the settings of a card, and the monthly limit that the card had before, USD; nil where
// that is not known.
type settingsChange struct {
	at    time.Time
	limit *api.USD
}

// add adds what the latest record changed.
func (c *cardChanges) add(r *Record) {
	if c.statuses == nil {
		c.statuses, c.updates = make(map[api.CardID][]cardlist.StatusChange), make(map[api.CardID][]settingsChange)
	}
	if r.updates() {
		c.updates[r.Card] = append(c.updates[r.Card], settingsChange{r.At, r.LimitBefore})
	}
	if change, ok := statusChange(r); ok {
		c.statuses[r.Card] = append(c.statuses[r.Card], change)
	}
}

// remove removes what the oldest record changed.
func (c *cardChanges) remove(r *Record) {
	if r.updates() {
		dropFirst(c.updates, r.Card)
	}
	if _, ok := statusChange(r); ok {
		dropFirst(c.statuses, r.Card)
	}
}

func dropFirst[T any](of map[api.CardID][]T, id api.CardID) {
	if of[id] = of[id][1:]; len(of[id]) == 0 {
		delete(of, id)
	}
}

// updates reports whether a record is of a write of settings that may have acted.
func (r *Record) updates() bool {
	switch r.Outcome {
	case OpStatusRefused, OpStatusNotSent, OpStatusWaits, OpStatusResolvedNotDone:
		return false
	}
	return r.Action == OpUpdate.Verb()
}

// StatusChanges returns how the status of a card was changed from here after a time,
// on the server's clock, the latest first.
func (h *HistoryTable) StatusChanges(id api.CardID, after time.Time) (out []cardlist.StatusChange) {
	for _, c := range slices.Backward(h.past.changes.statuses[id]) {
		if c.At = h.Clock.Server(c.At); !c.At.After(after) {
			break
		}
		out = append(out, c)
	}
	return out
}

// StatusAt returns the status that a card was given from here last before a time, on the server's clock, and the one
// that it had when it was changed next; now, or empty for not known, where it was not. earlier reports whether it was
// given before this run begun.
func (h *HistoryTable) StatusAt(id api.CardID, at time.Time, now api.CardStatus) (before, after api.CardStatus, earlier bool) {
	changes := h.past.changes.statuses[id]
	if len(changes) == 0 {
		return "", "", false
	}
	after = now
	for _, c := range slices.Backward(changes) {
		if !h.Clock.Server(c.At).After(at) {
			return c.To, after, c.At.Before(h.Begun)
		}
		after = c.From
	}
	return "", after, false
}

// UpdatedSince reports whether the settings of a card were written from here after a time, on the server's clock, and
// returns the monthly limit that it had before, USD; nil where that is not known.
func (h *HistoryTable) UpdatedSince(id api.CardID, at time.Time) (limit *api.USD, updated bool) {
	for _, c := range h.past.changes.updates[id] {
		switch after := h.Clock.Server(c.at).Sub(at); {
		case after >= sameMoment:
			return c.limit, true
		case after > -sameMoment:
			return nil, true
		}
	}
	return nil, false
}

// UpdatedBefore is when the settings of a card were written from here last before a time, on the server's clock; zero for
// never.
func (h *HistoryTable) UpdatedBefore(id api.CardID, at time.Time) time.Time {
	for _, c := range slices.Backward(h.past.changes.updates[id]) {
		if t := h.Clock.Server(c.at); t.Before(at) {
			return t
		}
	}
	return time.Time{}
}

// sameMoment is how close to each other nobody knows which of two things was first: times of transactions may have whole
// seconds, and the server's clock is not known better.
const sameMoment = 2 * time.Second

// EndedAfter reports whether a card was terminated from here after a time, on the server's clock.
func (h *HistoryTable) EndedAfter(id api.CardID, at time.Time) bool {
	return slices.ContainsFunc(h.StatusChanges(id, at), func(c cardlist.StatusChange) bool { return c.To == api.CardTerminated })
}

// statusChange is how a record changed the status of its card; false when it did not.
func statusChange(r *Record) (cardlist.StatusChange, bool) {
	c := cardlist.StatusChange{Card: r.Card, At: r.At}
	if r.Outcome != OpStatusDone {
		return c, false
	}
	switch r.Action {
	case OpFreeze.Verb():
		c.From, c.To = api.CardActive, api.CardFrozen
	case OpUnfreeze.Verb():
		c.From, c.To = api.CardFrozen, api.CardActive
	case OpTerminate.Verb():
		c.To = api.CardTerminated
	default:
		return c, false
	}
	return c, true
}
