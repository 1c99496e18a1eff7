package state

import (
	"time"
)

// notOffline refuses what would wait while nothing answers, and act by itself
// when nobody thinks of it any more. A dry run sends nothing.
func (ops *OpsTable) notOffline(in Intent, v Verdict) Verdict {
	if v.Reason != "" || ops.dry || !waitsForAPI(in) {
		return v
	}
	if since, offline := ops.poll.Offline(); offline {
		v.Reason = offlineSince(since, ops.now)
	}
	return v
}

// offlineSince is why nothing is written while nothing answers.
func offlineSince(since, now time.Time) string {
	return "offline since " + clockOf(since, now) + ": not sent, try again when live"
}

// waitsForAPI tells whether an intent writes something that must not act later.
// Freezing may: it only makes cards safer.
func waitsForAPI(in Intent) bool {
	switch in := in.(type) {
	case UnfreezeCard, FundCard, FillCard, WithdrawCard, IssueCard, UpdateCard, TerminateCard, CreateWebhook, DeleteWebhook, ResumeBatch:
		return true
	case RunPlan:
		return in.Plan != nil && in.Plan.Kind != BulkFreeze
	case Many:
		return in.kind() != BulkFreeze
	default:
		return false
	}
}

// tellTried says of a freeze that is sent while offline that nothing answers.
func (ops *OpsTable) tellTried(d draft) Topic {
	since, offline := ops.poll.Offline()
	if !offline || ops.dry {
		return 0
	}
	ops.notices.tell(Warn, "offline since "+clockOf(since, ops.now)+": the "+d.kind.String()+" of "+ops.cards.name(d.card)+" is tried all the same")
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
