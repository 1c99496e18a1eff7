package state

import (
	"errors"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/copytext"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/team"
)

// HoldDetails puts details into the vault.
type HoldDetails struct{ Details *api.CardDetails }

// CopyPlain puts text on the clipboard that is no secret.
type CopyPlain struct {
	Seq  poll.Seq
	Text string
	TTL  time.Duration
}

// CopyDetail puts one field of the held details on the clipboard.
type CopyDetail struct {
	Seq   poll.Seq
	Card  api.CardID
	Field Field
	TTL   time.Duration
}

// CopyCard puts parts of the held details on the clipboard, joined.
type CopyCard struct {
	Seq   poll.Seq
	Card  api.CardID
	Parts []copytext.Part
	TTL   time.Duration
}

// CopyOTP puts a challenge's code on the clipboard.
type CopyOTP struct {
	Seq       poll.Seq
	Challenge api.ChallengeID
	OTP       api.OTP
	TTL       time.Duration
	Own       bool // Nothing else holds the digits: they are wiped once they are copied.
}

func (CopyPlain) Effect() {}

func (CopyDetail) Effect() {}

func (CopyCard) Effect() {}

func (CopyOTP) Effect() {}

func (HoldDetails) Effect() {}

// DetailsLoaded are a card's details, for the vault. They cannot be printed;
// the receiver stores them or wipes them.
type DetailsLoaded struct {
	FetchDetails
	kernel.Meta
	Details *api.CardDetails
}

// Apply puts details into the vault when they are still wanted. Those
// are not waited for any more are overwritten at once.
func (ev DetailsLoaded) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	h := &s.Secrets.held
	if h.asked != ev.Seq {
		ev.Details.Wipe()
		return 0, nil
	}
	h.asked = 0
	if !h.wanted() {
		ev.Details.Wipe()
		*h = heldDetails{}
		return kernel.TopicSecrets, nil
	}
	h.card = ev.Card
	out := []kernel.Effect{HoldDetails{Details: ev.Details}}
	if h.toReveal {
		s.Secrets.show(ev.Card)
	}
	switch h.toCopy {
	case copyRing:
		out = append(out, s.Clip.copyField(ev.Card)...)
	case copyTemplate:
		out = append(out, s.Clip.copyByTemplate(ev.Card)...)
	case copyNothing:
	}
	h.toReveal, h.toCopy = false, copyNothing
	return kernel.TopicSecrets, out
}

// ManagersFound names the clipboard managers that run; nothing where none is
// known to.
type ManagersFound struct {
	kernel.Meta
	Names []api.Text
}

func (ev ManagersFound) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	return s.Clip.managersFound(ev), nil
}

// RevealCard requests the next step of showing a card's details: number and
// expiry, then the CVV as well, then hidden again.
type RevealCard struct{ Card api.CardID }

func (in RevealCard) Check(s *Store) kernel.Verdict { return s.Cards.checkDetails(in.Card) }

func (in RevealCard) Start(s *Store) (kernel.Topic, []kernel.Effect) { return s.revealNext(in.Card) }

func (RevealCard) Least() team.Role { return team.Buyer }

func (in RevealCard) Hidden(s *Store) string {
	if s.Secrets.reveal.Card == in.Card {
		return ""
	}
	return s.Lang.T("private: y copies the number, P shows what is hidden")
}

func (s *Store) revealNext(id api.CardID) (kernel.Topic, []kernel.Effect) {
	if s.Privacy.AskIfRecorded(id, s.Secrets.reveal.Card == id) {
		return kernel.TopicNotice, nil
	}
	r := &s.Secrets.reveal
	switch {
	case r.Card == id && r.Waiting:
		return 0, nil
	case r.Card == id && r.CVV:
		return s.Secrets.hide()
	case r.Card == id:
		r.CVV = true
		r.From, r.Until = s.Time, s.Time.Add(s.Cfg.Reveal)
		return kernel.TopicSecrets, nil
	case s.Secrets.holds(id):
		s.Secrets.show(id)
		return kernel.TopicSecrets, nil
	}
	effects := s.Secrets.ask(id)
	s.Secrets.held.toReveal = true
	s.Secrets.reveal = Reveal{Card: id, Waiting: true}
	return kernel.TopicSecrets, effects
}

// HideSecrets asks that nothing sensitive is on the screen. Forget asks that
// nothing is in memory either, not even for a copy ring that is under way.
type HideSecrets struct{ Forget bool }

func (in HideSecrets) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	topics, effects := s.Secrets.hide()
	if in.Forget {
		effects = append(effects, s.Secrets.wipe()...)
	}
	return topics, effects
}

func (HideSecrets) WhileLocked() {}

// CopyNext asks to copy the next field of a card's ring.
type CopyNext struct{ Card api.CardID }

func (in CopyNext) Check(s *Store) kernel.Verdict { return s.Cards.checkDetails(in.Card) }

func (in CopyNext) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicSecrets, s.Clip.copyNext(in.Card)
}

func (CopyNext) Least() team.Role { return team.Buyer }

// CopyField asks to copy one field of a card's ring.
type CopyField struct {
	Card  api.CardID
	Field Field
}

func (in CopyField) Check(s *Store) kernel.Verdict { return s.Cards.checkDetails(in.Card) }

func (in CopyField) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicSecrets, s.Clip.copyChosen(in)
}

func (CopyField) Least() team.Role { return team.Buyer }

// CopyWhole asks to copy a card by the template of the configuration.
type CopyWhole struct{ Card api.CardID }

func (in CopyWhole) Check(s *Store) kernel.Verdict { return s.Cards.checkDetails(in.Card) }

func (in CopyWhole) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicSecrets, s.Clip.copyAll(in.Card)
}

func (CopyWhole) Least() team.Role { return team.Buyer }

// ChooseField asks which field of a card is to be copied.
type ChooseField struct{ Card api.CardID }

func (in ChooseField) Check(s *Store) kernel.Verdict { return s.Cards.checkDetails(in.Card) }

func (ChooseField) Least() team.Role { return team.Buyer }

// CopyText asks to copy text that is no secret; What names it.
type CopyText struct{ What, Text string }

func (in CopyText) Check(s *Store) kernel.Verdict {
	if in.Text == "" {
		return kernel.Verdict{Reason: s.Lang.Tf("there is no %s to copy", in.What)}
	}
	return kernel.Verdict{}
}

func (in CopyText) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicSecrets, s.Clip.copyText(in)
}

// copied sets what is on the clipboard and says what left it, or why
// nothing was put there. What an earlier copy left is still there when a
// later one fails.
func (s *Store) copied(ev ClipChanged) kernel.Topic {
	switch ev.State {
	case ClipNoTool, ClipFailed:
		return s.notCopied(ev)
	case ClipEmpty:
		return s.Clip.nothingCopied(ev)
	case ClipCopied, ClipSent:
		s.Clip.noTool = false
		if s.Clip.uncopied != "" && s.Notices.Current().Text == s.Clip.uncopied {
			s.Notices.Clear() // It is copied now.
		}
		if s.Clip.copying.seq == ev.Seq {
			s.Webhooks.signingCopied(s.Clip.copying.signing)
			s.Clip.clip = Clip{What: s.Clip.copying.what, State: ev.State, Short: s.Clip.copying.short, Until: ev.Until, seq: ev.Seq, kind: s.Clip.copying.kind, Challenge: s.Clip.copying.of.ID, of: s.Clip.copying.of, Via: ev.Via, Keepers: s.Clip.managersThatSave(ev.State, ev.Hinted), hinted: ev.Hinted}
			s.Clip.managers.due = s.Time // One may have started since.
			s.Clip.sayManagers(s.Clip.clip.Keepers)
			if !s.Codes.DigitsChanged(s.Clip.copying.of) {
				s.Codes.Copied(s.Clip.copying.of.ID, ev.At)
			}
		}
		return kernel.TopicSecrets | kernel.TopicCodes | kernel.TopicNotice
	default:
	}
	if s.Clip.clip.seq != ev.Seq {
		return 0
	}
	s.Clip.clip.State = ev.State
	switch ev.State {
	case ClipCleared:
		s.Notices.SayIfFree(kernel.Info, s.Lang.Tf("clipboard cleared: %s", s.Clip.onClip()))
	case ClipReplaced:
		s.Notices.SayIfFree(kernel.Info, s.Lang.Tf("clipboard now holds something else: %s is gone from it", s.Clip.onClip()))
	default:
	}
	return kernel.TopicSecrets | kernel.TopicNotice
}

// notCopied shows why nothing was put on the clipboard. A code is shown large
// in its stead; what to install for it is said once.
func (s *Store) notCopied(ev ClipChanged) kernel.Topic {
	var code codes.Code
	account := ""
	if s.Clip.copying.seq == ev.Seq {
		account = s.Clip.copying.account
		code, _ = s.Codes.Find(s.Clip.copying.of.ID)
		s.Clip.copying.of = codes.Origin{}
		if s.Clip.copying.ring {
			s.Secrets.held.next = s.Clip.copying.field
		}
	}
	missing := s.Clip.noTool
	s.Clip.noTool = ev.State == ClipNoTool
	s.Clip.uncopied = s.Lang.Tf("not copied: %s", ev.Hint)
	if account != "" { // Its digits are held nowhere.
		s.Clip.uncopied = s.Lang.Tf("code of %s not copied: switch there to read it: %s", account, ev.Hint)
	}
	if code.ID == "" || s.Privacy.Private() {
		s.Notices.Say(kernel.Bad, s.Clip.uncopied)
		return kernel.TopicSecrets | kernel.TopicNotice
	}
	s.Codes.ShowLarge(&code)
	s.Codes.Claim(code.ID)
	switch {
	case ev.State != ClipNoTool:
		s.Notices.Say(kernel.Bad, s.Clip.uncopied)
	case !missing:
		s.Clip.uncopied = s.Lang.Tf("%s; read the code here", ev.Hint)
		s.Notices.Say(kernel.Warn, s.Clip.uncopied)
	}
	return kernel.TopicSecrets | kernel.TopicCodes | kernel.TopicNotice
}

func (ev ClipChanged) Apply(s *Store) (kernel.Topic, []kernel.Effect) { return s.copied(ev), nil }

func (f FetchDetails) Failed(s *Store, e kernel.Failure) kernel.Topic {
	limited := e.Deferred || errors.Is(e.Err, api.ErrRateLimited) && e.Wait > 0
	if limited && e.Wait <= detailsWait {
		return s.Secrets.pacing(f.Seq, e.Wait)
	}
	s.Secrets.detailsFailed(f.Seq)
	if e.Deferred {
		s.Notices.Say(kernel.Warn, s.Lang.Tf("the request limit is used up: try again in %s", s.Lang.Seconds(e.Wait)))
		return kernel.TopicNotice | kernel.TopicSecrets
	}
	s.Notices.Say(kernel.Bad, s.Lang.Tf("cannot read the details of %s: %s", s.Cards.name(f.Card), errtext.Explain(s.Lang, e.Err)))
	return kernel.TopicNotice | kernel.TopicSecrets | kernel.TopicInspector
}

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

func (in CopyOther) Check(s *Store) kernel.Verdict {
	switch {
	case codes.Over(in.Challenge.Status), in.Left <= 0:
		return kernel.Verdict{Reason: s.Lang.Tf("that code of %s has ended", in.Account)}
	case in.Challenge.OTP.IsZero():
		return kernel.Verdict{Reason: s.Lang.Tf("the code of %s has no digits yet: press again", in.Account)}
	}
	return kernel.Verdict{}
}

func (in CopyOther) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicSecrets, s.Clip.copyOther(in)
}

func (cl *ClipTable) copyOther(in CopyOther) []kernel.Effect {
	c := in.Challenge
	charge := string(c.Merchant)
	if c.Amount != nil {
		charge += " " + cl.Lang.Dollars(*c.Amount)
	}
	digits, of := lastDigits(in.Card), cl.Lang.Tf("code of %s · ", in.Account)
	seq := cl.beginCopy(copyAsked{
		what: of + in.Card + ", " + charge, kind: cl.Lang.T("code"), account: in.Account,
		short: [4]string{of + digits + ", " + charge, cl.Lang.Tf("code of %s %s", in.Account, digits), cl.Lang.Tf("code %s", digits), cl.Lang.T("code")},
	})
	return []kernel.Effect{CopyOTP{Seq: seq, OTP: c.OTP, TTL: min(cl.Cfg.CopyCode, in.Left), Own: true}}
}
