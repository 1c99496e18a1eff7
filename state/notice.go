package state

import "time"

// Level grades a notice.
type Level uint8

// The levels.
const (
	Info Level = iota
	Good
	Warn
	Bad
)

// Notice is the one line that tells a person what just happened.
type Notice struct {
	Level Level
	Text  string
	Until time.Time
	// Result says that it tells what came of an operation: it stays its time.
	Result bool
}

// noticeFor is how long a notice stays: long enough to read, longer when it
// is bad news.
func noticeFor(l Level) time.Duration {
	if l >= Warn {
		return 12 * time.Second
	}
	return 5 * time.Second
}

// Notice is the current notice; its text is empty when there is none.
func (s *Store) Notice() Notice {
	n := s.notice
	n.Text = s.Display().Sentence(n.Text)
	return n
}

// Tell shows a line to the person, for what the program itself has to say.
func (s *Store) Tell(l Level, text string) Topic {
	s.tell(l, text)
	return TopicNotice
}

// Read takes the notice away, unless it is bad news or the result of an
// operation: those stay their time.
func (s *Store) Read() Topic {
	if s.notice.Text == "" || s.notice.Level == Bad || s.notice.Result {
		return 0
	}
	s.notice = Notice{}
	return TopicNotice
}

// tell tells what is news now: what waited to be told is older, and may not be
// so any more.
func (s *Store) tell(l Level, text string) {
	s.later = Notice{}
	s.notice = Notice{Level: l, Text: text, Until: s.now.Add(noticeFor(l))}
}

// Remark adds to what is told.
func (s *Store) Remark(text string) Topic {
	if s.notice.Text == "" {
		s.tell(Info, text)
		return TopicNotice
	}
	s.notice.Text += "; " + text
	return TopicNotice
}

// tellResult tells what came of an operation.
func (s *Store) tellResult(l Level, text string) {
	s.tell(l, text)
	s.notice.Result = true
}

// mention tells what can wait until the result of an operation was read.
func (s *Store) mention(l Level, text string) {
	if s.notice.Text != "" && s.notice.Result {
		s.later = Notice{Level: l, Text: text}
		return
	}
	s.tell(l, text)
}

// hush takes away what is told, and what was to be.
func (s *Store) hush() { s.notice, s.later = Notice{}, Notice{} }

func (s *Store) expireNotice(now time.Time) Topic {
	if s.notice.Text == "" || now.Before(s.notice.Until) {
		return 0
	}
	next := s.later
	s.hush()
	if next.Text != "" {
		s.tell(next.Level, next.Text)
	}
	return TopicNotice
}
