package state

import (
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
)

// ClipState is the state of what was put on the clipboard.
type ClipState uint8

// The states a person is told of.
const (
	ClipNone ClipState = iota
	ClipCopied
	ClipSent // to the terminal; nobody can check that it arrived
	ClipCleared
	ClipReplaced
	ClipStuck
	ClipNoTool
	ClipFailed
)

// Clip is what of ours is on the clipboard.
type Clip struct {
	// What names it in words, never in digits.
	What string
	// Short says it in fewer and fewer words, as many as there are.
	Short [4]string
	State ClipState
	Until time.Time
	// Via names the way it took, Keepers the clipboard managers that may keep it;
	// empty when nothing is known.
	Via, Keepers string
	// Challenge is whose code it is, empty for anything else. Replaced says that
	// another has replaced that.
	Challenge api.ChallengeID
	Replaced  bool

	seq  Seq
	kind string // what it is, and nothing of whose
}

// Clip reports on the clipboard.
func (s *Store) Clip() Clip {
	c := s.clip
	c.Replaced = s.codes.replaced(c.Challenge)
	if c.What = s.onClip(); s.Private() {
		c.Short = [4]string{}
	}
	return c
}

// onClip names what is on the clipboard as far as it may be read.
func (s *Store) onClip() string {
	if s.Private() {
		return s.clip.kind
	}
	return s.clip.What
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
func (s *Store) beginCopy(c copying) Seq {
	s.dropCopy()
	c.seq = s.nextSeq()
	s.copying = c
	return c.seq
}

func (s *Store) copyNext(id api.CardID) []Effect {
	if s.held.left {
		s.held.next, s.held.left = FieldNumber, false
	}
	if s.held.card == id {
		return s.copyField(id)
	}
	effects := s.ask(id)
	s.held.toCopy = copyRing
	return effects
}

// copyChosen copies one field; the ring goes on behind it.
func (s *Store) copyChosen(in CopyField) []Effect {
	s.held.left = false
	if s.held.card == in.Card {
		s.held.next = in.Field
		return s.copyField(in.Card)
	}
	effects := s.ask(in.Card)
	s.held.toCopy, s.held.next = copyRing, in.Field
	return effects
}

// copyAll copies a card by the template.
func (s *Store) copyAll(id api.CardID) []Effect {
	if s.held.card == id {
		return s.copyWhole(id)
	}
	effects := s.ask(id)
	s.held.toCopy = copyTemplate
	return effects
}

func (s *Store) copyField(id api.CardID) []Effect {
	f := s.held.next
	name, kind := s.name(id), f.String()
	seq := s.beginCopy(copying{what: kind + " of " + name, short: [4]string{kind + " " + name, kind + " " + lastDigits(name), kind}, kind: kind, field: f, ring: true})
	if s.held.next++; s.held.next >= ringEnd {
		s.held.next = FieldNumber
	}
	s.held.copiedAt = s.now
	ttl := s.cfg.CopyNumber
	if f == FieldCVV {
		ttl = s.cfg.CopyCVV
	}
	return []Effect{CopyDetail{Seq: seq, Card: id, Field: f, TTL: ttl}}
}

func (s *Store) codeToCopy(in CopyCode) (Code, bool) {
	if in.Challenge == "" {
		return s.NewestCode()
	}
	for _, c := range s.codes.rows {
		if c.ID == in.Challenge && !c.OTP.IsZero() && c.Left(s.ServerNow()) > 0 {
			return c, true
		}
	}
	return Code{}, false
}

// noCode says why there is no code to copy.
func (s *Store) noCode() string {
	if src := s.Poll.Source(LaneCodes); src.Err != nil || src.Stale(s.now) {
		return "no code is known, and codes cannot be read now: they are asked for again by themselves"
	}
	return "no code is waiting"
}

// doubt asks a person once more who wants a code that a newer one of the same
// card and merchant has most likely ended.
func (s *Store) doubt(in CopyCode) bool {
	c, ok := s.codeToCopy(in)
	if !ok || !c.Replaced || s.codes.doubted == c.ID && s.now.Before(s.codes.doubtedUntil) {
		return false
	}
	s.codes.doubted, s.codes.doubtedUntil = c.ID, s.now.Add(askedAgainFor)
	s.tell(Warn, "replaced: "+string(c.Merchant)+" asked again since; the same key once more copies this older code")
	return true
}

// codeCopied notes when a code was first copied.
func (s *Store) codeCopied(id api.ChallengeID, at time.Time) {
	for i := range s.codes.rows {
		if c := &s.codes.rows[i]; c.ID == id && c.CopiedAt.IsZero() {
			c.CopiedAt = at
			s.clockCopy(id, at)
		}
	}
}

func (s *Store) copyCode(in CopyCode) (Topic, []Effect) {
	if s.doubt(in) {
		return TopicNotice, nil
	}
	c, _ := s.codeToCopy(in)
	s.codes.doubted = ""
	name, amount := s.name(c.Card), " $"+c.Amount.Grouped()
	digits, what := lastDigits(name), "code for "+string(c.Merchant)+amount+", "
	seq := s.beginCopy(copying{
		what: what + name, short: [4]string{what + digits, "code" + amount + " " + digits, "code " + digits, "code"},
		kind: "code", of: c.origin(),
	})
	return TopicSecrets, []Effect{CopyOTP{Seq: seq, Challenge: c.ID, OTP: c.OTP, TTL: min(s.cfg.CopyCode, c.Left(s.ServerNow()))}}
}

// copied keeps what is on the clipboard and tells what left it, or why
// nothing was put there. What an earlier copy left is still there when a
// later one fails.
func (s *Store) copied(ev Copied) Topic {
	switch ev.State {
	case ClipNoTool, ClipFailed:
		return s.notCopied(ev)
	case ClipCopied, ClipSent:
		s.noTool = false
		if s.uncopied != "" && s.notice.Text == s.uncopied {
			s.hush() // It is copied now.
		}
		if s.copying.seq == ev.Seq {
			s.clip = Clip{What: s.copying.what, State: ev.State, Short: s.copying.short, Until: ev.Until, seq: ev.Seq, kind: s.copying.kind, Challenge: s.copying.of.id, Via: ev.Via, Keepers: s.keepers(ev)}
			s.tellKeepers(s.clip.Keepers)
			s.codeCopied(s.copying.of.id, ev.At)
		}
		return TopicSecrets | TopicCodes | TopicNotice
	default:
	}
	if s.clip.seq != ev.Seq {
		return 0
	}
	s.clip.State = ev.State
	switch ev.State {
	case ClipCleared:
		s.mention(Info, "clipboard cleared: "+s.onClip())
	case ClipReplaced:
		s.mention(Info, "clipboard now holds something else: "+s.onClip()+" is gone from it")
	default:
	}
	return TopicSecrets | TopicNotice
}

// notCopied tells why nothing was put on the clipboard. A code is shown large
// in its stead; what to install for it is said once.
func (s *Store) notCopied(ev Copied) Topic {
	var code Code
	if s.copying.seq == ev.Seq {
		code, _ = s.codes.find(s.copying.of.id)
		s.copying.of = origin{}
		if s.copying.ring {
			s.held.next = s.copying.field
		}
	}
	told := s.noTool
	s.noTool = ev.State == ClipNoTool
	s.uncopied = "not copied: " + ev.Hint
	if code.ID == "" || s.Private() {
		s.tell(Bad, s.uncopied)
		return TopicSecrets | TopicNotice
	}
	s.checkout.Caught, s.checkout.of = code.ID, code.origin()
	switch {
	case ev.State != ClipNoTool:
		s.tell(Bad, s.uncopied)
	case !told:
		s.uncopied = ev.Hint + "; read the code here"
		s.tell(Warn, s.uncopied)
	}
	return TopicSecrets | TopicCodes | TopicNotice
}

// NoClipboard reports whether the last copy found no clipboard in reach.
func (s *Store) NoClipboard() bool { return s.noTool }
