package state

import (
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
)

// ClipTable holds what is on the clipboard, without its text.
type ClipTable struct {
	*core
	privacy  *PrivacyTable
	notices  *NoticesTable
	cards    *CardsTable
	poll     *PollTable
	wallet   *WalletTable
	webhooks *WebhooksTable
	codes    *CodesTable
	secrets  *SecretsTable
	clip     Clip
	copying  copying
	noTool   bool // the last copy found no clipboard
	managers managerBook
	// uncopied is what was told of the last copy that failed.
	uncopied string
}

func (cl *ClipTable) copyAddress(in CopyAddress) []Effect {
	a, _ := cl.wallet.Address(in.Currency)
	return cl.copyText(CopyText{What: string(in.Currency) + " address", Text: string(a.Address)})
}

// copyWhole copies a card by the template, once its details are held.
func (cl *ClipTable) copyWhole(id api.CardID) []Effect {
	parts := parseCopy(cl.cfg.CopyTemplate)
	ttl := cl.cfg.CopyNumber
	c, _ := cl.cards.Get(id)
	for i, p := range parts {
		switch p.Field {
		case TemplateCVV:
			ttl = min(ttl, cl.cfg.CopyCVV)
		case TemplateLabel:
			parts[i] = CopyPart{Text: string(c.Label)}
		default:
		}
	}
	name := cl.cards.name(id)
	seq := cl.beginCopy(copying{what: "all of " + name, short: [4]string{"all of " + lastDigits(name)}, kind: "a card"})
	cl.secrets.held.copiedAt = cl.now
	return []Effect{CopyCard{Seq: seq, Card: id, Parts: parts, TTL: ttl}}
}

// lookForManagers asks which clipboard managers run, at once and every so often.
func (cl *ClipTable) lookForManagers(now time.Time) {
	b := &cl.managers
	if !cl.cfg.FindManagers || b.looking || now.Before(b.look) {
		return
	}
	b.looking, b.look = true, now.Add(managersEvery)
	cl.wants = append(cl.wants, FindManagers{})
}

func (cl *ClipTable) managersFound(ev ManagersFound) Topic {
	cl.managers.looking, cl.managers.names = false, ev.Names
	return TopicSecrets
}

// keepers names the clipboard managers that may keep a copy: those that run,
// unless they were asked to look away, or it went to a terminal, which may be
// on another machine.
func (cl *ClipTable) keepers(ev Copied) string {
	if ev.State != ClipCopied || ev.Hinted {
		return ""
	}
	names := make([]string, 0, len(cl.managers.names))
	for _, n := range cl.managers.names {
		names = append(names, string(n))
	}
	return strings.Join(names, ", ")
}

// tellKeepers tells once of each manager that may keep what is copied.
func (cl *ClipTable) tellKeepers(keepers string) {
	b, news := &cl.managers, false
	if keepers == "" {
		return
	}
	for _, name := range b.names {
		if !slices.Contains(b.told, name) {
			b.told, news = append(b.told, name), true
		}
	}
	if !news {
		return
	}
	text := keepers + " may keep what is copied in its history: it cannot be asked to look away"
	if cl.notices.notice.Text == "" {
		cl.notices.tell(Warn, text)
		return
	}
	cl.notices.later = Notice{Level: Warn, Text: text} // What is told now is about the copy itself.
}

func (cl *ClipTable) copySigning() []Effect {
	cl.webhooks.signing.Used = true
	seq := cl.beginCopy(copying{kind: "signing secret", short: [4]string{"signing secret"}, what: "signing secret of " + webhookName(string(cl.webhooks.signing.URL))})
	return []Effect{CopySigning{Seq: seq, Webhook: cl.webhooks.signing.Webhook, TTL: cl.cfg.CopyNumber}}
}

// Clip reports on the clipboard.
func (cl *ClipTable) State() Clip {
	c := cl.clip
	c.Replaced = cl.codes.codes.replaced(c.Challenge)
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

// lastDigits is the end of a card's name, which tells cards apart; what has no
// digits stays whole.
func lastDigits(name string) string {
	return name[max(0, strings.LastIndex(name, "••")):]
}

// copying is the copy asked for last, until its outcome is known.
type copying struct {
	seq Seq
	// what names it, short in fewer words, kind says only what it is.
	what, kind string
	short      [4]string
	// field is what of the ring it copies; ring says that it is of the ring.
	field Field
	ring  bool
	// of is the code it copies; none when it copies something else.
	of origin
	// told says that a person was told that another code has replaced it.
	told bool
}

// beginCopy numbers a copy. What an earlier one still waits for is not copied
// any more: the clipboard holds what was asked for last.
func (cl *ClipTable) beginCopy(c copying) Seq {
	cl.secrets.dropCopy()
	c.seq = cl.nextSeq()
	cl.copying = c
	return c.seq
}

func (cl *ClipTable) copyNext(id api.CardID) []Effect {
	if cl.secrets.held.left {
		cl.secrets.held.next, cl.secrets.held.left = FieldNumber, false
	}
	if cl.secrets.held.card == id {
		return cl.copyField(id)
	}
	effects := cl.secrets.ask(id)
	cl.secrets.held.toCopy = copyRing
	return effects
}

// copyChosen copies one field; the ring goes on behind it.
func (cl *ClipTable) copyChosen(in CopyField) []Effect {
	cl.secrets.held.left = false
	if cl.secrets.held.card == in.Card {
		cl.secrets.held.next = in.Field
		return cl.copyField(in.Card)
	}
	effects := cl.secrets.ask(in.Card)
	cl.secrets.held.toCopy, cl.secrets.held.next = copyRing, in.Field
	return effects
}

// copyAll copies a card by the template.
func (cl *ClipTable) copyAll(id api.CardID) []Effect {
	if cl.secrets.held.card == id {
		return cl.copyWhole(id)
	}
	effects := cl.secrets.ask(id)
	cl.secrets.held.toCopy = copyTemplate
	return effects
}

func (cl *ClipTable) copyField(id api.CardID) []Effect {
	f := cl.secrets.held.next
	name, kind := cl.cards.name(id), f.String()
	seq := cl.beginCopy(copying{what: kind + " of " + name, short: [4]string{kind + " " + name, kind + " " + lastDigits(name), kind}, kind: kind, field: f, ring: true})
	if cl.secrets.held.next++; cl.secrets.held.next >= ringEnd {
		cl.secrets.held.next = FieldNumber
	}
	cl.secrets.held.copiedAt = cl.now
	ttl := cl.cfg.CopyNumber
	if f == FieldCVV {
		ttl = cl.cfg.CopyCVV
	}
	return []Effect{CopyDetail{Seq: seq, Card: id, Field: f, TTL: ttl}}
}

// noCode says why there is no code to copy.
func (cl *ClipTable) noCode() string {
	if src := cl.poll.Source(LaneCodes); src.Err != nil || src.Stale(cl.now) {
		return "no code is known, and codes cannot be read now: they are asked for again by themselves"
	}
	return "no code is waiting"
}

// doubt asks a person once more who wants a code that a newer one of the same
// card and merchant has most likely ended.
func (cl *ClipTable) doubt(in CopyCode) bool {
	c, ok := cl.codes.codeToCopy(in)
	if !ok || !c.Replaced || cl.codes.codes.doubted == c.ID && cl.now.Before(cl.codes.codes.doubtedUntil) {
		return false
	}
	cl.codes.codes.doubted, cl.codes.codes.doubtedUntil = c.ID, cl.now.Add(askedAgainFor)
	cl.notices.tell(Warn, "replaced: "+string(c.Merchant)+" asked again since; the same key once more copies this older code")
	return true
}

// codeCopied notes when a code was first copied.
func (cl *ClipTable) codeCopied(id api.ChallengeID, at time.Time) {
	for i := range cl.codes.codes.rows {
		if c := &cl.codes.codes.rows[i]; c.ID == id && c.CopiedAt.IsZero() {
			c.CopiedAt = at
			cl.codes.clockCopy(id, at)
		}
	}
}

func (cl *ClipTable) copyCode(in CopyCode) (Topic, []Effect) {
	if cl.doubt(in) {
		return TopicNotice, nil
	}
	c, _ := cl.codes.codeToCopy(in)
	cl.codes.codes.doubted = ""
	name, amount := cl.cards.name(c.Card), " $"+c.Amount.Grouped()
	digits, what := lastDigits(name), "code for "+string(c.Merchant)+amount+", "
	seq := cl.beginCopy(copying{
		what: what + name, short: [4]string{what + digits, "code" + amount + " " + digits, "code " + digits, "code"},
		kind: "code", of: c.origin(),
	})
	return TopicSecrets, []Effect{CopyOTP{Seq: seq, Challenge: c.ID, OTP: c.OTP, TTL: min(cl.cfg.CopyCode, c.Left(cl.ServerNow()))}}
}

// copied keeps what is on the clipboard and tells what left it, or why
// nothing was put there. What an earlier copy left is still there when a
// later one fails.
func (s *Store) copied(ev Copied) Topic {
	switch ev.State {
	case ClipNoTool, ClipFailed:
		return s.notCopied(ev)
	case ClipCopied, ClipSent:
		s.Clip.noTool = false
		if s.Clip.uncopied != "" && s.Notices.notice.Text == s.Clip.uncopied {
			s.Notices.clear() // It is copied now.
		}
		if s.Clip.copying.seq == ev.Seq {
			s.Clip.clip = Clip{What: s.Clip.copying.what, State: ev.State, Short: s.Clip.copying.short, Until: ev.Until, seq: ev.Seq, kind: s.Clip.copying.kind, Challenge: s.Clip.copying.of.id, Via: ev.Via, Keepers: s.Clip.keepers(ev)}
			s.Clip.tellKeepers(s.Clip.clip.Keepers)
			s.Clip.codeCopied(s.Clip.copying.of.id, ev.At)
		}
		return TopicSecrets | TopicCodes | TopicNotice
	default:
	}
	if s.Clip.clip.seq != ev.Seq {
		return 0
	}
	s.Clip.clip.State = ev.State
	switch ev.State {
	case ClipCleared:
		s.Notices.mention(Info, "clipboard cleared: "+s.Clip.onClip())
	case ClipReplaced:
		s.Notices.mention(Info, "clipboard now holds something else: "+s.Clip.onClip()+" is gone from it")
	default:
	}
	return TopicSecrets | TopicNotice
}

// notCopied tells why nothing was put on the clipboard. A code is shown large
// in its stead; what to install for it is said once.
func (s *Store) notCopied(ev Copied) Topic {
	var code Code
	if s.Clip.copying.seq == ev.Seq {
		code, _ = s.Codes.codes.find(s.Clip.copying.of.id)
		s.Clip.copying.of = origin{}
		if s.Clip.copying.ring {
			s.Secrets.held.next = s.Clip.copying.field
		}
	}
	told := s.Clip.noTool
	s.Clip.noTool = ev.State == ClipNoTool
	s.Clip.uncopied = "not copied: " + ev.Hint
	if code.ID == "" || s.Privacy.Private() {
		s.Notices.tell(Bad, s.Clip.uncopied)
		return TopicSecrets | TopicNotice
	}
	s.Codes.checkout.Caught, s.Codes.checkout.of = code.ID, code.origin()
	switch {
	case ev.State != ClipNoTool:
		s.Notices.tell(Bad, s.Clip.uncopied)
	case !told:
		s.Clip.uncopied = ev.Hint + "; read the code here"
		s.Notices.tell(Warn, s.Clip.uncopied)
	}
	return TopicSecrets | TopicCodes | TopicNotice
}

// NoClipboard reports whether the last copy found no clipboard in reach.
func (cl *ClipTable) Missing() bool { return cl.noTool }

// parseCopy takes a template apart. The configuration has checked it; what is
// no field stays text.
func parseCopy(template string) []CopyPart {
	var parts []CopyPart
	text := func(s string) {
		if s != "" {
			parts = append(parts, CopyPart{Text: s})
		}
	}
	for rest := template; ; {
		before, after, open := strings.Cut(rest, "{")
		text(before)
		field, tail, closed := strings.Cut(after, "}")
		if !open || !closed {
			text(after)
			return parts
		}
		parts = append(parts, CopyPart{Field: TemplateField(field)})
		rest = tail
	}
}

// managersEvery is how often clipboard managers are looked for.
const managersEvery = time.Minute

// managerBook is what is known of the clipboard managers that run.
type managerBook struct {
	names   []api.Text
	look    time.Time // when to look for them next
	looking bool
	told    []api.Text // those a person was told of
}
