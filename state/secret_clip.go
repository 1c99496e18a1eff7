package state

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/copytext"
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

// CopyAddress copies the deposit address of a currency.
type CopyAddress struct{ Currency api.Currency }

func (in CopyAddress) Check(t *SecretsTable) kernel.Verdict {
	return t.needs.Wallets.CheckCopy(in.Currency)
}

func (in CopyAddress) Start(t *SecretsTable) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicSecrets, t.copyAddress(in)
}

func (CopyAddress) Least() team.Role { return team.Admin }

func (t *SecretsTable) copyAddress(in CopyAddress) []kernel.Effect {
	a, _ := t.needs.Wallets.Address(in.Currency)
	return t.Copy(CopyText{What: t.Lang.Tf("%s address", string(in.Currency)), Text: string(a.Address)})
}

// copyByTemplate copies a card by the template, once its details are held.
func (t *SecretsTable) copyByTemplate(id api.CardID) []kernel.Effect {
	parts := copytext.Parse(t.Cfg.CopyTemplate)
	ttl := t.Cfg.CopyNumber
	c, _ := t.needs.Cards.Get(id)
	for i, p := range parts {
		switch p.Field {
		case copytext.CVV:
			ttl = min(ttl, t.Cfg.CopyCVV)
		case copytext.Label:
			parts[i] = copytext.Part{Text: string(c.Label)}
		default:
		}
	}
	name := t.needs.Cards.Name(id)
	seq := t.beginCopy(copyAsked{what: t.Lang.Tf("all of %s", name), short: [4]string{t.Lang.Tf("all of %s", lastDigits(name))}, kind: t.Lang.T("a card")})
	t.markCopied()
	return []kernel.Effect{CopyCard{Seq: seq, Card: id, Parts: parts, TTL: ttl}}
}

// FindManagers asks which clipboard managers run, soon and every so often. It reads of all
// processes: at the start the first frames go first.
func (t *SecretsTable) FindManagers(now time.Time) {
	b := &t.managers
	if b.due.IsZero() {
		b.due = now.Add(managersFirst)
	}
	if t.Cfg.Screen == nil || !t.Cfg.Screen.FindManagers || b.asked || now.Before(b.due) {
		return
	}
	b.asked, b.due = true, now.Add(managersEvery)
	t.Wants = append(t.Wants, FindManagers{})
}

// FindManagers finds clipboard managers that save what is copied.
type FindManagers struct{}

func (FindManagers) Effect() {}

func (t *SecretsTable) managersFound(ev ManagersFound) kernel.Topic {
	t.managers.asked, t.managers.names = false, ev.Names
	// One that has started since the copy saves it all the same.
	t.clip.Keepers = t.managersThatSave(t.clip.State, t.clip.hinted)
	return kernel.TopicSecrets | t.sayManagers(t.clip.Keepers)
}

// managersThatSave names the clipboard managers that may save a copy: those that run,
// unless they were asked not to, or it went to a terminal, which may be
// on another machine.
func (t *SecretsTable) managersThatSave(state ClipState, hinted bool) string {
	if state != ClipCopied || hinted {
		return ""
	}
	names := make([]string, 0, len(t.managers.names))
	for _, n := range t.managers.names {
		names = append(names, string(n))
	}
	return strings.Join(names, ", ")
}

// sayManagers shows a notice once for each manager that may save what is copied.
func (t *SecretsTable) sayManagers(keepers string) kernel.Topic {
	b, news := &t.managers, false
	if keepers == "" {
		return 0
	}
	for _, name := range b.names {
		if !slices.Contains(b.said, name) {
			b.said, news = append(b.said, name), true
		}
	}
	if !news {
		return 0
	}
	text := keepers + " may save what is copied in its history: it cannot be told not to"
	t.needs.Notices.SayNext(kernel.Warn, text) // The notice on the screen is about the copy itself.
	return kernel.TopicNotice
}

func (t *SecretsTable) CopySigningSecret() []kernel.Effect {
	webhook, name := t.needs.Webhooks.SigningHeld()
	seq := t.beginCopy(copyAsked{signing: webhook, kind: t.Lang.T("signing secret"), short: [4]string{t.Lang.T("signing secret")}, what: t.Lang.Tf("signing secret of %s", name)})
	return []kernel.Effect{CopySigning{Seq: seq, Webhook: webhook, TTL: t.Cfg.CopyNumber}}
}

// Clip reports on the clipboard.
func (t *SecretsTable) Clip() Clip {
	c := t.clip
	c.Changed = c.Challenge != "" && t.needs.Codes.DigitsChanged(c.of)
	c.Replaced = c.Changed || t.needs.Codes.Replaced(c.Challenge)
	if c.What = t.onClip(); t.needs.Privacy.Private() {
		c.Short = [4]string{}
	}
	return c
}

// onClip names what is on the clipboard as far as it may be read.
func (t *SecretsTable) onClip() string {
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
func (t *SecretsTable) beginCopy(c copyAsked) poll.Seq {
	t.dropCopy()
	c.seq = t.NextSeq()
	t.copying = c
	return c.seq
}

func (t *SecretsTable) copyNext(id api.CardID) []kernel.Effect {
	if t.continueRing(id) {
		return t.copyField(id)
	}
	return t.askToCopy(id, copyRing)
}

// copyChosen copies one field; the ring goes on behind it.
func (t *SecretsTable) copyChosen(in CopyField) []kernel.Effect {
	var effects []kernel.Effect
	held := t.holds(in.Card)
	if !held {
		effects = t.askToCopy(in.Card, copyRing)
	}
	t.setNextField(in.Field)
	if held {
		return t.copyField(in.Card)
	}
	return effects
}

// copyAll copies a card by the template.
func (t *SecretsTable) copyAll(id api.CardID) []kernel.Effect {
	if t.holds(id) {
		return t.copyByTemplate(id)
	}
	return t.askToCopy(id, copyTemplate)
}

func (t *SecretsTable) copyField(id api.CardID) []kernel.Effect {
	f := t.nextField()
	name, kind := t.needs.Cards.Name(id), t.Lang.T(f.String())
	seq := t.beginCopy(copyAsked{what: fmt.Sprintf(t.Lang.Tc("copied", "%s of %s"), kind, name), short: [4]string{kind + " " + name, kind + " " + lastDigits(name), kind}, kind: kind, field: f, ring: true})
	ttl := t.Cfg.CopyNumber
	if f == FieldCVV {
		ttl = t.Cfg.CopyCVV
	}
	return []kernel.Effect{CopyDetail{Seq: seq, Card: id, Field: f, TTL: ttl}}
}

// nothingCopied says that a field is empty, and which the ring is at.
func (t *SecretsTable) nothingCopied(ev ClipChanged) kernel.Topic {
	text := t.Lang.T("there is nothing to copy")
	if t.copying.seq == ev.Seq && t.copying.ring {
		text = t.Lang.Tf("this card has no %s; next is the %s", t.copying.kind, t.Lang.T(t.upNext().String()))
	}
	t.needs.Notices.Say(kernel.Warn, text)
	return kernel.TopicSecrets | kernel.TopicNotice
}

// noCode says why there is no code to copy.
func (t *SecretsTable) noCode() string {
	if src := t.needs.Lanes.Source(poll.Codes); src.Err != nil || src.Stale(t.Time) {
		return t.Lang.T("no code is known, and codes cannot be read now: they are asked for again by themselves")
	}
	return t.Lang.T("no code is waiting")
}

// askIfReplaced asks once more before a code is copied that a newer one of the same
// card and merchant has most likely ended.
func (t *SecretsTable) askIfReplaced(in CopyCode) bool {
	c, ok := t.needs.Codes.ToCopy(in.Challenge)
	if !ok || !c.Replaced || !t.needs.Codes.MustConfirmReplaced(c.ID) {
		return false
	}
	t.needs.Notices.Say(kernel.Warn, t.Lang.Tf("replaced: %s asked again since; the same key once more copies this older code", string(c.Merchant)))
	return true
}

func (t *SecretsTable) copyCode(in CopyCode) (kernel.Topic, []kernel.Effect) {
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

// ClipMissing reports whether the last copy found no clipboard in reach.
func (t *SecretsTable) ClipMissing() bool { return t.noTool }

// managersEvery is how often clipboard managers are searched for, and managersFirst how
// long after the start.
const (
	managersEvery = time.Minute
	managersFirst = time.Second
)

// managers is what is known of the clipboard managers that run.
type managers struct {
	names []api.Text
	due   time.Time // when to find them next
	asked bool
	said  []api.Text // those there was a notice of
}

func (t *SecretsTable) checkCode(in CopyCode) kernel.Verdict {
	_, ok := t.needs.Codes.ToCopy(in.Challenge)
	switch {
	case ok:
		return kernel.Verdict{}
	case in.Challenge != "":
		return kernel.Verdict{Reason: t.Lang.T("that code has ended: choose another")}
	}
	return kernel.Verdict{Reason: t.noCode()}
}

// shownCopy is how long a request that was copied stays on the clipboard: it
// is no secret.
const shownCopy = 2 * time.Minute

// Copy copies text that is no secret.
func (t *SecretsTable) Copy(in CopyText) []kernel.Effect {
	seq := t.beginCopy(copyAsked{what: in.What, kind: t.Lang.T("text")})
	return []kernel.Effect{CopyPlain{Seq: seq, Text: in.Text, TTL: shownCopy}}
}

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

// sayReplaced shows a notice that the clipboard holds a replaced code.
func (t *SecretsTable) sayReplaced(by codes.Code) {
	t.copying.said = true
	t.needs.Notices.Say(kernel.Warn, t.Lang.Tf("replaced: the clipboard still holds the old code of %s", string(by.Merchant)))
}

// onClipboard reports whether the clipboard has a code, or is about to.
func (t *SecretsTable) onClipboard(id api.ChallengeID) bool {
	if t.copying.of.ID != id {
		return false
	}
	underWay := t.clip.seq != t.copying.seq
	return underWay || t.clip.State == ClipCopied || t.clip.State == ClipSent
}
