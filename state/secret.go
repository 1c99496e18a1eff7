package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
)

// SecretsTable holds which secret is shown; the secret itself is in the vault.
type SecretsTable struct {
	*core
	notices  *NoticesTable
	webhooks *WebhooksTable
	held     held
	reveal   Reveal
}

// NextReveal is when the details that somebody waits for are asked for; false
// when nothing waits for the limit of details a minute.
func (s *SecretsTable) NextReveal() (time.Time, bool) { return s.held.again, !s.held.again.IsZero() }

// CopyWaits tells whether a copy waits with them, or alone.
func (s *SecretsTable) CopyWaits() bool {
	return !s.held.again.IsZero() && s.held.toCopy != copyNothing
}

// pacing is a request for details that waits because as many were asked for in
// the last minute as may be.
func (s *SecretsTable) pacing(seq Seq, wait time.Duration) Topic {
	h := &s.held
	if h.asked != seq {
		return 0
	}
	if h.again = s.now.Add(wait); h.nowOnly {
		return TopicSecrets | s.waitNoMore()
	}
	s.notices.tell(Info, "the "+h.purpose()+" waits its turn: details are limited to 30 a minute")
	return TopicNotice | TopicSecrets
}

// paceReveal asks for the details whose turn has come.
func (s *SecretsTable) paceReveal(now time.Time) Topic {
	h := &s.held
	if h.again.IsZero() || !poll.Reached(now, h.again) {
		return 0
	}
	h.again = time.Time{}
	s.wants = append(s.wants, FetchDetails{Seq: h.asked, Card: h.askedFor})
	return TopicSecrets
}

// waitNoMore ends a wait for details, with whatever was to be done with them:
// what comes a minute late comes over something else.
func (s *SecretsTable) waitNoMore() Topic {
	if s.held.again.IsZero() {
		return 0
	}
	s.notices.mention(Info, "the "+s.held.purpose()+" that waited is dropped")
	s.held = held{}
	if s.reveal.Waiting {
		s.reveal = Reveal{}
	}
	return TopicNotice
}

// dropCopy ends the wait of a copy, as another one is asked for; a reveal that
// waits with it goes on.
func (s *SecretsTable) dropCopy() {
	switch h := &s.held; {
	case s.CopyWaits() && h.toReveal:
		s.notices.mention(Info, "the copy that waited is dropped")
		h.toCopy = copyNothing
	case s.CopyWaits():
		s.waitNoMore()
	default:
		h.toCopy = copyNothing
	}
}

// Field is one part of a card's details, in the order a checkout form asks
// for them.
type Field uint8

// The fields of the copy ring, and behind them the address as one text, for
// forms that take it so.
const (
	FieldNumber Field = iota
	FieldExpiry
	FieldCVV
	FieldName
	FieldStreet
	FieldCity
	FieldState
	FieldZIP
	FieldCountry
	FieldAddress
	fieldCount
)

// ringEnd is what comes after the last field of the ring.
const ringEnd = FieldAddress

// String is the field's name in a sentence.
func (f Field) String() string {
	return [...]string{"number", "expiry", "CVV", "name", "street", "city", "state", "zip", "country", "address"}[f%fieldCount]
}

// Vault holds the details of one card, and the signing secret of one webhook,
// for a short time. It is the only place that does.
type Vault interface {
	// Hold takes details over and forgets those held before.
	Hold(*api.CardDetails)
	// Read gives a field of the held card; false when the vault holds another
	// card or none. The caller wipes what it got.
	Read(card api.CardID, f Field) (api.Secret, bool)
	// Forget forgets the details.
	Forget()
	// HoldSigning takes a webhook's signing secret over, ReadSigning gives a copy
	// that the caller wipes, ForgetSigning forgets it.
	HoldSigning(api.WebhookID, api.SigningSecret)
	ReadSigning(api.WebhookID) (api.Secret, bool)
	ForgetSigning()
	// Fill joins parts of the held card; false likewise.
	Fill(card api.CardID, parts []CopyPart) (api.Secret, bool)
	// Wipe forgets everything.
	Wipe()
}

// ringLife is how long details stay in memory after a copy, so that a
// checkout form costs one request.
const ringLife = 60 * time.Second

// held is what the store knows of the vault, which is not the secret.
type held struct {
	card api.CardID
	// asked is the request under way, for whose card and what for. An answer
	// to any other is dropped.
	asked    Seq
	askedFor api.CardID
	toReveal bool
	toCopy   copyWish
	// again is when the request is sent that waits for its turn. nowOnly says that
	// nobody stayed for it: the one under way may come, but waits for no turn.
	again   time.Time
	nowOnly bool
	// next is the field that the ring copies next.
	next     Field
	copiedAt time.Time
	// left says that the person turned to another card since: then the ring
	// begins anew.
	left bool
}

// purpose is what the details are for, in a word.
func (h *held) purpose() string {
	if h.toCopy != copyNothing {
		return "copy"
	}
	return "reveal"
}

// copyWish is what is copied when the details are there.
type copyWish uint8

const (
	copyNothing copyWish = iota
	copyRing
	copyTemplate
)

// wanted tells whether anybody waits for the details.
func (h *held) wanted() bool { return h.toReveal || h.toCopy != copyNothing }

// Reveal is what of a card's details may be on screen.
type Reveal struct {
	// Card is empty when nothing is revealed.
	Card api.CardID
	// CVV says that the CVV may be shown as well.
	CVV bool
	// Waiting says that the details are on their way.
	Waiting     bool
	From, Until time.Time
}

// Reveal reports what may be on screen.
func (s *SecretsTable) Reveal() Reveal { return s.reveal }

func (s *Store) revealNext(id api.CardID) (Topic, []Effect) {
	if s.doubtReveal(id) {
		return TopicNotice, nil
	}
	r := &s.Secrets.reveal
	switch {
	case r.Card == id && r.Waiting:
		return 0, nil
	case r.Card == id && r.CVV:
		return s.Secrets.hide()
	case r.Card == id:
		r.CVV = true
		r.From, r.Until = s.now, s.now.Add(s.cfg.Reveal)
		return TopicSecrets, nil
	case s.Secrets.held.card == id:
		s.Secrets.show(id)
		return TopicSecrets, nil
	}
	effects := s.Secrets.ask(id)
	s.Secrets.held.toReveal = true
	s.Secrets.reveal = Reveal{Card: id, Waiting: true}
	return TopicSecrets, effects
}

func (s *SecretsTable) show(id api.CardID) {
	s.reveal = Reveal{Card: id, From: s.now, Until: s.now.Add(s.cfg.Reveal)}
}

// hide takes everything off the screen, and ends what waits for its turn to be
// there or on the clipboard. Details stay in the vault only while a checkout's
// copy ring is under way.
func (s *SecretsTable) hide() (Topic, []Effect) {
	topics := TopicSecrets | s.waitNoMore()
	s.reveal = Reveal{}
	s.webhooks.signing.ShownUntil = time.Time{}
	s.held.toReveal = false
	s.held.nowOnly = s.held.asked != 0
	if s.held.card != "" && !s.ringOpen(s.now) {
		return topics, s.wipe()
	}
	return topics, nil
}

// turnTo hides what is revealed of a card that keys are not about any more:
// what is read off the screen is what would be copied. What is under way or
// waits for that card ends likewise.
func (s *SecretsTable) turnTo(id api.CardID) (Topic, []Effect) {
	other := s.held.askedFor != id
	if other {
		s.held.left = true
	}
	if other && s.held.asked != 0 || s.reveal.Card != "" && s.reveal.Card != id {
		return s.hide()
	}
	return 0, nil
}

func (s *SecretsTable) ringOpen(now time.Time) bool {
	return !s.held.copiedAt.IsZero() && !poll.Reached(now, s.held.copiedAt.Add(ringLife))
}

func (s *SecretsTable) wipe() []Effect {
	s.held = held{}
	return []Effect{WipeDetails{}}
}

// ask fetches a card's details, once however many purposes there are. The
// details of another card leave first: the vault has room for one.
func (s *SecretsTable) ask(id api.CardID) []Effect {
	if s.held.asked != 0 && s.held.askedFor == id {
		s.held.nowOnly = false
		return nil // It may be waiting for its turn.
	}
	s.waitNoMore()
	var out []Effect
	if s.held.card != "" {
		out = s.wipe()
	}
	if s.reveal.Card != id {
		s.reveal = Reveal{}
	}
	s.held = held{asked: s.nextSeq(), askedFor: id}
	return append(out, FetchDetails{Seq: s.held.asked, Card: id})
}

// detailsFailed stops waiting for a card's details.
func (s *SecretsTable) detailsFailed(seq Seq) {
	if s.held.asked != seq {
		return
	}
	if s.reveal.Card == s.held.askedFor {
		s.reveal = Reveal{}
	}
	s.held = held{}
}

// expireSecrets ends what time has ended: the reveal, and the details when
// neither the screen nor the ring needs them.
func (s *SecretsTable) expire(now time.Time) Topic {
	topics := s.paceReveal(now)
	if s.reveal.Card != "" && !s.reveal.Waiting && poll.Reached(now, s.reveal.Until) {
		s.reveal = Reveal{}
		topics |= TopicSecrets
	}
	if s.held.card != "" && s.reveal.Card != s.held.card && !s.ringOpen(now) {
		s.wants = append(s.wants, s.wipe()...)
	}
	return topics
}

// detailsWait is the longest wait for the limit of details a minute, the
// budget's slack included. Longer ones are another limit's, and nobody wants a
// number on the screen that long after asking for it.
const detailsWait = 62 * time.Second

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

// CopyPart is a piece of what the copy of a whole card looks like: text as it
// is, or a field that the vault fills in.
type CopyPart struct {
	// Field is empty for text.
	Field TemplateField
	Text  string
}

// TemplateField is what a copy template may hold in braces.
type TemplateField string

// The fields of a copy template.
const (
	TemplateNumber  TemplateField = "number"
	TemplateLast4   TemplateField = "last4"
	TemplateMonth   TemplateField = "month"
	TemplateYear    TemplateField = "year"
	TemplateYear2   TemplateField = "year2"
	TemplateCVV     TemplateField = "cvv"
	TemplateName    TemplateField = "name"
	TemplateAddress TemplateField = "address"
	TemplateLabel   TemplateField = "label"
)
