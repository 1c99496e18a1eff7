package kernel

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/display"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/settings"
)

// Privacy is what may be seen on the screen, and why not. Without a screen nothing is hidden and nothing locked.
type Privacy struct {
	*Core
	notices *Notices
	// screen is nil in a program without one.
	screen *screen
}

// The facts that privacy tells.
type (
	// PrivacyChanged is that the account is hidden from the screen, or shown again.
	PrivacyChanged struct{ Hidden bool }
	// Locked is that the screen is locked: every secret goes, and all intents are refused until it is unlocked. What is
	// under way goes on.
	Locked struct{}
	// Unlocked is that it is no longer.
	Unlocked struct{}
)

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

// NewPrivacy makes the table of a store; on is the screen, nil for none.
func NewPrivacy(c *Core, notices *Notices, on *settings.Screen) *Privacy {
	pr := &Privacy{Core: c, notices: notices}
	if on != nil {
		pr.screen = &screen{on: on.Private}
	}
	return pr
}

// AskedAgainFor is how long a reveal, or a replaced code, may be asked for once
// more.
const AskedAgainFor = 10 * time.Second

// Display returns the way to the screen that holds now.
func (pr *Privacy) Display() display.Display { return display.Of(pr.Lang, pr.Private()) }

// Private reports whether nothing of the account is to be read off the screen.
func (pr *Privacy) Private() bool {
	p := pr.screen
	return p != nil && (p.on || p.idle || p.locked || p.recorded != "" && !p.shown)
}

// Locked reports whether keys do nothing but unlock.
func (pr *Privacy) Locked() bool { return pr.screen != nil && pr.screen.locked }

// Recording is what records the screen; empty when nothing is known to.
func (pr *Privacy) Recording() string {
	if pr.screen == nil {
		return ""
	}
	return pr.screen.recorded
}

// Disarmed notes the card whose checkout the lock ended; empty for none.
func (pr *Privacy) Disarmed(card api.CardID) {
	if pr.screen != nil && card != "" {
		pr.screen.disarmed = card
	}
}

// Lost notes the webhook whose signing secret the lock removed before it was used.
func (pr *Privacy) Lost(webhook string) {
	if pr.screen != nil {
		pr.screen.lost = webhook
	}
}

// SayLost says what the lock removed.
func (pr *Privacy) SayLost(name func(api.CardID) string) {
	p := pr.screen
	if p == nil {
		return
	}
	lost, disarmed := p.lost, p.disarmed
	p.lost, p.disarmed = "", ""
	switch {
	case disarmed != "" && lost == "":
		pr.notices.Say(Warn, pr.Lang.Tf("%s is not armed any more", name(disarmed)))
	case lost != "":
		pr.notices.Say(Warn, pr.Lang.Tf("the lock removed the unused signing secret of %s: delete the webhook and register it again", lost))
	}
}

// FindRecording asks whether the screen is recorded, at once and every so
// often.
func (pr *Privacy) FindRecording(now time.Time) {
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

// RecordingFound says what records the screen; nothing known when By is empty.
type RecordingFound struct {
	Meta
	By string
}

// TogglePrivacy hides what of the account can be read off the screen, or shows
// it again.
type TogglePrivacy struct{}

// LockScreen removes every secret and refuses everything until
// UnlockScreen.
type LockScreen struct{}

func (LockScreen) WhileLocked() {}

// UnlockScreen ends it.
type UnlockScreen struct{}

func (UnlockScreen) WhileLocked() {}

// change changes what may be seen, and removes from the screen what was there for other eyes: sentences are made with
// names in them. Without a screen it changes nothing.
func (pr *Privacy) change(change func(p *screen)) Topic {
	if pr.screen == nil {
		return 0
	}
	before := pr.Private()
	change(pr.screen)
	if now := pr.Private(); now != before {
		pr.notices.Clear()
		Tell(pr.Core, PrivacyChanged{Hidden: now})
	}
	return TopicAll
}

// Apply hides the account from a recording that has begun. The user
// showing it nevertheless holds until another one begins.
func (ev RecordingFound) Apply(pr *Privacy) (Topic, []Effect) {
	p := pr.screen
	if p == nil {
		return 0, nil
	}
	p.finding = false
	if ev.By == p.recorded {
		return 0, nil
	}
	topics := pr.change(func(p *screen) { p.recorded, p.shown = ev.By, false })
	if ev.By != "" {
		pr.Afterwards(func() Topic {
			return pr.notices.Say(Warn, pr.Lang.Tf("the screen is recorded by %s: what is on it is hidden", ev.By))
		})
	}
	return topics, nil
}

func (TogglePrivacy) Start(pr *Privacy) (Topic, []Effect) {
	hide := !pr.Private()
	topics := pr.change(func(p *screen) { p.on, p.idle, p.shown = hide, false, !hide })
	if topics != 0 && hide { // Behind what hiding has ended.
		pr.Afterwards(func() Topic { return pr.notices.Append(pr.Lang.T("private: copying works, P shows all")) })
	}
	return topics, nil
}

func (LockScreen) Start(pr *Privacy) (Topic, []Effect) { return pr.lock(), nil }

func (pr *Privacy) lock() Topic {
	topics := pr.change(func(p *screen) { p.locked = true })
	if topics != 0 {
		Tell(pr.Core, Locked{})
	}
	return topics
}

func (UnlockScreen) Start(pr *Privacy) (Topic, []Effect) {
	pr.notices.Clear() // It said how.
	topics := pr.change(func(p *screen) { p.locked, p.idle = false, false })
	Tell(pr.Core, Unlocked{})
	return topics, nil
}

// Touch records that the user is there: a key, or the mouse. It reports whether
// they find a screen that hid itself meanwhile; what they touched was meant
// for that and for nothing below it.
func (pr *Privacy) Touch(now time.Time) (woke bool, changed Topic) {
	p := pr.screen
	if p == nil {
		return false, 0
	}
	p.input = now
	if !p.idle || p.locked {
		return false, 0
	}
	return true, pr.change(func(p *screen) { p.idle = false })
}

// ExpireIdle hides, and later locks, a screen that was left alone.
func (pr *Privacy) ExpireIdle(now time.Time) Topic {
	p := pr.screen
	if p == nil {
		return 0
	}
	if p.input.IsZero() {
		p.input = now
	}
	past := func(wait time.Duration) bool { return wait > 0 && poll.Reached(now, p.input.Add(wait)) }
	switch {
	case !p.locked && past(pr.Cfg.IdleLock):
		return pr.lock()
	case !p.locked && !p.idle && past(pr.Cfg.IdleMask):
		return pr.change(func(p *screen) { p.idle = true })
	}
	return 0
}

// AskIfRecorded asks once more before the number of a card is shown on a screen that is
// recorded; shown reports whether it is already.
func (pr *Privacy) AskIfRecorded(id api.CardID, shown bool) bool {
	p := pr.screen
	if p == nil {
		return false
	}
	if p.recorded == "" || shown || p.asked == id && pr.Time.Before(p.askedUntil) {
		p.asked = ""
		return false
	}
	p.asked, p.askedUntil = id, pr.Time.Add(AskedAgainFor)
	pr.notices.Say(Warn, pr.Lang.Tf("the screen is recorded by %s: the same key once more shows the number to it", p.recorded))
	return true
}

// Say shows a notice of a pane.
type Say struct {
	Level Level
	Text  string
}

func (in Say) Start(n *Notices) (Topic, []Effect) { return n.Say(in.Level, in.Text), nil }
