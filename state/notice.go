package state

import (
	"slices"
	"strings"
	"time"
)

// NoticesTable holds the line that says what just happened, and what stays until it
// is dismissed.
type NoticesTable struct {
	*core
	notice  Notice
	later   Notice // shown when the one before has had its time
	lasting []lasting
}

// DismissLasting removes the notice that Lasting returns.
func (n *NoticesTable) DismissLasting() Topic {
	if len(n.lasting) == 0 {
		return 0
	}
	n.lasting = slices.Delete(n.lasting, 0, 1)
	return TopicNotice
}

// sayUntilDismissed shows a notice until it is dismissed, in place of the one about
// the same before.
func (n *NoticesTable) sayUntilDismissed(key string, level Level, text string) {
	n.forgetLasting(key)
	if len(n.lasting) == lastingKept {
		n.lasting = slices.Delete(n.lasting, 0, 1)
	}
	n.lasting = append(n.lasting, lasting{Notice{Level: level, Text: text, Result: true}, key})
}

// forgetLasting removes the notice of an operation or a plan.
func (n *NoticesTable) forgetLasting(key string) {
	n.lasting = slices.DeleteFunc(n.lasting, func(l lasting) bool { return l.key == key })
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

// Notice is the one line about what just happened.
type Notice struct {
	Level Level
	Text  string
	Until time.Time
	// Result reports whether it is the result of an operation: it stays its time.
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

// Add shows a line to the user, for what the program itself has to say.
func (n *NoticesTable) Add(l Level, text string) Topic {
	n.say(l, text)
	return TopicNotice
}

// Dismiss removes the notice, unless it is bad news or the result of an
// operation: those stay their time.
func (n *NoticesTable) Dismiss() Topic {
	if n.notice.Text == "" || n.notice.Level == Bad || n.notice.Result {
		return 0
	}
	n.notice = Notice{}
	return TopicNotice
}

// say shows a notice: one that waited is older, and may not be
// so any more.
func (n *NoticesTable) say(l Level, text string) {
	n.later = Notice{}
	n.notice = Notice{Level: l, Text: text, Until: n.now.Add(noticeFor(l))}
}

// Append adds to the notice.
func (n *NoticesTable) Append(text string) Topic {
	if n.notice.Text == "" {
		n.say(Info, text)
		return TopicNotice
	}
	n.notice.Text += "; " + text
	return TopicNotice
}

// sayResult shows the result of an operation.
func (n *NoticesTable) sayResult(l Level, text string) {
	n.say(l, text)
	n.notice.Result = true
}

// sayIfFree shows a notice unless the result of an operation is on the screen.
func (n *NoticesTable) sayIfFree(l Level, text string) {
	if n.notice.Text != "" && n.notice.Result {
		n.later = Notice{Level: l, Text: text}
		return
	}
	n.say(l, text)
}

// clear removes the notice, and the one that waits.
func (n *NoticesTable) clear() { n.notice, n.later = Notice{}, Notice{} }

func (n *NoticesTable) expire(now time.Time) Topic {
	if n.notice.Text == "" || now.Before(n.notice.Until) {
		return 0
	}
	next := n.later
	n.clear()
	if next.Text != "" {
		n.say(next.Level, next.Text)
	}
	return TopicNotice
}

// Notice is the current notice; its text is empty when there is none.
func (s *Store) Notice() Notice {
	n := s.Notices.notice
	n.Text = s.Privacy.Display().Sentence(n.Text)
	return n
}

// lastingKept bounds the notices that stay.
const lastingKept = 20

// lasting is a notice that stays, and the operation or the plan it is about.
type lasting struct {
	Notice
	key string
}

// Lasting is the oldest notice that stays until it is put away, and how many
// there are.
func (s *Store) Lasting() (n Notice, all int) {
	if len(s.Notices.lasting) == 0 {
		return Notice{}, 0
	}
	n = s.Notices.lasting[0].Notice
	if s.Privacy.Private() { // It names a card, perhaps as it was called before.
		n.Text = "the result of an unconfirmed write is hidden"
	}
	return n, len(s.Notices.lasting)
}

// sayNext shows a notice, after the one on the screen if there is one.
func (n *NoticesTable) sayNext(level Level, text string) {
	if n.notice.Text == "" {
		n.say(level, text)
		return
	}
	n.later = Notice{Level: level, Text: text}
}

// addResult adds to the result on the screen, if there is one.
func (n *NoticesTable) addResult(level Level, text string) {
	if n.notice.Text != "" && n.notice.Result {
		text = n.notice.Text + "; " + text
	}
	n.sayResult(max(level, n.notice.Level), text)
}

// wakes calls at with the times at which the table has something to do.
func (n *NoticesTable) wakes(at func(time.Time)) { at(n.notice.Until) }

// sentence joins what there is to say.
func sentence(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "; ")
}

// Say shows a notice of a pane.
type Say struct {
	Level Level
	Text  string
}

func (in Say) start(s *Store) (Topic, []Effect) { return s.Notices.Add(in.Level, in.Text), nil }
