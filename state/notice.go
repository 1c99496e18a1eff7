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

// Read takes the notice away, unless it is bad news: that stays its time.
func (s *Store) Read() Topic {
	if s.notice.Text == "" || s.notice.Level == Bad {
		return 0
	}
	s.notice = Notice{}
	return TopicNotice
}

func (s *Store) tell(l Level, text string) {
	s.notice = Notice{Level: l, Text: text, Until: s.now.Add(noticeFor(l))}
}

func (s *Store) expireNotice(now time.Time) Topic {
	if s.notice.Text == "" || now.Before(s.notice.Until) {
		return 0
	}
	s.notice = Notice{}
	return TopicNotice
}
