package ledger

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/decline"
)

// Explain sets why a transaction was declined. It reports whether the ledger holds
// such a decline.
func (l *Ledger) Explain(id api.TransactionID, cause decline.Cause) bool {
	at, ok := l.ids[idOf(id)]
	if !ok || cause >= decline.Causes {
		return false
	}
	e, _ := l.records.at(at)
	if e.kind() != declined {
		return false
	}
	if e.cause() != cause {
		e.flags = flagsOf(declined, cause)
		l.days[l.records.dayOf(at)].version++
		l.version++
	}
	return true
}

// Declines counts the declines of a scope over a range by their causes.
func (l *Ledger) Declines(s Scope, r Range) (byCause [decline.Causes]int, read Coverage) {
	from := l.window(r).from
	l.each(s, from.day(), declined, func(day int32, _ ref, e *entry) {
		if hourIn(day, e.hour) >= from {
			byCause[e.cause()]++
		}
	})
	return byCause, l.Coverage(r)
}
