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

// HoldSigning puts a signing secret into the vault, and on a dialog of its own.
type HoldSigning struct {
	Webhook api.WebhookID
	Secret  api.SigningSecret
}

func (HoldSigning) Effect() {}

// CopySigning puts the held signing secret on the clipboard.
type CopySigning struct {
	Seq     poll.Seq
	Webhook api.WebhookID
	TTL     time.Duration
}

func (CopySigning) Effect() {}

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
func (ev DetailsLoaded) Apply(t *SecretsTable) (kernel.Topic, []kernel.Effect) {
	h := &t.held
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
		t.show(ev.Card)
	}
	switch h.toCopy {
	case copyRing:
		out = append(out, t.copyField(ev.Card)...)
	case copyTemplate:
		out = append(out, t.copyByTemplate(ev.Card)...)
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

func (ev ManagersFound) Apply(t *SecretsTable) (kernel.Topic, []kernel.Effect) {
	return t.managersFound(ev), nil
}

// RevealCard requests the next step of showing a card's details: number and
// expiry, then the CVV as well, then hidden again.
type RevealCard struct{ Card api.CardID }

func (in RevealCard) Check(t *SecretsTable) kernel.Verdict {
	return t.needs.Cards.CheckDetails(in.Card)
}

func (in RevealCard) Start(t *SecretsTable) (kernel.Topic, []kernel.Effect) {
	return t.revealNext(in.Card)
}

func (RevealCard) Least() team.Role { return team.Buyer }

func (in RevealCard) Hidden(t *SecretsTable) string {
	if t.reveal.Card == in.Card {
		return ""
	}
	return t.Lang.T("private: y copies the number, P shows what is hidden")
}

func (t *SecretsTable) revealNext(id api.CardID) (kernel.Topic, []kernel.Effect) {
	if t.needs.Privacy.AskIfRecorded(id, t.reveal.Card == id) {
		return kernel.TopicNotice, nil
	}
	r := &t.reveal
	switch {
	case r.Card == id && r.Waiting:
		return 0, nil
	case r.Card == id && r.CVV:
		return t.Hide()
	case r.Card == id:
		r.CVV = true
		r.From, r.Until = t.Time, t.Time.Add(t.Cfg.Reveal)
		return kernel.TopicSecrets, nil
	case t.holds(id):
		t.show(id)
		return kernel.TopicSecrets, nil
	}
	effects := t.ask(id)
	t.held.toReveal = true
	t.reveal = Reveal{Card: id, Waiting: true}
	return kernel.TopicSecrets, effects
}

// HideSecrets asks that nothing sensitive is on the screen. Forget asks that
// nothing is in memory either, not even for a copy ring that is under way.
type HideSecrets struct{ Forget bool }

func (in HideSecrets) Start(t *SecretsTable) (kernel.Topic, []kernel.Effect) {
	topics, effects := t.Hide()
	if in.Forget {
		effects = append(effects, t.Wipe()...)
	}
	return topics, effects
}

func (HideSecrets) WhileLocked() {}

// CopyNext asks to copy the next field of a card's ring.
type CopyNext struct{ Card api.CardID }

func (in CopyNext) Check(t *SecretsTable) kernel.Verdict { return t.needs.Cards.CheckDetails(in.Card) }

func (in CopyNext) Start(t *SecretsTable) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicSecrets, t.copyNext(in.Card)
}

func (CopyNext) Least() team.Role { return team.Buyer }

// CopyField asks to copy one field of a card's ring.
type CopyField struct {
	Card  api.CardID
	Field Field
}

func (in CopyField) Check(t *SecretsTable) kernel.Verdict { return t.needs.Cards.CheckDetails(in.Card) }

func (in CopyField) Start(t *SecretsTable) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicSecrets, t.copyChosen(in)
}

func (CopyField) Least() team.Role { return team.Buyer }

// CopyWhole asks to copy a card by the template of the configuration.
type CopyWhole struct{ Card api.CardID }

func (in CopyWhole) Check(t *SecretsTable) kernel.Verdict { return t.needs.Cards.CheckDetails(in.Card) }

func (in CopyWhole) Start(t *SecretsTable) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicSecrets, t.copyAll(in.Card)
}

func (CopyWhole) Least() team.Role { return team.Buyer }

// ChooseField asks which field of a card is to be copied.
type ChooseField struct{ Card api.CardID }

func (in ChooseField) Check(t *SecretsTable) kernel.Verdict {
	return t.needs.Cards.CheckDetails(in.Card)
}

func (ChooseField) Least() team.Role { return team.Buyer }

// CopyText asks to copy text that is no secret; What names it.
type CopyText struct{ What, Text string }

func (in CopyText) Check(t *SecretsTable) kernel.Verdict {
	if in.Text == "" {
		return kernel.Verdict{Reason: t.Lang.Tf("there is no %s to copy", in.What)}
	}
	return kernel.Verdict{}
}

func (in CopyText) Start(t *SecretsTable) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicSecrets, t.Copy(in)
}

// copied sets what is on the clipboard and says what left it, or why
// nothing was put there. What an earlier copy left is still there when a
// later one fails.
func (t *SecretsTable) copied(ev ClipChanged) kernel.Topic {
	switch ev.State {
	case ClipNoTool, ClipFailed:
		return t.notCopied(ev)
	case ClipEmpty:
		return t.nothingCopied(ev)
	case ClipCopied, ClipSent:
		t.noTool = false
		if t.uncopied != "" && t.needs.Notices.Current().Text == t.uncopied {
			t.needs.Notices.Clear() // It is copied now.
		}
		if t.copying.seq == ev.Seq {
			t.needs.Webhooks.SigningCopied(t.copying.signing)
			t.clip = Clip{What: t.copying.what, State: ev.State, Short: t.copying.short, Until: ev.Until, seq: ev.Seq, kind: t.copying.kind, Challenge: t.copying.of.ID, of: t.copying.of, Via: ev.Via, Keepers: t.managersThatSave(ev.State, ev.Hinted), hinted: ev.Hinted}
			t.managers.due = t.Time // One may have started since.
			t.sayManagers(t.clip.Keepers)
			if !t.needs.Codes.DigitsChanged(t.copying.of) {
				t.needs.Codes.Copied(t.copying.of.ID, ev.At)
			}
		}
		return kernel.TopicSecrets | kernel.TopicCodes | kernel.TopicNotice
	default:
	}
	if t.clip.seq != ev.Seq {
		return 0
	}
	t.clip.State = ev.State
	switch ev.State {
	case ClipCleared:
		t.needs.Notices.SayIfFree(kernel.Info, t.Lang.Tf("clipboard cleared: %s", t.onClip()))
	case ClipReplaced:
		t.needs.Notices.SayIfFree(kernel.Info, t.Lang.Tf("clipboard now holds something else: %s is gone from it", t.onClip()))
	default:
	}
	return kernel.TopicSecrets | kernel.TopicNotice
}

// notCopied shows why nothing was put on the clipboard. A code is shown large
// in its stead; what to install for it is said once.
func (t *SecretsTable) notCopied(ev ClipChanged) kernel.Topic {
	var code codes.Code
	account := ""
	if t.copying.seq == ev.Seq {
		account = t.copying.account
		code, _ = t.needs.Codes.Find(t.copying.of.ID)
		t.copying.of = codes.Origin{}
		if t.copying.ring {
			t.held.next = t.copying.field
		}
	}
	missing := t.noTool
	t.noTool = ev.State == ClipNoTool
	t.uncopied = t.Lang.Tf("not copied: %s", ev.Hint)
	if account != "" { // Its digits are held nowhere.
		t.uncopied = t.Lang.Tf("code of %s not copied: switch there to read it: %s", account, ev.Hint)
	}
	if code.ID == "" || t.needs.Privacy.Private() {
		t.needs.Notices.Say(kernel.Bad, t.uncopied)
		return kernel.TopicSecrets | kernel.TopicNotice
	}
	t.needs.Codes.ShowLarge(&code)
	t.needs.Codes.Claim(code.ID)
	switch {
	case ev.State != ClipNoTool:
		t.needs.Notices.Say(kernel.Bad, t.uncopied)
	case !missing:
		t.uncopied = t.Lang.Tf("%s; read the code here", ev.Hint)
		t.needs.Notices.Say(kernel.Warn, t.uncopied)
	}
	return kernel.TopicSecrets | kernel.TopicCodes | kernel.TopicNotice
}

func (ev ClipChanged) Apply(t *SecretsTable) (kernel.Topic, []kernel.Effect) {
	return t.copied(ev), nil
}

func (f FetchDetails) Failed(t *SecretsTable, e kernel.Failure) kernel.Topic {
	limited := e.Deferred || errors.Is(e.Err, api.ErrRateLimited) && e.Wait > 0
	if limited && e.Wait <= detailsWait {
		return t.pacing(f.Seq, e.Wait)
	}
	t.detailsFailed(f.Seq)
	if e.Deferred {
		t.needs.Notices.Say(kernel.Warn, t.Lang.Tf("the request limit is used up: try again in %s", t.Lang.Seconds(e.Wait)))
		return kernel.TopicNotice | kernel.TopicSecrets
	}
	t.needs.Notices.Say(kernel.Bad, t.Lang.Tf("cannot read the details of %s: %s", t.needs.Cards.Name(f.Card), errtext.Explain(t.Lang, e.Err)))
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

func (in CopyOther) Check(t *SecretsTable) kernel.Verdict {
	switch {
	case codes.Over(in.Challenge.Status), in.Left <= 0:
		return kernel.Verdict{Reason: t.Lang.Tf("that code of %s has ended", in.Account)}
	case in.Challenge.OTP.IsZero():
		return kernel.Verdict{Reason: t.Lang.Tf("the code of %s has no digits yet: press again", in.Account)}
	}
	return kernel.Verdict{}
}

func (in CopyOther) Start(t *SecretsTable) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicSecrets, t.copyOther(in)
}

func (t *SecretsTable) copyOther(in CopyOther) []kernel.Effect {
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
