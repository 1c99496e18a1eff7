package secrets

import (
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/team"
)

// ClipState is the state of what was put on the clipboard.
type ClipState uint8

// The states of the clipboard.
const (
	ClipNone ClipState = iota
	ClipCopied
	ClipSent // to the terminal; whether it arrived is unknown
	ClipCleared
	ClipReplaced
	ClipStuck
	ClipNoTool
	ClipFailed
	ClipEmpty // there was nothing to copy
)

// Clip is what of ours is on the clipboard.
type Clip struct {
	// What names it in words, never in digits.
	What string
	// Short says it in fewer and fewer words, as many as there are.
	Short [4]string
	State ClipState
	Until time.Time
	// Via is how it was copied, Keepers the clipboard managers that may save it;
	// empty when nothing is known.
	Via, Keepers string
	hinted       bool
	// Challenge is the code's, empty for anything else. Replaced says that
	// another has replaced that, or its own digits are others since, which Changed says.
	Challenge api.ChallengeID
	Replaced  bool
	Changed   bool

	of   codes.Origin
	seq  poll.Seq
	kind string // what it is, without a name
}

// Clip reports on the clipboard.
func (t *Table) Clip() Clip {
	c := t.clip
	c.Changed = c.Challenge != "" && t.needs.Codes.DigitsChanged(c.of)
	c.Replaced = c.Changed || t.needs.Codes.Replaced(c.Challenge)
	if c.What = t.onClip(); t.needs.Privacy.Private() {
		c.Short = [4]string{}
	}
	return c
}

// onClip names what is on the clipboard as far as it may be read.
func (t *Table) onClip() string {
	if t.needs.Privacy.Private() {
		return t.clip.kind
	}
	return t.clip.What
}

// lastDigits is the end of a card's name, which distinguishes cards; what has no
// digits stays as it is.
func lastDigits(name string) string {
	return name[max(0, strings.LastIndex(name, "••")):]
}

// copyAsked is the copy asked for last, until its outcome is known.
type copyAsked struct {
	seq poll.Seq
	// what names it, short in fewer words, kind says only what it is.
	what, kind string
	short      [4]string
	// field is what of the ring it copies; ring says that it is of the ring.
	field Field
	ring  bool
	// of is the code it copies; none when it copies something else, or the code of
	// another account.
	of      codes.Origin
	account string
	// signing is the webhook whose signing secret it copies.
	signing api.WebhookID
	// said and saidChanged report whether a notice said that another code has replaced it,
	// or that it has other digits.
	said, saidChanged bool
}

// beginCopy numbers a copy. What an earlier one still waits for is not copied
// any more: the clipboard holds what was asked for last.
func (t *Table) beginCopy(c copyAsked) poll.Seq {
	t.dropCopy()
	c.seq = t.NextSeq()
	t.copying = c
	return c.seq
}

// nothingCopied says that a field is empty, and which the ring is at.
func (t *Table) nothingCopied(ev ClipChanged) kernel.Topic {
	text := t.Lang.T("there is nothing to copy")
	if t.copying.seq == ev.Seq && t.copying.ring {
		text = t.Lang.Tf("this card has no %s; next is the %s", t.copying.kind, t.Lang.T(t.upNext().String()))
	}
	t.needs.Notices.Say(kernel.Warn, text)
	return kernel.TopicSecrets | kernel.TopicNotice
}

// ClipMissing reports whether the last copy found no clipboard in reach.
func (t *Table) ClipMissing() bool { return t.noTool }

// ClipChanged says what came of putting something on the clipboard, or of taking
// it off again.
type ClipChanged struct {
	// Seq is that of the copy's effect.
	Seq   poll.Seq
	At    time.Time
	State ClipState
	Until time.Time
	// Via is how it was copied. Hinted says that clipboard managers were asked
	// to save nothing of it.
	Via    string
	Hinted bool
	// Hint is in one line what to do when it could not be done.
	Hint string
}

// Head implements Event.
func (ClipChanged) Head() kernel.Meta { return kernel.Meta{} }

// onClipboard reports whether the clipboard has a code, or is about to.
func (t *Table) onClipboard(id api.ChallengeID) bool {
	if t.copying.of.ID != id {
		return false
	}
	underWay := t.clip.seq != t.copying.seq
	return underWay || t.clip.State == ClipCopied || t.clip.State == ClipSent
}

// copied sets what is on the clipboard and says what left it, or why
// nothing was put there. What an earlier copy left is still there when a
// later one fails.
func (t *Table) copied(ev ClipChanged) kernel.Topic {
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
func (t *Table) notCopied(ev ClipChanged) kernel.Topic {
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

func (ev ClipChanged) Apply(t *Table) (kernel.Topic, []kernel.Effect) {
	return t.copied(ev), nil
}

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

// CopyPlain puts text on the clipboard that is no secret.
type CopyPlain struct {
	Seq  poll.Seq
	Text string
	TTL  time.Duration
}

func (CopyPlain) Effect() {}

// CopyText asks to copy text that is no secret; What names it.
type CopyText struct{ What, Text string }

func (in CopyText) Check(t *Table) kernel.Verdict {
	if in.Text == "" {
		return kernel.Verdict{Reason: t.Lang.Tf("there is no %s to copy", in.What)}
	}
	return kernel.Verdict{}
}

func (in CopyText) Start(t *Table) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicSecrets, t.Copy(in)
}

// CopyAddress copies the deposit address of a currency.
type CopyAddress struct{ Currency api.Currency }

func (in CopyAddress) Check(t *Table) kernel.Verdict {
	return t.needs.Wallets.CheckCopy(in.Currency)
}

func (in CopyAddress) Start(t *Table) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicSecrets, t.copyAddress(in)
}

func (CopyAddress) Least() team.Role { return team.Admin }

func (t *Table) copyAddress(in CopyAddress) []kernel.Effect {
	a, _ := t.needs.Wallets.Address(in.Currency)
	return t.Copy(CopyText{What: t.Lang.Tf("%s address", string(in.Currency)), Text: string(a.Address)})
}

// CopySigningSecret copies the signing secret that the vault has.
type CopySigningSecret struct{}

func (CopySigningSecret) Check(t *Table) kernel.Verdict { return t.needs.Webhooks.CheckSigning() }

func (CopySigningSecret) Start(t *Table) (kernel.Topic, []kernel.Effect) {
	id := t.needs.Webhooks.Signing().Webhook
	seq := t.beginCopy(copyAsked{
		signing: id, kind: t.Lang.T("signing secret"), short: [4]string{t.Lang.T("signing secret")},
		what: t.Lang.Tf("signing secret of %s", t.needs.Webhooks.SigningName()),
	})
	return kernel.TopicSecrets, []kernel.Effect{CopySigning{Seq: seq, Webhook: id, TTL: t.Cfg.CopyNumber}}
}

// shownCopy is how long a request that was copied stays on the clipboard: it
// is no secret.
const shownCopy = 2 * time.Minute

// Copy copies text that is no secret.
func (t *Table) Copy(in CopyText) []kernel.Effect {
	seq := t.beginCopy(copyAsked{what: in.What, kind: t.Lang.T("text")})
	return []kernel.Effect{CopyPlain{Seq: seq, Text: in.Text, TTL: shownCopy}}
}
