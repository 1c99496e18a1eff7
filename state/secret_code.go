package state

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/team"
)

// FollowUp passes an armed checkout the code that came, and what shows or holds
// a replaced code the one that replaced it.
func (t *SecretsTable) FollowUp() (kernel.Topic, []kernel.Effect) {
	topics, effects := t.catchCode()
	more, renewed := t.replaceCode()
	changed, again := t.copyChanged()
	return topics | more | changed, append(append(effects, renewed...), again...)
}

// copyChanged copies a code again whose digits changed since an armed checkout had it
// copied, if it is still on the clipboard. Of any other it only shows a notice.
func (t *SecretsTable) copyChanged() (kernel.Topic, []kernel.Effect) {
	of := t.copying.of
	c, ok := t.needs.Codes.Find(of.ID)
	if !ok || !t.needs.Codes.DigitsChanged(of) || t.copying.saidChanged || !t.onClipboard(of.ID) {
		return 0, nil
	}
	if t.needs.Codes.Checkout().Caught == c.ID && t.Cfg.CopyArmed && !c.Replaced {
		topics, effects := t.copyCode(CopyCode{Challenge: c.ID})
		t.needs.Notices.Say(kernel.Info, t.Lang.Tf("changed: copying the new code of %s", string(c.Merchant)))
		return topics | kernel.TopicNotice, effects
	}
	t.copying.saidChanged = true
	t.needs.Notices.Say(kernel.Warn, t.Lang.Tf("changed: the clipboard still holds the old code of %s, copy it again", string(c.Merchant)))
	return kernel.TopicSecrets | kernel.TopicNotice, nil
}

// catchCode ends the wait of a checkout when the armed card's next code is here. One that was
// listed before does not count: it belongs to an earlier checkout.
func (t *SecretsTable) catchCode() (kernel.Topic, []kernel.Effect) {
	c, ok, said := t.needs.Codes.Catch()
	if !ok {
		return said, nil
	}
	if !t.Cfg.CopyArmed {
		t.needs.Codes.Claim(c.ID)
		t.needs.Notices.Say(kernel.Good, t.Lang.Tf("the code of %s for %s is here", t.needs.Cards.Name(c.Card), string(c.Merchant)))
		return kernel.TopicCodes | kernel.TopicNotice, nil
	}
	if t.needs.Notices.Current().Level == kernel.Info {
		t.needs.Notices.Dismiss() // That it is armed was news.
	}
	topics, effects := t.copyCode(CopyCode{Challenge: c.ID})
	return topics | kernel.TopicCodes | kernel.TopicNotice, effects
}

// replaceCode puts the code that replaced the large one in its place, and on the
// clipboard if an armed checkout had the other copied and it is still there. Of
// any other replaced code on the clipboard it only shows a notice.
func (t *SecretsTable) replaceCode() (kernel.Topic, []kernel.Effect) {
	large, shown := t.needs.Codes.Large()
	if c, ok := t.needs.Codes.Successor(large); ok && shown {
		held := t.onClipboard(large.ID)
		t.needs.Codes.ShowLarge(&c)
		switch {
		case held && t.Cfg.CopyArmed:
			topics, effects := t.copyCode(CopyCode{Challenge: c.ID})
			t.needs.Notices.Say(kernel.Info, t.Lang.Tf("replaced: copying the new code of %s", string(c.Merchant)))
			return topics | kernel.TopicCodes | kernel.TopicNotice, effects
		case held:
			t.sayReplaced(c)
		default:
			t.needs.Notices.Say(kernel.Warn, t.Lang.Tf("replaced: %s asked again, this is the new code", string(c.Merchant)))
		}
		return kernel.TopicCodes | kernel.TopicNotice, nil
	}
	if c, ok := t.needs.Codes.Successor(t.copying.of); ok && t.onClipboard(t.copying.of.ID) && !t.copying.said {
		t.sayReplaced(c)
		return kernel.TopicSecrets | kernel.TopicNotice, nil
	}
	return 0, nil
}

// CopyCode asks to copy the code of a challenge, of the newest when empty.
type CopyCode struct{ Challenge api.ChallengeID }

func (in CopyCode) Check(t *SecretsTable) kernel.Verdict { return t.checkCode(in) }

func (in CopyCode) Start(t *SecretsTable) (kernel.Topic, []kernel.Effect) { return t.copyCode(in) }

func (CopyCode) Least() team.Role { return team.Buyer }
