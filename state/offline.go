package state

import (
	"time"
)

// offlineSince is why nothing is written while nothing answers.
func offlineSince(since, now time.Time) string {
	return "offline since " + clockOf(since, now) + ": not sent, try again when live"
}

// tellTried says of a freeze that is sent while offline that nothing answers.
func (ops *OpsTable) tellTried(r request) Topic {
	since, offline := ops.poll.Offline()
	if !offline || ops.dry {
		return 0
	}
	ops.notices.tell(Warn, "offline since "+clockOf(since, ops.now)+": the "+r.kind.String()+" of "+ops.cards.name(r.card)+" is tried all the same")
	return TopicNotice
}

// clockOf is a moment in a sentence: the clock, and the day when it is another.
func clockOf(t, now time.Time) string {
	t, now = t.Local(), now.Local()
	if t.YearDay() != now.YearDay() || t.Year() != now.Year() {
		return t.Format("Jan 2 15:04")
	}
	return t.Format(time.TimeOnly)
}
