package state

import (
	"time"

	"github.com/cardtop/cardtop/state/poll"
)

// detailsWait is the longest wait for the limit of details a minute, the
// budget's slack included. Longer ones are another limit's, and nobody wants a
// number on the screen that long after asking for it.
const detailsWait = 62 * time.Second

// NextReveal is when the details that somebody waits for are asked for; false
// when nothing waits for the limit of details a minute.
func (s *SecretsTable) NextReveal() (time.Time, bool) { return s.held.again, !s.held.again.IsZero() }

// CopyWaits tells whether a copy waits with them, or alone.
func (s *SecretsTable) CopyWaits() bool {
	return !s.held.again.IsZero() && s.held.toCopy != copyNothing
}

// pacing is a request for details that waits because as many were asked for in
// the last minute as may be.
func (s *SecretsTable) pacing(seq Seq, wait time.Duration) Topic {
	h := &s.held
	if h.asked != seq {
		return 0
	}
	if h.again = s.now.Add(wait); h.nowOnly {
		return TopicSecrets | s.waitNoMore()
	}
	s.notices.tell(Info, "the "+h.purpose()+" waits its turn: details are limited to 30 a minute")
	return TopicNotice | TopicSecrets
}

// paceReveal asks for the details whose turn has come.
func (s *SecretsTable) paceReveal(now time.Time) Topic {
	h := &s.held
	if h.again.IsZero() || !poll.Reached(now, h.again) {
		return 0
	}
	h.again = time.Time{}
	s.wants = append(s.wants, FetchDetails{Seq: h.asked, Card: h.askedFor})
	return TopicSecrets
}

// purpose is what the details are for, in a word.
func (h *held) purpose() string {
	if h.toCopy != copyNothing {
		return "copy"
	}
	return "reveal"
}

// waitNoMore ends a wait for details, with whatever was to be done with them:
// what comes a minute late comes over something else.
func (s *SecretsTable) waitNoMore() Topic {
	if s.held.again.IsZero() {
		return 0
	}
	s.notices.mention(Info, "the "+s.held.purpose()+" that waited is dropped")
	s.held = held{}
	if s.reveal.Waiting {
		s.reveal = Reveal{}
	}
	return TopicNotice
}

// dropCopy ends the wait of a copy, as another one is asked for; a reveal that
// waits with it goes on.
func (s *SecretsTable) dropCopy() {
	switch h := &s.held; {
	case s.CopyWaits() && h.toReveal:
		s.notices.mention(Info, "the copy that waited is dropped")
		h.toCopy = copyNothing
	case s.CopyWaits():
		s.waitNoMore()
	default:
		h.toCopy = copyNothing
	}
}
