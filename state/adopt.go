package state

import (
	"fmt"
	"time"

	"github.com/cardtop/cardtop/state/poll"
)

// adoptEvery is how often a dashboard looks for operations that another left
// when it was killed, and hears what the others moved.
const adoptEvery = 30 * time.Second

// around is what is known of the other dashboards of the profile.
type around struct {
	due    time.Time
	failed bool
	// moved is what all dashboards moved in the last day, as of then; the own
	// ones since are counted live.
	moved []Moved
	at    time.Time
}

// lookAround asks what the other dashboards did when it is time.
func (p *PollTable) lookAround(now time.Time) {
	if p.cfg.Shared && poll.Reached(now, p.around.due) {
		p.around.due = now.Add(adoptEvery)
		p.wants = append(p.wants, AdoptOperations{})
	}
}

// adopted takes up what another dashboard left, and says so.
func (s *Store) adopted(ev OperationsAdopted) Topic {
	var topics Topic
	if ev.Err == nil {
		s.Poll.around.moved, s.Poll.around.at, s.Poll.around.failed = ev.Moved, ev.Sent, false
	} else if !s.Poll.around.failed {
		s.Poll.around.failed = true
		s.Notices.tell(Warn, "what other dashboards left cannot be seen: "+ev.Err.Error())
		topics |= TopicNotice
	}
	if len(ev.Ops) == 0 {
		return topics
	}
	s.Resume(ev.Ops, s.now)
	s.Notices.tell(Warn, fmt.Sprintf("another dashboard ended and left %s without an answer: taken up here", plural(len(ev.Ops), "operation", "operations")))
	return topics | TopicOps | TopicCards | TopicNotice
}

// shareEvery is how often programs that use the same key tell each other what
// they spent.
const shareEvery = 10 * time.Second

// share asks for the exchange when it is due.
func (p *PollTable) share(now time.Time) {
	if p.cfg.Shared && poll.Reached(now, p.shareDue) {
		p.shareDue = now.Add(shareEvery)
		p.wants = append(p.wants, ShareUse{})
	}
}

// shared is why the programs that use the key could not exchange what they
// spent; empty when they could, and when it was said before.
func (p *PollTable) shared(ev UseShared) string {
	if ev.Err == nil || p.shareFailed {
		return ""
	}
	p.shareFailed = true
	return ev.Err.Error() + "; other programs with this key may use up its limit"
}

// plural counts things in a sentence.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
