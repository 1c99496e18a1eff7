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
	"github.com/cardtop/cardtop/state/wallets"
)

// ClipTable holds what is on the clipboard, without its text.
type ClipTable struct {
	*kernel.Core
	privacy  *kernel.Privacy
	notices  *kernel.Notices
	cards    *CardsTable
	poll     *kernel.Lanes
	wallet   *wallets.Table
	webhooks *WebhooksTable
	codes    *codes.Table
	secrets  *SecretsTable
	clip     Clip
	copying  copyAsked
	noTool   bool // the last copy found no clipboard
	managers managers
	// uncopied is the notice of the last copy that failed.
	uncopied string
}

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

func (in CopyAddress) Check(s *Store) kernel.Verdict { return s.Wallets.CheckCopy(in.Currency) }

func (in CopyAddress) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicSecrets, s.Clip.copyAddress(in)
}

func (CopyAddress) Least() team.Role { return team.Admin }

func (cl *ClipTable) copyAddress(in CopyAddress) []kernel.Effect {
	a, _ := cl.wallet.Address(in.Currency)
	return cl.copyText(CopyText{What: cl.Lang.Tf("%s address", string(in.Currency)), Text: string(a.Address)})
}

// copyByTemplate copies a card by the template, once its details are held.
func (cl *ClipTable) copyByTemplate(id api.CardID) []kernel.Effect {
	parts := copytext.Parse(cl.Cfg.CopyTemplate)
	ttl := cl.Cfg.CopyNumber
	c, _ := cl.cards.Get(id)
	for i, p := range parts {
		switch p.Field {
		case copytext.CVV:
			ttl = min(ttl, cl.Cfg.CopyCVV)
		case copytext.Label:
			parts[i] = copytext.Part{Text: string(c.Label)}
		default:
		}
	}
	name := cl.cards.name(id)
	seq := cl.beginCopy(copyAsked{what: cl.Lang.Tf("all of %s", name), short: [4]string{cl.Lang.Tf("all of %s", lastDigits(name))}, kind: cl.Lang.T("a card")})
	cl.secrets.markCopied()
	return []kernel.Effect{CopyCard{Seq: seq, Card: id, Parts: parts, TTL: ttl}}
}

// findManagers asks which clipboard managers run, soon and every so often. It reads of all
// processes: at the start the first frames go first.
func (cl *ClipTable) findManagers(now time.Time) {
	b := &cl.managers
	if b.due.IsZero() {
		b.due = now.Add(managersFirst)
	}
	if cl.Cfg.Screen == nil || !cl.Cfg.Screen.FindManagers || b.asked || now.Before(b.due) {
		return
	}
	b.asked, b.due = true, now.Add(managersEvery)
	cl.Wants = append(cl.Wants, FindManagers{})
}

// FindManagers finds clipboard managers that save what is copied.
type FindManagers struct{}

func (FindManagers) Effect() {}

func (cl *ClipTable) managersFound(ev ManagersFound) kernel.Topic {
	cl.managers.asked, cl.managers.names = false, ev.Names
	// One that has started since the copy saves it all the same.
	cl.clip.Keepers = cl.managersThatSave(cl.clip.State, cl.clip.hinted)
	return kernel.TopicSecrets | cl.sayManagers(cl.clip.Keepers)
}

// managersThatSave names the clipboard managers that may save a copy: those that run,
// unless they were asked not to, or it went to a terminal, which may be
// on another machine.
func (cl *ClipTable) managersThatSave(state ClipState, hinted bool) string {
	if state != ClipCopied || hinted {
		return ""
	}
	names := make([]string, 0, len(cl.managers.names))
	for _, n := range cl.managers.names {
		names = append(names, string(n))
	}
	return strings.Join(names, ", ")
}

// sayManagers shows a notice once for each manager that may save what is copied.
func (cl *ClipTable) sayManagers(keepers string) kernel.Topic {
	b, news := &cl.managers, false
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
	cl.notices.SayNext(kernel.Warn, text) // The notice on the screen is about the copy itself.
	return kernel.TopicNotice
}

func (cl *ClipTable) copySigning() []kernel.Effect {
	webhook, url := cl.webhooks.signingHeld()
	seq := cl.beginCopy(copyAsked{signing: webhook, kind: cl.Lang.T("signing secret"), short: [4]string{cl.Lang.T("signing secret")}, what: cl.Lang.Tf("signing secret of %s", called(cl.Lang, webhookName(string(url))))})
	return []kernel.Effect{CopySigning{Seq: seq, Webhook: webhook, TTL: cl.Cfg.CopyNumber}}
}

// State reports on the clipboard.
func (cl *ClipTable) State() Clip {
	c := cl.clip
	c.Changed = c.Challenge != "" && cl.codes.DigitsChanged(c.of)
	c.Replaced = c.Changed || cl.codes.Replaced(c.Challenge)
	if c.What = cl.onClip(); cl.privacy.Private() {
		c.Short = [4]string{}
	}
	return c
}

// onClip names what is on the clipboard as far as it may be read.
func (cl *ClipTable) onClip() string {
	if cl.privacy.Private() {
		return cl.clip.kind
	}
	return cl.clip.What
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
func (cl *ClipTable) beginCopy(c copyAsked) poll.Seq {
	cl.secrets.dropCopy()
	c.seq = cl.NextSeq()
	cl.copying = c
	return c.seq
}

func (cl *ClipTable) copyNext(id api.CardID) []kernel.Effect {
	if cl.secrets.continueRing(id) {
		return cl.copyField(id)
	}
	return cl.secrets.askToCopy(id, copyRing)
}

// copyChosen copies one field; the ring goes on behind it.
func (cl *ClipTable) copyChosen(in CopyField) []kernel.Effect {
	var effects []kernel.Effect
	held := cl.secrets.holds(in.Card)
	if !held {
		effects = cl.secrets.askToCopy(in.Card, copyRing)
	}
	cl.secrets.setNextField(in.Field)
	if held {
		return cl.copyField(in.Card)
	}
	return effects
}

// copyAll copies a card by the template.
func (cl *ClipTable) copyAll(id api.CardID) []kernel.Effect {
	if cl.secrets.holds(id) {
		return cl.copyByTemplate(id)
	}
	return cl.secrets.askToCopy(id, copyTemplate)
}

func (cl *ClipTable) copyField(id api.CardID) []kernel.Effect {
	f := cl.secrets.nextField()
	name, kind := cl.cards.name(id), cl.Lang.T(f.String())
	seq := cl.beginCopy(copyAsked{what: fmt.Sprintf(cl.Lang.Tc("copied", "%s of %s"), kind, name), short: [4]string{kind + " " + name, kind + " " + lastDigits(name), kind}, kind: kind, field: f, ring: true})
	ttl := cl.Cfg.CopyNumber
	if f == FieldCVV {
		ttl = cl.Cfg.CopyCVV
	}
	return []kernel.Effect{CopyDetail{Seq: seq, Card: id, Field: f, TTL: ttl}}
}

// nothingCopied says that a field is empty, and which the ring is at.
func (cl *ClipTable) nothingCopied(ev ClipChanged) kernel.Topic {
	text := cl.Lang.T("there is nothing to copy")
	if cl.copying.seq == ev.Seq && cl.copying.ring {
		text = cl.Lang.Tf("this card has no %s; next is the %s", cl.copying.kind, cl.Lang.T(cl.secrets.upNext().String()))
	}
	cl.notices.Say(kernel.Warn, text)
	return kernel.TopicSecrets | kernel.TopicNotice
}

// noCode says why there is no code to copy.
func (cl *ClipTable) noCode() string {
	if src := cl.poll.Source(poll.Codes); src.Err != nil || src.Stale(cl.Time) {
		return cl.Lang.T("no code is known, and codes cannot be read now: they are asked for again by themselves")
	}
	return cl.Lang.T("no code is waiting")
}

// askIfReplaced asks once more before a code is copied that a newer one of the same
// card and merchant has most likely ended.
func (cl *ClipTable) askIfReplaced(in CopyCode) bool {
	c, ok := cl.codes.ToCopy(in.Challenge)
	if !ok || !c.Replaced || !cl.codes.MustConfirmReplaced(c.ID) {
		return false
	}
	cl.notices.Say(kernel.Warn, cl.Lang.Tf("replaced: %s asked again since; the same key once more copies this older code", string(c.Merchant)))
	return true
}

func (cl *ClipTable) copyCode(in CopyCode) (kernel.Topic, []kernel.Effect) {
	if cl.askIfReplaced(in) {
		return kernel.TopicNotice, nil
	}
	c, _ := cl.codes.ToCopy(in.Challenge)
	cl.codes.ForgetQuestion()
	topics := kernel.TopicSecrets
	if !c.Pending() {
		cl.notices.Say(kernel.Warn, cl.Lang.Tf("the code of %s has the unknown status “%s”: it may not be valid", string(c.Merchant), string(c.Status)))
		topics |= kernel.TopicNotice
	}
	name, amount := cl.cards.name(c.Card), " "+cl.Lang.Dollars(c.Amount)
	digits, what := lastDigits(name), cl.Lang.Tf("code for %s%s, ", string(c.Merchant), amount)
	seq := cl.beginCopy(copyAsked{
		what: what + name, short: [4]string{what + digits, cl.Lang.Tf("code%s %s", amount, digits), cl.Lang.Tf("code %s", digits), cl.Lang.T("code")},
		kind: cl.Lang.T("code"), of: c.Origin(),
	})
	return topics, []kernel.Effect{CopyOTP{Seq: seq, Challenge: c.ID, OTP: c.OTP, TTL: min(cl.Cfg.CopyCode, c.Left(cl.ServerNow()))}}
}

// Missing reports whether the last copy found no clipboard in reach.
func (cl *ClipTable) Missing() bool { return cl.noTool }

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

func (cl *ClipTable) checkCode(in CopyCode) kernel.Verdict {
	_, ok := cl.codes.ToCopy(in.Challenge)
	switch {
	case ok:
		return kernel.Verdict{}
	case in.Challenge != "":
		return kernel.Verdict{Reason: cl.Lang.T("that code has ended: choose another")}
	}
	return kernel.Verdict{Reason: cl.noCode()}
}

// shownCopy is how long a request that was copied stays on the clipboard: it
// is no secret.
const shownCopy = 2 * time.Minute

func (cl *ClipTable) copyText(in CopyText) []kernel.Effect {
	seq := cl.beginCopy(copyAsked{what: in.What, kind: cl.Lang.T("text")})
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
func (cl *ClipTable) sayReplaced(by codes.Code) {
	cl.copying.said = true
	cl.notices.Say(kernel.Warn, cl.Lang.Tf("replaced: the clipboard still holds the old code of %s", string(by.Merchant)))
}

// holds reports whether the clipboard holds a code, or is about to.
func (cl *ClipTable) holds(id api.ChallengeID) bool {
	if cl.copying.of.ID != id {
		return false
	}
	underWay := cl.clip.seq != cl.copying.seq
	return underWay || cl.clip.State == ClipCopied || cl.clip.State == ClipSent
}
