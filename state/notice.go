package state

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/display"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/news"
	"github.com/cardtop/cardtop/state/settings"
)

// NoticesTable holds the line that says what just happened, and what stays until it
// is dismissed.
type NoticesTable struct {
	*kernel.Core
	notice  Notice
	later   Notice // shown when the one before has had its time
	hint    Notice // shown while there is no other
	lasting []lasting
}

// DismissLasting removes the notice that Lasting returns.
func (n *NoticesTable) DismissLasting() kernel.Topic {
	if len(n.lasting) == 0 {
		return 0
	}
	n.lasting = slices.Delete(n.lasting, 0, 1)
	return kernel.TopicNotice
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

// Add shows a line to the user, for what the program itself has to say.
func (n *NoticesTable) Add(l Level, text string) kernel.Topic {
	n.say(l, text)
	return kernel.TopicNotice
}

// AddNext shows a line after the one on the screen, if there is one: that says more.
func (n *NoticesTable) AddNext(l Level, text string) kernel.Topic {
	n.sayNext(l, text)
	return kernel.TopicNotice
}

// Replace shows a line in place of an earlier one that is no longer true, and as AddNext does where that one is
// not on the screen.
func (n *NoticesTable) Replace(old string, l Level, text string) kernel.Topic {
	if old != "" && n.notice.Text == old {
		return n.Add(l, text)
	}
	return n.AddNext(l, text)
}

// AddHint says how to go on, for a time of its own and while there is nothing else to say.
func (n *NoticesTable) AddHint(text string, span time.Duration) kernel.Topic {
	n.hint = Notice{Text: text, Until: n.Time.Add(span), Hint: true}
	return kernel.TopicNotice
}

// shown is what is on the screen.
func (n *NoticesTable) shown() Notice {
	if n.notice.Text == "" {
		return n.hint
	}
	return n.notice
}

// Dismiss removes the hint, and the notice unless it is bad news or the result of an
// operation: those stay their time.
func (n *NoticesTable) Dismiss() kernel.Topic {
	hint := n.hint
	n.hint = Notice{}
	switch {
	case n.notice.Text == "" && hint.Text != "":
		return kernel.TopicNotice
	case n.notice.Text == "" || n.notice.Level == Bad || n.notice.Result:
		return 0
	}
	n.next()
	return kernel.TopicNotice
}

// next shows the notice that waits in place of the one on the screen.
func (n *NoticesTable) next() {
	later := n.later
	if n.clear(); later.Text != "" {
		n.say(later.Level, later.Text)
	}
}

// say shows a notice: one that waited is older, and may not be
// so any more.
func (n *NoticesTable) say(l Level, text string) {
	n.later = Notice{}
	n.notice = Notice{Level: l, Text: text, Until: n.Time.Add(noticeFor(l))}
}

// Append adds to the notice.
func (n *NoticesTable) Append(text string) kernel.Topic {
	if n.notice.Text == "" {
		n.say(Info, text)
		return kernel.TopicNotice
	}
	n.notice.Text += "; " + text
	return kernel.TopicNotice
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

// damageShown bounds how many damaged records have a notice of their own.
const damageShown = 5

// AddDamage shows which records on disk are damaged, until the user dismisses it.
func (n *NoticesTable) AddDamage(all []Damage) kernel.Topic {
	if len(all) == 0 {
		return 0
	}
	for i, d := range all[:min(len(all), damageShown)] {
		text := d.Text(n.Lang)
		if more := len(all) - damageShown; i == damageShown-1 && more > 0 {
			text += n.Lang.Tf(" (and %d more: cardtop doctor lists them)", more)
		}
		n.sayUntilDismissed(fmt.Sprint("damage ", d.Path, d.Line), Bad, text)
	}
	return kernel.TopicNotice
}

// clear removes the notice, and the one that waits.
func (n *NoticesTable) clear() { n.notice, n.later = Notice{}, Notice{} }

func (n *NoticesTable) expire(now time.Time) (changed kernel.Topic) {
	if n.hint.Text != "" && !now.Before(n.hint.Until) {
		n.hint, changed = Notice{}, kernel.TopicNotice
	}
	if n.notice.Text == "" || now.Before(n.notice.Until) {
		return changed
	}
	n.next()
	return kernel.TopicNotice
}

// lastingKept bounds the notices that stay.
const lastingKept = 20

// lasting is a notice that stays, and the operation or the plan it is about.
type lasting struct {
	Notice
	key string
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
func (n *NoticesTable) wakes(at func(time.Time)) {
	at(n.notice.Until)
	at(n.hint.Until)
}

// sentence joins what there is to say.
func sentence(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "; ")
}

// NewsTable collects what just happened, for notifications and the event command.
type NewsTable struct {
	*kernel.Core
	// card finds the card that something happened to.
	card func(api.CardID) (cardlist.Card, bool)
	news []news.News
}

// Drain returns what has happened since it was asked for last, in order.
// What was so already when the program began is no news.
func (ne *NewsTable) Drain() []news.News {
	n := ne.news
	ne.news = nil
	return n
}

func (ne *NewsTable) report(n news.News) {
	n.At = ne.Time
	if c, ok := ne.card(n.Card); ok {
		n.Label, n.Last4 = c.Label, c.Last4
	}
	if len(ne.news) >= newsKept {
		ne.news = ne.news[1:]
	}
	ne.news = append(ne.news, n)
}

// reportTransaction points at what t holds: a copy of each amount would be most of what a page costs.
func (ne *NewsTable) reportTransaction(t *api.Transaction) {
	n := news.News{Kind: news.Transaction, ID: string(t.ID), Card: t.CardID, Type: string(t.Type), Merchant: t.Merchant.Name}
	if t.InUSD() {
		n.Amount = &t.Amount
	} else {
		n.Foreign, n.Currency = &t.Foreign, t.Currency
	}
	ne.report(n)
}

// newsKept bounds what was not drained yet.
const newsKept = 1000

// PrivacyTable is what may be seen on the screen, and why not. Without a screen nothing
// is hidden and nothing locked.
type PrivacyTable struct {
	*kernel.Core
	notices *NoticesTable
	// screen is nil in a program without one.
	screen *screen
}

// screen is what hides or locks the screen that a store is drawn on.
type screen struct {
	// on reports whether the user hid it, idle that there was no input, recorded by
	// what the screen is recorded; empty by nothing. shown says that the user
	// wants to see it although it is recorded.
	on, idle, shown bool
	recorded        string
	locked          bool
	// lost is the webhook whose signing secret the lock removed
	// before it was used; empty for none.
	lost string
	// disarmed is the card whose checkout the lock ended; empty for none.
	disarmed api.CardID
	// input is when a key or the mouse was last touched.
	input time.Time
	// asked is the card whose reveal has to be asked for once more, and until
	// when that counts.
	asked      api.CardID
	askedUntil time.Time
	// findDue is when to find a recording next.
	findDue time.Time
	finding bool
}

// newPrivacyTable makes the table of a store; on is the screen, nil for none.
func newPrivacyTable(c *kernel.Core, notices *NoticesTable, on *settings.Screen) *PrivacyTable {
	pr := &PrivacyTable{Core: c, notices: notices}
	if on != nil {
		pr.screen = &screen{on: on.Private}
	}
	return pr
}

// askedAgainFor is how long a reveal, or a replaced code, may be asked for once
// more.
const askedAgainFor = 10 * time.Second

// Display returns the way to the screen that holds now.
func (pr *PrivacyTable) Display() display.Display { return display.Of(pr.Lang, pr.Private()) }

// Private reports whether nothing of the account is to be read off the screen.
func (pr *PrivacyTable) Private() bool {
	p := pr.screen
	return p != nil && (p.on || p.idle || p.locked || p.recorded != "" && !p.shown)
}

// Locked reports whether keys do nothing but unlock.
func (pr *PrivacyTable) Locked() bool { return pr.screen != nil && pr.screen.locked }

// Recording is what records the screen; empty when nothing is known to.
func (pr *PrivacyTable) Recording() string {
	if pr.screen == nil {
		return ""
	}
	return pr.screen.recorded
}

// sayLost says what the lock removed.
func (pr *PrivacyTable) sayLost(name func(api.CardID) string) {
	p := pr.screen
	if p == nil {
		return
	}
	lost, disarmed := p.lost, p.disarmed
	p.lost, p.disarmed = "", ""
	switch {
	case disarmed != "" && lost == "":
		pr.notices.say(Warn, pr.Lang.Tf("%s is not armed any more", name(disarmed)))
	case lost != "":
		pr.notices.say(Warn, pr.Lang.Tf("the lock removed the unused signing secret of %s: delete the webhook and register it again", lost))
	}
}

// findRecording asks whether the screen is recorded, at once and every so
// often.
func (pr *PrivacyTable) findRecording(now time.Time) {
	p := pr.screen
	if p == nil || !pr.Cfg.Screen.FindRecording || p.finding || now.Before(p.findDue) {
		return
	}
	p.finding, p.findDue = true, now.Add(recordingEvery)
	pr.Wants = append(pr.Wants, FindRecording{})
}

// FindRecording finds what records the screen.
type FindRecording struct{}

func (FindRecording) Effect() {}

// recordingEvery is how often a recording is searched for.
const recordingEvery = 10 * time.Second
