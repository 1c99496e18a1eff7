package state

import (
	"fmt"
	"time"
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
func (s *Store) lookAround(now time.Time) {
	if s.cfg.Shared && reached(now, s.around.due) {
		s.around.due = now.Add(adoptEvery)
		s.wants = append(s.wants, AdoptOperations{})
	}
}

// adopted takes up what another dashboard left, and says so.
func (s *Store) adopted(ev OperationsAdopted) Topic {
	var topics Topic
	if ev.Err == nil {
		s.around.moved, s.around.at, s.around.failed = ev.Moved, ev.Sent, false
	} else if !s.around.failed {
		s.around.failed = true
		s.tell(Warn, "what other dashboards left cannot be seen: "+ev.Err.Error())
		topics |= TopicNotice
	}
	if len(ev.Ops) == 0 {
		return topics
	}
	s.Resume(ev.Ops, s.now)
	s.tell(Warn, fmt.Sprintf("another dashboard ended and left %s without an answer: taken up here", plural(len(ev.Ops), "operation", "operations")))
	return topics | TopicOps | TopicCards | TopicNotice
}

// plural counts things in a sentence.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
