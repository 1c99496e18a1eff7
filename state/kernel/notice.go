package kernel

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/news"
)

// Notices holds the line that says what just happened, and what stays until it
// is dismissed.
type Notices struct {
	*Core
	notice  Notice
	later   Notice // shown when the one before has had its time
	hint    Notice // shown while there is no other
	lasting []lasting
}

// DismissLasting removes the notice that Lasting returns.
func (n *Notices) DismissLasting() Topic {
	if len(n.lasting) == 0 {
		return 0
	}
	n.lasting = slices.Delete(n.lasting, 0, 1)
	return TopicNotice
}

// SayUntilDismissed shows a notice until it is dismissed, in place of the one about
// the same before.
func (n *Notices) SayUntilDismissed(key string, level Level, text string) {
	n.ForgetLasting(key)
	if len(n.lasting) == lastingKept {
		n.lasting = slices.Delete(n.lasting, 0, 1)
	}
	n.lasting = append(n.lasting, lasting{Notice{Level: level, Text: text, Result: true}, key})
}

// ForgetLasting removes the notice of an operation or a plan.
func (n *Notices) ForgetLasting(key string) {
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
	// Hint reports whether it says how to go on: all else comes first.
	Hint bool
}

// noticeFor is how long a notice stays: long enough to read, longer when it
// is bad news.
func noticeFor(l Level) time.Duration {
	if l >= Warn {
		return 12 * time.Second
	}
	return 5 * time.Second
}

// Replace shows a line in place of an earlier one that is no longer true, and as SayNext does where that one is
// not on the screen.
func (n *Notices) Replace(old string, l Level, text string) Topic {
	if old != "" && n.notice.Text == old {
		return n.Say(l, text)
	}
	return n.SayNext(l, text)
}

// AddHint says how to go on, for a time of its own and while there is nothing else to say.
func (n *Notices) AddHint(text string, span time.Duration) Topic {
	n.hint = Notice{Text: text, Until: n.Time.Add(span), Hint: true}
	return TopicNotice
}

// Current is what is on the screen; its text is empty when there is nothing.
func (n *Notices) Current() Notice {
	if n.notice.Text == "" {
		return n.hint
	}
	return n.notice
}

// Dismiss removes the hint, and the notice unless it is bad news or the result of an
// operation: those stay their time.
func (n *Notices) Dismiss() Topic {
	hint := n.hint
	n.hint = Notice{}
	switch {
	case n.notice.Text == "" && hint.Text != "":
		return TopicNotice
	case n.notice.Text == "" || n.notice.Level == Bad || n.notice.Result:
		return 0
	}
	n.next()
	return TopicNotice
}

// next shows the notice that waits in place of the one on the screen.
func (n *Notices) next() {
	later := n.later
	if n.Clear(); later.Text != "" {
		n.Say(later.Level, later.Text)
	}
}

// Say shows a notice: one that waited is older, and may not be
// so any more.
func (n *Notices) Say(l Level, text string) Topic {
	n.later = Notice{}
	n.notice = Notice{Level: l, Text: text, Until: n.Time.Add(noticeFor(l))}
	return TopicNotice
}

// Append adds to the notice, where there is something to add.
func (n *Notices) Append(text string) Topic {
	switch {
	case text == "":
		return 0
	case n.notice.Text == "":
		n.Say(Info, text)
	default:
		n.notice.Text += "; " + text
	}
	return TopicNotice
}

// Lasting is the oldest notice that stays until it is dismissed, and how many there are.
func (n *Notices) Lasting() (oldest Notice, all int) {
	if len(n.lasting) > 0 {
		oldest = n.lasting[0].Notice
	}
	return oldest, len(n.lasting)
}

// SayResult shows the result of an operation.
func (n *Notices) SayResult(l Level, text string) {
	n.Say(l, text)
	n.notice.Result = true
}

// SayIfFree shows a notice unless the result of an operation is on the screen.
func (n *Notices) SayIfFree(l Level, text string) {
	if n.notice.Text != "" && n.notice.Result {
		n.later = Notice{Level: l, Text: text}
		return
	}
	n.Say(l, text)
}

// Clear removes the notice, and the one that waits.
func (n *Notices) Clear() { n.notice, n.later = Notice{}, Notice{} }

// Expire ends the notices whose time is over.
func (n *Notices) Expire(now time.Time) (changed Topic) {
	if n.hint.Text != "" && !now.Before(n.hint.Until) {
		n.hint, changed = Notice{}, TopicNotice
	}
	if n.notice.Text == "" || now.Before(n.notice.Until) {
		return changed
	}
	n.next()
	return TopicNotice
}

// lastingKept bounds the notices that stay.
const lastingKept = 20

// lasting is a notice that stays, and the operation or the plan it is about.
type lasting struct {
	Notice
	key string
}

// SayNext shows a notice after the one on the screen, if there is one: that says more.
func (n *Notices) SayNext(level Level, text string) Topic {
	if n.notice.Text == "" {
		return n.Say(level, text)
	}
	n.later = Notice{Level: level, Text: text}
	return TopicNotice
}

// AddResult adds to the result on the screen, if there is one.
func (n *Notices) AddResult(level Level, text string) {
	if n.notice.Text != "" && n.notice.Result {
		text = n.notice.Text + "; " + text
	}
	n.SayResult(max(level, n.notice.Level), text)
}

// Wakes calls at with the times at which the table has something to do.
func (n *Notices) Wakes(at func(time.Time)) {
	at(n.notice.Until)
	at(n.hint.Until)
}

// News collects what just happened, for notifications and the event command.
type News struct {
	*Core
	named func(api.CardID) (label, last4 api.Text)
	news  []news.News
}

// NewNews collects news; named is how the card that something happened to is called, empty where it is not known.
func NewNews(c *Core, named func(api.CardID) (label, last4 api.Text)) *News {
	return &News{Core: c, named: named}
}

// Drain returns what has happened since it was asked for last, in order.
// What was so already when the program began is no news.
func (ne *News) Drain() []news.News {
	n := ne.news
	ne.news = nil
	return n
}

// Report adds what happened now.
func (ne *News) Report(n news.News) {
	n.At = ne.Time
	n.Label, n.Last4 = ne.named(n.Card)
	if len(ne.news) >= newsKept {
		ne.news = ne.news[1:]
	}
	ne.news = append(ne.news, n)
}

// ReportTransaction adds a transaction. It points at what t holds: a copy of each amount would be most of what a page costs.
func (ne *News) ReportTransaction(t *api.Transaction) {
	n := news.News{Kind: news.Transaction, ID: string(t.ID), Card: t.CardID, Type: string(t.Type), Merchant: t.Merchant.Name}
	if t.InUSD() {
		n.Amount = &t.Amount
	} else {
		n.Foreign, n.Currency = &t.Foreign, t.Currency
	}
	ne.Report(n)
}

// newsKept bounds what was not drained yet.
const newsKept = 1000
