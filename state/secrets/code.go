package secrets

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/team"
)

// FollowUp passes an armed checkout the code that came, and what shows or holds
// a replaced code the one that replaced it.
func (t *Table) FollowUp() (kernel.Topic, []kernel.Effect) {
	topics, effects := t.catchCode()
	more, renewed := t.replaceCode()
	changed, again := t.copyChanged()
	return topics | more | changed, append(append(effects, renewed...), again...)
}

// copyChanged copies a code again whose digits changed since an armed checkout had it
// copied, if it is still on the clipboard. Of any other it only shows a notice.
func (t *Table) copyChanged() (kernel.Topic, []kernel.Effect) {
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
func (t *Table) catchCode() (kernel.Topic, []kernel.Effect) {
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
func (t *Table) replaceCode() (kernel.Topic, []kernel.Effect) {
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

func (in CopyCode) Check(t *Table) kernel.Verdict { return t.checkCode(in) }

func (in CopyCode) Start(t *Table) (kernel.Topic, []kernel.Effect) { return t.copyCode(in) }

func (CopyCode) Least() team.Role { return team.Buyer }

// noCode says why there is no code to copy.
func (t *Table) noCode() string {
	if src := t.needs.Lanes.Source(poll.Codes); src.Err != nil || src.Stale(t.Time) {
		return t.Lang.T("no code is known, and codes cannot be read now: they are asked for again by themselves")
	}
	return t.Lang.T("no code is waiting")
}

// askIfReplaced asks once more before a code is copied that a newer one of the same
// card and merchant has most likely ended.
func (t *Table) askIfReplaced(in CopyCode) bool {
	c, ok := t.needs.Codes.ToCopy(in.Challenge)
	if !ok || !c.Replaced || !t.needs.Codes.MustConfirmReplaced(c.ID) {
		return false
	}
	t.needs.Notices.Say(kernel.Warn, t.Lang.Tf("replaced: %s asked again since; the same key once more copies this older code", string(c.Merchant)))
	return true
}

func (t *Table) copyCode(in CopyCode) (kernel.Topic, []kernel.Effect) {
	if t.askIfReplaced(in) {
		return kernel.TopicNotice, nil
	}
	c, _ := t.needs.Codes.ToCopy(in.Challenge)
	t.needs.Codes.ForgetQuestion()
	topics := kernel.TopicSecrets
	if !c.Pending() {
		t.needs.Notices.Say(kernel.Warn, t.Lang.Tf("the code of %s has the unknown status “%s”: it may not be valid", string(c.Merchant), string(c.Status)))
		topics |= kernel.TopicNotice
	}
	name, amount := t.needs.Cards.Name(c.Card), " "+t.Lang.Dollars(c.Amount)
	digits, what := lastDigits(name), t.Lang.Tf("code for %s%s, ", string(c.Merchant), amount)
	seq := t.beginCopy(copyAsked{
		what: what + name, short: [4]string{what + digits, t.Lang.Tf("code%s %s", amount, digits), t.Lang.Tf("code %s", digits), t.Lang.T("code")},
		kind: t.Lang.T("code"), of: c.Origin(),
	})
	return topics, []kernel.Effect{CopyOTP{Seq: seq, Challenge: c.ID, OTP: c.OTP, TTL: min(t.Cfg.CopyCode, c.Left(t.ServerNow()))}}
}

func (t *Table) checkCode(in CopyCode) kernel.Verdict {
	_, ok := t.needs.Codes.ToCopy(in.Challenge)
	switch {
	case ok:
		return kernel.Verdict{}
	case in.Challenge != "":
		return kernel.Verdict{Reason: t.Lang.T("that code has ended: choose another")}
	}
	return kernel.Verdict{Reason: t.noCode()}
}

// sayReplaced shows a notice that the clipboard holds a replaced code.
func (t *Table) sayReplaced(by codes.Code) {
	t.copying.said = true
	t.needs.Notices.Say(kernel.Warn, t.Lang.Tf("replaced: the clipboard still holds the old code of %s", string(by.Merchant)))
}

// CopyOTP puts a challenge's code on the clipboard.
type CopyOTP struct {
	Seq       poll.Seq
	Challenge api.ChallengeID
	OTP       api.OTP
	TTL       time.Duration
	Own       bool // Nothing else holds the digits: they are wiped once they are copied.
}

func (CopyOTP) Effect() {}

// CopyOther asks to copy the code of an account that is not the one on the screen.
type CopyOther struct {
	// Account and Card name what it is of.
	Account, Card string
	// Challenge has just been read. Its code is copied or wiped.
	Challenge api.Challenge
	Left      time.Duration
}

// Wipe overwrites a code that is not copied.
func (in CopyOther) Wipe() { in.Challenge.OTP.Wipe() }

func (in CopyOther) Check(t *Table) kernel.Verdict {
	switch {
	case codes.Over(in.Challenge.Status), in.Left <= 0:
		return kernel.Verdict{Reason: t.Lang.Tf("that code of %s has ended", in.Account)}
	case in.Challenge.OTP.IsZero():
		return kernel.Verdict{Reason: t.Lang.Tf("the code of %s has no digits yet: press again", in.Account)}
	}
	return kernel.Verdict{}
}

func (in CopyOther) Start(t *Table) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicSecrets, t.copyOther(in)
}

func (t *Table) copyOther(in CopyOther) []kernel.Effect {
	c := in.Challenge
	charge := string(c.Merchant)
	if c.Amount != nil {
		charge += " " + t.Lang.Dollars(*c.Amount)
	}
	digits, of := lastDigits(in.Card), t.Lang.Tf("code of %s · ", in.Account)
	seq := t.beginCopy(copyAsked{
		what: of + in.Card + ", " + charge, kind: t.Lang.T("code"), account: in.Account,
		short: [4]string{of + digits + ", " + charge, t.Lang.Tf("code of %s %s", in.Account, digits), t.Lang.Tf("code %s", digits), t.Lang.T("code")},
	})
	return []kernel.Effect{CopyOTP{Seq: seq, OTP: c.OTP, TTL: min(t.Cfg.CopyCode, in.Left), Own: true}}
}
