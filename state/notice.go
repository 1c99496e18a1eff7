package state

import (
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
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

// NewsTable collects what just happened, for notifications and the event command.
type NewsTable struct {
	*core
	cards *CardsTable
	news  []News
}

// Drain returns what has happened since it was asked for last, in order.
// What was so already when the program began is no news.
func (ne *NewsTable) Drain() []News {
	news := ne.news
	ne.news = nil
	return news
}

func (ne *NewsTable) report(n News) {
	n.At = ne.now
	if c, ok := ne.cards.Get(n.Card); ok {
		n.Label, n.Last4 = c.Label, c.Last4
	}
	if len(ne.news) >= newsKept {
		ne.news = ne.news[1:]
	}
	ne.news = append(ne.news, n)
}

func (ne *NewsTable) reportTransaction(t api.Transaction) {
	ne.report(News{Kind: NewsTransaction, ID: string(t.ID), Card: t.CardID, Type: string(t.Type), Merchant: t.Merchant.Name, Amount: &t.Amount})
}

// NewsKind is what kind of event it is, as scripts read it.
type NewsKind string

// The kinds.
const (
	NewsCode        NewsKind = "code_ready"
	NewsTransaction NewsKind = "transaction"
	NewsDeposit     NewsKind = "deposit_credited"
	NewsAlert       NewsKind = "alert"
)

// News is something that has just happened at the account. It holds no code,
// no number and no CVV: it goes to notifications, commands and logs.
type News struct {
	Kind NewsKind
	// At is when it was learnt, this machine's clock.
	At time.Time
	// ID is that of the challenge, transaction or deposit.
	ID string
	// Card is the card it is about, Label and Last4 what is known of it.
	Card         api.CardID
	Label, Last4 api.Text
	// Type is the transaction's, or the alert's in words; of a code its status
	// where that is another than pending.
	Type     string
	Merchant api.Text
	// Amount is in USD; nil when it is not known.
	Amount *api.USD
	// Replaces is the code that a code has replaced; empty for none.
	Replaces api.ChallengeID
	// Text says the text of an alert.
	Text string
}

// Line says it in one line, without anything secret: what, which card, which merchant.
func (n News) Line() string {
	var parts []string
	switch n.Kind {
	case NewsCode:
		parts = append(parts, n.codeReady())
	case NewsDeposit:
		parts = append(parts, "deposit credited")
	default:
		parts = append(parts, n.Type)
	}
	if card := n.card(); card != "" {
		parts = append(parts, card)
	}
	replaces := ""
	if n.Replaces != "" {
		replaces = "replaces the one before"
	}
	status := ""
	if n.Kind == NewsCode {
		status = n.Type
	}
	for _, more := range []string{string(n.Merchant), n.amount(), status, replaces, n.Text} {
		if more != "" {
			parts = append(parts, more)
		}
	}
	return strings.Join(parts, " · ")
}

// Brief is what a notification says: what, which card, which merchant. Screens that
// others see as well show it, so it holds no amount and no label, and only what
// happened where the screen hides the rest.
func (n News) Brief(d Display) string {
	what := n.Type
	switch n.Kind {
	case NewsCode:
		what = n.codeReady()
	case NewsDeposit:
		what = "deposit credited"
	default:
	}
	if d.Private() {
		return what
	}
	if n.Last4 != "" {
		what += " · card " + string(n.Last4)
	}
	if n.Merchant != "" {
		what += " · " + string(n.Merchant)
	}
	return what
}

// Urgent reports whether the user is called for it.
func (n News) Urgent() bool { return n.Kind == NewsCode || n.Kind == NewsAlert }

func (n News) codeReady() string {
	if n.Replaces != "" {
		return "new code ready"
	}
	return "code ready"
}

func (n News) card() string {
	switch {
	case n.Last4 != "" && n.Label != "":
		return "card " + string(n.Last4) + " " + string(n.Label)
	case n.Last4 != "":
		return "card " + string(n.Last4)
	}
	return string(n.Card)
}

func (n News) amount() string {
	if n.Amount == nil {
		return ""
	}
	if *n.Amount < 0 {
		return "-$" + (-*n.Amount).Grouped()
	}
	return "$" + n.Amount.Grouped()
}

// newsKept bounds what was not drained yet.
const newsKept = 1000

func codeType(s api.ChallengeStatus) string {
	if s == api.ChallengePending {
		return ""
	}
	return string(s)
}
