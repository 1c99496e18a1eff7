package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
)

// changePrivacy changes what may be seen, and removes from the screen what was there for
// other eyes: sentences are made with names in them. Without a screen it changes nothing.
func (s *Store) changePrivacy(change func(p *screen)) (kernel.Topic, []kernel.Effect) {
	if s.Privacy.screen == nil {
		return 0, nil
	}
	before := s.Privacy.Private()
	change(s.Privacy.screen)
	if s.Privacy.Private() == before {
		return kernel.TopicAll, nil
	}
	s.Notices.clear()
	s.Cards.numberCards()
	if before {
		return kernel.TopicAll, nil
	}
	_, effects := s.Secrets.hide()
	return kernel.TopicAll, effects
}

// RecordingFound says what records the screen; nothing known when By is empty.
type RecordingFound struct {
	kernel.Meta
	By string
}

// Apply hides the account from a recording that has begun. The user
// showing it nevertheless holds until another one begins.
func (ev RecordingFound) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	p := s.Privacy.screen
	if p == nil {
		return 0, nil
	}
	p.finding = false
	if ev.By == p.recorded {
		return 0, nil
	}
	topics, effects := s.changePrivacy(func(p *screen) { p.recorded, p.shown = ev.By, false })
	if ev.By != "" {
		s.Notices.say(Warn, s.Lang.Tf("the screen is recorded by %s: what is on it is hidden", ev.By))
	}
	return topics, effects
}

// TogglePrivacy hides what of the account can be read off the screen, or shows
// it again.
type TogglePrivacy struct{}

func (TogglePrivacy) Start(s *Store) (kernel.Topic, []kernel.Effect) { return s.togglePrivacy() }

func (s *Store) togglePrivacy() (kernel.Topic, []kernel.Effect) {
	if s.Privacy.screen == nil {
		return 0, nil
	}
	hide := !s.Privacy.Private()
	topics, effects := s.changePrivacy(func(p *screen) {
		p.on, p.idle, p.shown = hide, false, !hide
	})
	if hide {
		s.Notices.Append(s.Lang.T("private: copying works, P shows all")) // Beside what hiding has ended.
	}
	return topics, effects
}

// LockScreen removes every secret and refuses everything until
// UnlockScreen.
type LockScreen struct{}

func (LockScreen) Start(s *Store) (kernel.Topic, []kernel.Effect) { return s.lock() }

func (LockScreen) WhileLocked() {}

// lock removes every secret and refuses all intents until it is
// unlocked. What is under way goes on. Nothing locks a store without a screen.
func (s *Store) lock() (kernel.Topic, []kernel.Effect) {
	if s.Privacy.screen == nil {
		return 0, nil
	}
	topics, effects := s.changePrivacy(func(p *screen) { p.locked = true })
	s.Secrets.cancelWaiting()
	s.Secrets.endReveal()
	if armed := s.Codes.checkout.Card; armed != "" {
		s.Privacy.screen.disarmed = armed
	}
	s.Codes.disarm()
	if s.Webhooks.signingShown() {
		effects = append(effects, s.lockSigning()...)
	}
	return topics, append(effects, s.Secrets.wipe()...)
}

// lockSigning removes the signing secret because of the lock, which is said after
// the unlock if it was not used: it is not readable again.
func (s *Store) lockSigning() []kernel.Effect {
	if g := s.Webhooks.signing; !g.Used && g.URL != "" {
		s.Privacy.screen.lost = s.Webhooks.signingName()
	}
	return s.Webhooks.dropSigning()
}

// UnlockScreen ends it.
type UnlockScreen struct{}

func (UnlockScreen) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	topics, effects := s.unlock()
	s.Privacy.sayLost(s.Cards.name)
	return topics, effects
}

func (UnlockScreen) WhileLocked() {}

func (s *Store) unlock() (kernel.Topic, []kernel.Effect) {
	s.Notices.clear() // It said how.
	return s.changePrivacy(func(p *screen) { p.locked, p.idle = false, false })
}

// Touch records that the user is there: a key, or the mouse. It reports whether
// they find a screen that hid itself meanwhile; what they touched was meant
// for that and for nothing below it.
func (s *Store) Touch(now time.Time) (woke bool, changed kernel.Topic) {
	p := s.Privacy.screen
	if p == nil {
		return false, 0
	}
	p.input = now
	if !p.idle || p.locked {
		return false, 0
	}
	changed, _ = s.changePrivacy(func(p *screen) { p.idle = false })
	return true, changed
}

// expireIdle hides, and later locks, a screen that was left alone.
func (s *Store) expireIdle(now time.Time) kernel.Topic {
	p := s.Privacy.screen
	if p == nil {
		return 0
	}
	if p.input.IsZero() {
		p.input = now
	}
	past := func(wait time.Duration) bool { return wait > 0 && poll.Reached(now, p.input.Add(wait)) }
	var (
		topics  kernel.Topic
		effects []kernel.Effect
	)
	switch {
	case !p.locked && past(s.Cfg.IdleLock):
		topics, effects = s.lock()
	case !p.locked && !p.idle && past(s.Cfg.IdleMask):
		topics, effects = s.changePrivacy(func(p *screen) { p.idle = true })
	}
	s.Wants = append(s.Wants, effects...)
	return topics
}

// askIfRecorded asks once more before a number is shown on a screen that is
// recorded.
func (s *Store) askIfRecorded(id api.CardID) bool {
	p := s.Privacy.screen
	if p == nil {
		return false
	}
	if p.recorded == "" || s.Secrets.reveal.Card == id || p.asked == id && s.Time.Before(p.askedUntil) {
		p.asked = ""
		return false
	}
	p.asked, p.askedUntil = id, s.Time.Add(askedAgainFor)
	s.Notices.say(Warn, s.Lang.Tf("the screen is recorded by %s: the same key once more shows the number to it", p.recorded))
	return true
}

// Notice is the current notice; its text is empty when there is none.
func (s *Store) Notice() Notice {
	n := s.Notices.shown()
	n.Text = s.Privacy.Display().Sentence(n.Text)
	return n
}

// Lasting is the oldest notice that stays until it is put away, and how many
// there are.
func (s *Store) Lasting() (n Notice, all int) {
	if len(s.Notices.lasting) == 0 {
		return Notice{}, 0
	}
	n = s.Notices.lasting[0].Notice
	if s.Privacy.Private() { // It names a card, perhaps as it was called before.
		n.Text = s.Lang.T("the result of an unconfirmed write is hidden")
	}
	return n, len(s.Notices.lasting)
}

// Say shows a notice of a pane.
type Say struct {
	Level Level
	Text  string
}

func (in Say) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	return s.Notices.Add(in.Level, in.Text), nil
}
