package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
)

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

// CardOnScreen calls a card as the list does, or as a record does that is
// older than the list.
func (ca *CardsTable) OnScreen(id CardID, recorded string) string {
	if c, ok := ca.Get(id); ok && ca.privacy.Private() {
		return alias(c)
	}
	if ca.privacy.Private() {
		return "a card"
	}
	return recorded
}
