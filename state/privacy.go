package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
)

// privacy is what may be seen, and why not.
type PrivacyTable struct {
	*core
	notices *NoticesTable

	// on says that a person hid it, idle that nobody was there, recorded by
	// what the screen is recorded; empty by nothing. shown says that a person
	// wants to see it although it is recorded.
	on, idle, shown bool
	recorded        string
	locked          bool
	// lost is the address of the webhook whose signing secret the lock took
	// before it was used; empty for none.
	lost api.Text
	// input is when a key or the mouse was last touched.
	input time.Time
	// asked is the card whose reveal has to be asked for once more, and until
	// when that counts.
	asked      api.CardID
	askedUntil time.Time
	// look is when to look for a recording next.
	look    time.Time
	looking bool
}

// Private tells whether nothing of the account is to be read off the screen.
func (pr *PrivacyTable) Private() bool {
	p := pr
	return p.on || p.idle || p.locked || p.recorded != "" && !p.shown
}

// Locked tells whether keys do nothing but unlock.
func (pr *PrivacyTable) Locked() bool { return pr.locked }

// Recording is what records the screen; empty when nothing is known to.
func (pr *PrivacyTable) Recording() string { return pr.recorded }

// veil changes who may see what, and takes from the screen what was there for
// other eyes: sentences are made with names in them.
func (s *Store) veil(change func(p *PrivacyTable)) (Topic, []Effect) {
	before := s.Privacy.Private()
	change(s.Privacy)
	if s.Privacy.Private() == before {
		return TopicAll, nil
	}
	s.Notices.clear()
	s.Cards.giveNumbers()
	if before {
		return TopicAll, nil
	}
	_, effects := s.Secrets.hide()
	return TopicAll, effects
}

func (s *Store) togglePrivacy() (Topic, []Effect) {
	hide := !s.Privacy.Private()
	topics, effects := s.veil(func(p *PrivacyTable) {
		p.on, p.idle, p.shown = hide, false, !hide
	})
	if hide {
		s.Notices.Append("private: copying works, P shows all") // Beside what hiding has ended.
	}
	return topics, effects
}

// lock takes every secret away and refuses what is asked for until it is
// unlocked. What is under way goes on.
func (s *Store) lock() (Topic, []Effect) {
	topics, effects := s.veil(func(p *PrivacyTable) { p.locked = true })
	s.Secrets.waitNoMore()
	s.Secrets.reveal = Reveal{}
	s.Codes.disarm(Checkout{})
	if s.Webhooks.signing.Webhook != "" {
		effects = append(effects, s.lockSigning()...)
	}
	return topics, append(effects, s.Secrets.wipe()...)
}

// lockSigning forgets the signing secret because of the lock, which is said to
// who unlocks if it was not used: it is not told again.
func (s *Store) lockSigning() []Effect {
	if !s.Webhooks.signing.Used {
		s.Privacy.lost = s.Webhooks.signing.URL
	}
	return s.Webhooks.dropSigning()
}

func (s *Store) unlock() (Topic, []Effect) {
	s.Notices.clear() // It said how.
	return s.veil(func(p *PrivacyTable) { p.locked, p.idle = false, false })
}

// tellLost says what the lock took away.
func (pr *PrivacyTable) tellLost() {
	if lost := pr.lost; lost != "" {
		pr.lost = ""
		pr.notices.tell(Warn, "the lock took the unused signing secret of "+webhookName(string(lost))+" away: delete the webhook and register it again")
	}
}

// lockedReason is why nothing is done.
const lockedReason = "locked: enter unlocks"

// Touch notes that a person is there: a key, or the mouse. It tells whether
// they find a screen that hid itself meanwhile; what they touched was meant
// for that and for nothing below it.
func (s *Store) Touch(now time.Time) (woke bool, changed Topic) {
	s.Privacy.input = now
	if !s.Privacy.idle || s.Privacy.locked {
		return false, 0
	}
	changed, _ = s.veil(func(p *PrivacyTable) { p.idle = false })
	return true, changed
}

// expireIdle hides, and later locks, what nobody has looked after.
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
		topics, effects = s.veil(func(p *PrivacyTable) { p.idle = true })
	}
	s.wants = append(s.wants, effects...)
	return topics
}

// lookEvery is how often a recording is looked for.
const lookEvery = 10 * time.Second

// lookForRecording asks whether the screen is recorded, at once and every so
// often.
func (pr *PrivacyTable) lookForRecording(now time.Time) {
	p := pr
	if !pr.cfg.FindRecording || p.looking || now.Before(p.look) {
		return
	}
	p.looking, p.look = true, now.Add(lookEvery)
	pr.wants = append(pr.wants, FindRecording{})
}

// recordingFound hides the account from a recording that has begun. A person
// who shows it nevertheless is not overruled until another one begins.
func (ev RecordingFound) apply(s *Store) (Topic, []Effect) {
	s.Privacy.looking = false
	if ev.By == s.Privacy.recorded {
		return 0, nil
	}
	topics, effects := s.veil(func(p *PrivacyTable) { p.recorded, p.shown = ev.By, false })
	if ev.By != "" {
		s.Notices.tell(Warn, "the screen is recorded by "+ev.By+": what is on it is hidden")
	}
	return topics, effects
}

// askedAgainFor is how long a reveal, or a replaced code, may be asked for once
// more.
const askedAgainFor = 10 * time.Second

// doubtReveal asks a person once more who wants a number on a screen that is
// recorded.
func (s *Store) doubtReveal(id api.CardID) bool {
	p := s.Privacy
	if p.recorded == "" || s.Secrets.reveal.Card == id || p.asked == id && s.now.Before(p.askedUntil) {
		p.asked = ""
		return false
	}
	p.asked, p.askedUntil = id, s.now.Add(askedAgainFor)
	s.Notices.tell(Warn, "the screen is recorded by "+p.recorded+": the same key once more shows the number to it")
	return true
}

// announce tells a locked screen of a code that came, without its digits.
func (ca *CardsTable) announce(was, is []Code) Topic {
	if !ca.privacy.locked {
		return 0
	}
	known := make(map[api.ChallengeID]bool, len(was))
	for _, c := range was {
		known[c.ID] = true
	}
	for _, c := range is {
		if !known[c.ID] {
			ca.notices.tell(Warn, "a code of "+ca.name(c.Card)+" for "+string(c.Merchant)+" is here: enter unlocks")
			return TopicNotice
		}
	}
	return 0
}
