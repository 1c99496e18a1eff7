package state

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
)

// armedFor is how long a checkout stays armed.
const armedFor = 5 * time.Minute

// Checkout is a card whose next code is waited for, and the code it brought.
type Checkout struct {
	// Card is armed until Until; empty when none is.
	Card         api.CardID
	Since, Until time.Time
	// Caught is the code that came last, to be shown large; empty when there is
	// none, when it ended, or when it was put away.
	Caught api.ChallengeID
	of     origin // of Caught
}

// Checkout reports on the armed checkout.
func (co *CodesTable) Checkout() Checkout { return co.checkout }

// Caught is the code that an armed checkout brought.
func (co *CodesTable) Caught() (Code, bool) {
	if co.checkout.Caught == "" {
		return Code{}, false
	}
	return co.codes.find(co.checkout.Caught)
}

// arm waits for a card's next code; asked for again, it stops waiting.
func (co *CodesTable) arm(id api.CardID) {
	if co.checkout.Card == id {
		co.disarm(Checkout{})
		co.notices.tell(Info, co.cards.name(id)+" is not armed any more")
		return
	}
	co.checkout = Checkout{Card: id, Since: co.now, Until: co.now.Add(armedFor)}
	text := "armed: the next code of " + co.cards.name(id) + " shows large"
	if co.cfg.CopyArmed {
		text += " and is copied"
	}
	for _, c := range co.codes.rows {
		if c.Card == id && !c.Replaced && c.Left(co.ServerNow()) > 0 {
			text = "armed for the next code; one of " + co.cards.name(id) + " is waiting already"
		}
	}
	if c, _ := co.cards.Get(id); c.Status == api.CardFrozen {
		text += "; the card is FROZEN"
	}
	co.notices.tell(Info, text)
	co.poll.Arm()
}

// disarm ends the wait; c is what is left of it.
func (co *CodesTable) disarm(c Checkout) {
	co.checkout = c
	co.poll.Disarm()
}

// putAway takes the large code off the screen.
func (co *CodesTable) putAway() Topic {
	if co.checkout.Caught == "" {
		return 0
	}
	co.checkout.Caught = ""
	return TopicCodes
}

// catch ends the wait when the armed card's next code is here. One that was
// listed before does not count: it belongs to an earlier checkout.
func (s *Store) catch() (Topic, []Effect) {
	if s.Codes.checkout.Card == "" {
		return 0, nil
	}
	i := slices.IndexFunc(s.Codes.codes.rows, func(c Code) bool {
		return c.Card == s.Codes.checkout.Card && c.SeenAt.After(s.Codes.checkout.Since) && !c.OTP.IsZero() && !c.Replaced
	})
	if i < 0 {
		return 0, nil
	}
	c := s.Codes.codes.rows[i]
	s.Codes.disarm(Checkout{Caught: c.ID, of: c.origin()})
	if !s.cfg.CopyArmed {
		s.Notices.tell(Good, "the code of "+s.Cards.name(c.Card)+" for "+string(c.Merchant)+" is here")
		return TopicCodes | TopicNotice, nil
	}
	if s.Notices.notice.Level == Info {
		s.Notices.Dismiss() // That it is armed was news.
	}
	topics, effects := s.Clip.copyCode(CopyCode{Challenge: c.ID})
	return topics | TopicCodes | TopicNotice, effects
}

// expireCheckout ends what has waited long enough, and what no code is left
// of.
func (co *CodesTable) expireCheckout(now time.Time) Topic {
	c := &co.checkout
	if c.Caught != "" {
		if _, ok := co.codes.find(c.Caught); !ok {
			c.Caught = ""
			return TopicCodes
		}
	}
	if c.Card == "" || !poll.Reached(now, c.Until) {
		return 0
	}
	co.notices.tell(Warn, "no code came for "+co.cards.name(c.Card)+" in five minutes: not armed any more")
	co.disarm(Checkout{})
	return TopicCodes | TopicNotice
}
