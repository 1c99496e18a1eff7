package state

import "time"

// NoticesTable holds the line that says what just happened, and what stays until it
// is dismissed.
type NoticesTable struct {
	*core
	notice  Notice
	later   Notice // shown when the one before has had its time
	lasting []lasting
}

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
	n := s.Notices.notice
	n.Text = s.Privacy.Display().Sentence(n.Text)
	return n
}

// Tell shows a line to the person, for what the program itself has to say.
func (n *NoticesTable) Add(l Level, text string) Topic {
	n.tell(l, text)
	return TopicNotice
}

// Read takes the notice away, unless it is bad news or the result of an
// operation: those stay their time.
func (n *NoticesTable) Dismiss() Topic {
	if n.notice.Text == "" || n.notice.Level == Bad || n.notice.Result {
		return 0
	}
	n.notice = Notice{}
	return TopicNotice
}

// tell tells what is news now: what waited to be told is older, and may not be
// so any more.
func (n *NoticesTable) tell(l Level, text string) {
	n.later = Notice{}
	n.notice = Notice{Level: l, Text: text, Until: n.now.Add(noticeFor(l))}
}

// Remark adds to what is told.
func (n *NoticesTable) Append(text string) Topic {
	if n.notice.Text == "" {
		n.tell(Info, text)
		return TopicNotice
	}
	n.notice.Text += "; " + text
	return TopicNotice
}

// tellResult tells what came of an operation.
func (n *NoticesTable) tellResult(l Level, text string) {
	n.tell(l, text)
	n.notice.Result = true
}

// mention tells what can wait until the result of an operation was read.
func (n *NoticesTable) mention(l Level, text string) {
	if n.notice.Text != "" && n.notice.Result {
		n.later = Notice{Level: l, Text: text}
		return
	}
	n.tell(l, text)
}

// hush takes away what is told, and what was to be.
func (n *NoticesTable) clear() { n.notice, n.later = Notice{}, Notice{} }

func (n *NoticesTable) expire(now time.Time) Topic {
	if n.notice.Text == "" || now.Before(n.notice.Until) {
		return 0
	}
	next := n.later
	n.clear()
	if next.Text != "" {
		n.tell(next.Level, next.Text)
	}
	return TopicNotice
}
