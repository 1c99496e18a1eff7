package state

import (
	"regexp"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/poll"
)

// PrivacyTable is what may be seen, and why not.
type PrivacyTable struct {
	*core
	notices *NoticesTable

	// on reports whether the user hid it, idle that there was no input, recorded by
	// what the screen is recorded; empty by nothing. shown says that the user
	// wants to see it although it is recorded.
	on, idle, shown bool
	recorded        string
	locked          bool
	// lost is the webhook whose signing secret the lock removed
	// before it was used; empty for none.
	lost string
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

// askedAgainFor is how long a reveal, or a replaced code, may be asked for once
// more.
const askedAgainFor = 10 * time.Second

// Display returns the way to the screen that holds now.
func (pr *PrivacyTable) Display() Display { return Display{pr.Private()} }

// Private reports whether nothing of the account is to be read off the screen.
func (pr *PrivacyTable) Private() bool {
	p := pr
	return p.on || p.idle || p.locked || p.recorded != "" && !p.shown
}

// Locked reports whether keys do nothing but unlock.
func (pr *PrivacyTable) Locked() bool { return pr.locked }

// Recording is what records the screen; empty when nothing is known to.
func (pr *PrivacyTable) Recording() string { return pr.recorded }

// sayLost says what the lock removed.
func (pr *PrivacyTable) sayLost() {
	if lost := pr.lost; lost != "" {
		pr.lost = ""
		pr.notices.say(Warn, "the lock removed the unused signing secret of "+lost+": delete the webhook and register it again")
	}
}

// findRecording asks whether the screen is recorded, at once and every so
// often.
func (pr *PrivacyTable) findRecording(now time.Time) {
	p := pr
	if !pr.cfg.FindRecording || p.finding || now.Before(p.findDue) {
		return
	}
	p.finding, p.findDue = true, now.Add(recordingEvery)
	pr.wants = append(pr.wants, FindRecording{})
}

// FindRecording finds what records the screen.
type FindRecording struct{}

func (FindRecording) effect() {}

// changePrivacy changes what may be seen, and removes from the screen what was there for
// other eyes: sentences are made with names in them.
func (s *Store) changePrivacy(change func(p *PrivacyTable)) (Topic, []Effect) {
	before := s.Privacy.Private()
	change(s.Privacy)
	if s.Privacy.Private() == before {
		return TopicAll, nil
	}
	s.Notices.clear()
	s.Cards.numberCards()
	if before {
		return TopicAll, nil
	}
	_, effects := s.Secrets.hide()
	return TopicAll, effects
}

// RecordingFound says what records the screen; nothing known when By is empty.
type RecordingFound struct {
	Meta
	By string
}

// recordingFound hides the account from a recording that has begun. The user
// showing it nevertheless holds until another one begins.
func (ev RecordingFound) apply(s *Store) (Topic, []Effect) {
	s.Privacy.finding = false
	if ev.By == s.Privacy.recorded {
		return 0, nil
	}
	topics, effects := s.changePrivacy(func(p *PrivacyTable) { p.recorded, p.shown = ev.By, false })
	if ev.By != "" {
		s.Notices.say(Warn, "the screen is recorded by "+ev.By+": what is on it is hidden")
	}
	return topics, effects
}

// TogglePrivacy hides what of the account can be read off the screen, or shows
// it again.
type TogglePrivacy struct{}

func (TogglePrivacy) start(s *Store) (Topic, []Effect) { return s.togglePrivacy() }

func (s *Store) togglePrivacy() (Topic, []Effect) {
	hide := !s.Privacy.Private()
	topics, effects := s.changePrivacy(func(p *PrivacyTable) {
		p.on, p.idle, p.shown = hide, false, !hide
	})
	if hide {
		s.Notices.Append("private: copying works, P shows all") // Beside what hiding has ended.
	}
	return topics, effects
}

// LockScreen removes every secret and refuses everything until
// UnlockScreen.
type LockScreen struct{}

func (LockScreen) start(s *Store) (Topic, []Effect) { return s.lock() }

func (LockScreen) whileLocked() {}

// lock removes every secret and refuses all intents until it is
// unlocked. What is under way goes on.
func (s *Store) lock() (Topic, []Effect) {
	topics, effects := s.changePrivacy(func(p *PrivacyTable) { p.locked = true })
	s.Secrets.cancelWaiting()
	s.Secrets.endReveal()
	s.Codes.disarm()
	if s.Webhooks.signingShown() {
		effects = append(effects, s.lockSigning()...)
	}
	return topics, append(effects, s.Secrets.wipe()...)
}

// lockSigning removes the signing secret because of the lock, which is said after
// the unlock if it was not used: it is not readable again.
func (s *Store) lockSigning() []Effect {
	if g := s.Webhooks.signing; !g.Used && g.URL != "" {
		s.Privacy.lost = s.Webhooks.signingName()
	}
	return s.Webhooks.dropSigning()
}

// UnlockScreen ends it.
type UnlockScreen struct{}

func (UnlockScreen) start(s *Store) (Topic, []Effect) {
	topics, effects := s.unlock()
	s.Privacy.sayLost()
	return topics, effects
}

func (UnlockScreen) whileLocked() {}

func (s *Store) unlock() (Topic, []Effect) {
	s.Notices.clear() // It said how.
	return s.changePrivacy(func(p *PrivacyTable) { p.locked, p.idle = false, false })
}

// Touch records that the user is there: a key, or the mouse. It reports whether
// they find a screen that hid itself meanwhile; what they touched was meant
// for that and for nothing below it.
func (s *Store) Touch(now time.Time) (woke bool, changed Topic) {
	s.Privacy.input = now
	if !s.Privacy.idle || s.Privacy.locked {
		return false, 0
	}
	changed, _ = s.changePrivacy(func(p *PrivacyTable) { p.idle = false })
	return true, changed
}

// expireIdle hides, and later locks, what was left alone.
func (s *Store) expireIdle(now time.Time) Topic {
	p := s.Privacy
	if p.input.IsZero() {
		p.input = now
	}
	past := func(wait time.Duration) bool { return wait > 0 && poll.Reached(now, p.input.Add(wait)) }
	var (
		topics  Topic
		effects []Effect
	)
	switch {
	case !p.locked && past(s.cfg.IdleLock):
		topics, effects = s.lock()
	case !p.locked && !p.idle && past(s.cfg.IdleMask):
		topics, effects = s.changePrivacy(func(p *PrivacyTable) { p.idle = true })
	}
	s.wants = append(s.wants, effects...)
	return topics
}

// askIfRecorded asks once more before a number is shown on a screen that is
// recorded.
func (s *Store) askIfRecorded(id api.CardID) bool {
	p := s.Privacy
	if p.recorded == "" || s.Secrets.reveal.Card == id || p.asked == id && s.now.Before(p.askedUntil) {
		p.asked = ""
		return false
	}
	p.asked, p.askedUntil = id, s.now.Add(askedAgainFor)
	s.Notices.say(Warn, "the screen is recorded by "+p.recorded+": the same key once more shows the number to it")
	return true
}

// Display turns what the store holds into what may be drawn. It is the one
// way from an amount, a label or a code to a screen, so that one mode hides
// them everywhere.
type Display struct{ private bool }

// Private reports whether figures are hidden; what would show them by a
// colour, a sign or a height is then left out as well.
func (d Display) Private() bool { return d.private }

// Amount is a figure in USD without its sign.
func (d Display) Amount(u api.USD) string { return d.redact(u.Grouped()) }

// Dollars is a figure in USD with its sign.
func (d Display) Dollars(u api.USD) string { return "$" + d.redact(u.Grouped()) }

// Shortfall says what is missing, in USD, without cents where there are none.
func (d Display) Shortfall(u api.USD) string {
	return "$" + d.redact(strings.TrimSuffix(u.Grouped(), ".00")) + " short"
}

// Crypto is an amount of a currency.
func (d Display) Crypto(amount string) string { return d.redact(amount) }

// Merchant is where money went in the past: name, category, code, country. What
// asks for a code now is named all the same, so that no code is copied without
// its merchant.
func (d Display) Merchant(text api.Text) string { return d.Text(string(text)) }

// Text is what the user of this account wrote or was given: a number of a
// BIN, metadata, an address.
func (d Display) Text(text string) string {
	if text == "" {
		return ""
	}
	return d.redact(text)
}

// Label calls a card by its label, or by its place when that is hidden.
func (d Display) Label(c cardlist.Card) string {
	if d.private {
		return c.Alias()
	}
	return string(c.Label)
}

// Last4 are a card's last digits.
func (d Display) Last4(c cardlist.Card) string {
	if d.private {
		return bulletsLast
	}
	return string(c.Last4)
}

// Sentence hides the figures in a text that the user reads. Names it gets from
// the store are hidden already.
func (d Display) Sentence(text string) string {
	if !d.private {
		return text
	}
	return figures.ReplaceAllString(text, bullets)
}

func (d Display) redact(text string) string {
	if d.private {
		return bullets
	}
	return text
}

// What stands for a hidden figure, digits and text: the same for every length
// and size.
const (
	bullets     = "•••"
	bulletsLast = "••••"
	bulletsCode = "••••••"
)

// figures are amounts and runs of digits as they stand in sentences: with a
// currency's sign, with decimals or thousands, after a card's dots, or longer
// than a count or a time is.
var figures = regexp.MustCompile(`\$-?[\d,]+(\.\d+)?|\d[\d,]*[.,]\d+|••\d+|\d{4,}`)

// recordingEvery is how often a recording is searched for.
const recordingEvery = 10 * time.Second
