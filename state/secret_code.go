package state

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/cart"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/team"
)

// followUp passes an armed checkout the code that came, and what shows or holds
// a replaced code the one that replaced it.
func (s *Store) followUp() (kernel.Topic, []kernel.Effect) {
	topics, effects := s.catchCode()
	more, renewed := s.replaceCode()
	changed, again := copyChanged(s)
	return topics | more | changed, append(append(effects, renewed...), again...)
}

// copyChanged copies a code again whose digits changed since an armed checkout had it
// copied, if it is still on the clipboard. Of any other it only shows a notice.
func copyChanged(s *Store) (kernel.Topic, []kernel.Effect) {
	of := s.Clip.copying.of
	c, ok := s.Codes.Find(of.ID)
	if !ok || !s.Codes.DigitsChanged(of) || s.Clip.copying.saidChanged || !s.Clip.holds(of.ID) {
		return 0, nil
	}
	if s.Codes.Checkout().Caught == c.ID && s.Cfg.CopyArmed && !c.Replaced {
		topics, effects := s.Clip.copyCode(CopyCode{Challenge: c.ID})
		s.Notices.Say(kernel.Info, s.Lang.Tf("changed: copying the new code of %s", string(c.Merchant)))
		return topics | kernel.TopicNotice, effects
	}
	s.Clip.copying.saidChanged = true
	s.Notices.Say(kernel.Warn, s.Lang.Tf("changed: the clipboard still holds the old code of %s, copy it again", string(c.Merchant)))
	return kernel.TopicSecrets | kernel.TopicNotice, nil
}

// catchCode ends the wait of a checkout when the armed card's next code is here. One that was
// listed before does not count: it belongs to an earlier checkout.
func (s *Store) catchCode() (kernel.Topic, []kernel.Effect) {
	c, ok, said := s.Codes.Catch()
	if !ok {
		return said, nil
	}
	if !s.Cfg.CopyArmed {
		s.Codes.Claim(c.ID)
		s.Notices.Say(kernel.Good, s.Lang.Tf("the code of %s for %s is here", s.Cards.name(c.Card), string(c.Merchant)))
		return kernel.TopicCodes | kernel.TopicNotice, nil
	}
	if s.Notices.Current().Level == kernel.Info {
		s.Notices.Dismiss() // That it is armed was news.
	}
	topics, effects := s.Clip.copyCode(CopyCode{Challenge: c.ID})
	return topics | kernel.TopicCodes | kernel.TopicNotice, effects
}

// replaceCode puts the code that replaced the large one in its place, and on the
// clipboard if an armed checkout had the other copied and it is still there. Of
// any other replaced code on the clipboard it only shows a notice.
func (s *Store) replaceCode() (kernel.Topic, []kernel.Effect) {
	large, shown := s.Codes.Large()
	if c, ok := s.Codes.Successor(large); ok && shown {
		held := s.Clip.holds(large.ID)
		s.Codes.ShowLarge(&c)
		switch {
		case held && s.Cfg.CopyArmed:
			topics, effects := s.Clip.copyCode(CopyCode{Challenge: c.ID})
			s.Notices.Say(kernel.Info, s.Lang.Tf("replaced: copying the new code of %s", string(c.Merchant)))
			return topics | kernel.TopicCodes | kernel.TopicNotice, effects
		case held:
			s.Clip.sayReplaced(c)
		default:
			s.Notices.Say(kernel.Warn, s.Lang.Tf("replaced: %s asked again, this is the new code", string(c.Merchant)))
		}
		return kernel.TopicCodes | kernel.TopicNotice, nil
	}
	if c, ok := s.Codes.Successor(s.Clip.copying.of); ok && s.Clip.holds(s.Clip.copying.of.ID) && !s.Clip.copying.said {
		s.Clip.sayReplaced(c)
		return kernel.TopicSecrets | kernel.TopicNotice, nil
	}
	return 0, nil
}

// CopyCode asks to copy the code of a challenge, of the newest when empty.
type CopyCode struct{ Challenge api.ChallengeID }

func (in CopyCode) Check(s *Store) kernel.Verdict { return s.Clip.checkCode(in) }

func (in CopyCode) Start(s *Store) (kernel.Topic, []kernel.Effect) { return s.Clip.copyCode(in) }

func (CopyCode) Least() team.Role { return team.Buyer }

// cartOf returns what is known of paying an amount with a card, USD; 0 for an amount that is
// not known.
func (s *Store) cartOf(id api.CardID, amount api.USD) cart.Facts {
	c, _ := s.Cards.Get(id)
	f := cart.Facts{Amount: amount, Funds: s.Spend.Funds(id), Frozen: c.Status == api.CardFrozen, Expired: c.Expired}
	if limit := s.Info.Settings(id).Limit; limit != nil && s.Limits.MonthRead() {
		f.Limit, f.Month = *limit, c.Month
	}
	if bin, ok := s.BINs.Get(c.BIN); ok {
		f.Maximum = kernel.OrZero(bin.MaxTransaction)
	}
	return f
}
