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
func (s *Store) Checkout() Checkout { return s.checkout }

// Caught is the code that an armed checkout brought.
func (s *Store) Caught() (Code, bool) {
	if s.checkout.Caught == "" {
		return Code{}, false
	}
	return s.codes.find(s.checkout.Caught)
}

// arm waits for a card's next code; asked for again, it stops waiting.
func (s *Store) arm(id api.CardID) {
	if s.checkout.Card == id {
		s.disarm(Checkout{})
		s.tell(Info, s.name(id)+" is not armed any more")
		return
	}
	s.checkout = Checkout{Card: id, Since: s.now, Until: s.now.Add(armedFor)}
	text := "armed: the next code of " + s.name(id) + " shows large"
	if s.cfg.CopyArmed {
		text += " and is copied"
	}
	for _, c := range s.codes.rows {
		if c.Card == id && !c.Replaced && c.Left(s.ServerNow()) > 0 {
			text = "armed for the next code; one of " + s.name(id) + " is waiting already"
		}
	}
	if c, _ := s.Card(id); c.Status == api.CardFrozen {
		text += "; the card is FROZEN"
	}
	s.tell(Info, text)
	s.Poll.Arm()
}

// disarm ends the wait; c is what is left of it.
func (s *Store) disarm(c Checkout) {
	s.checkout = c
	s.Poll.Disarm()
}

// putAway takes the large code off the screen.
func (s *Store) putAway() Topic {
	if s.checkout.Caught == "" {
		return 0
	}
	s.checkout.Caught = ""
	return TopicCodes
}

// catch ends the wait when the armed card's next code is here. One that was
// listed before does not count: it belongs to an earlier checkout.
func (s *Store) catch() (Topic, []Effect) {
	if s.checkout.Card == "" {
		return 0, nil
	}
	i := slices.IndexFunc(s.codes.rows, func(c Code) bool {
		return c.Card == s.checkout.Card && c.SeenAt.After(s.checkout.Since) && !c.OTP.IsZero() && !c.Replaced
	})
	if i < 0 {
		return 0, nil
	}
	c := s.codes.rows[i]
	s.disarm(Checkout{Caught: c.ID, of: c.origin()})
	if !s.cfg.CopyArmed {
		s.tell(Good, "the code of "+s.name(c.Card)+" for "+string(c.Merchant)+" is here")
		return TopicCodes | TopicNotice, nil
	}
	if s.notice.Level == Info {
		s.Read() // That it is armed was news.
	}
	topics, effects := s.copyCode(CopyCode{Challenge: c.ID})
	return topics | TopicCodes | TopicNotice, effects
}

// expireCheckout ends what has waited long enough, and what no code is left
// of.
func (s *Store) expireCheckout(now time.Time) Topic {
	c := &s.checkout
	if c.Caught != "" {
		if _, ok := s.codes.find(c.Caught); !ok {
			c.Caught = ""
			return TopicCodes
		}
	}
	if c.Card == "" || !poll.Reached(now, c.Until) {
		return 0
	}
	s.tell(Warn, "no code came for "+s.name(c.Card)+" in five minutes: not armed any more")
	s.disarm(Checkout{})
	return TopicCodes | TopicNotice
}
