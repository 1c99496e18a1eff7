package state

import (
	"context"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/copytext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
)

// SecretsTable holds which secret is shown; the secret itself is in the vault.
type SecretsTable struct {
	*kernel.Core
	notices  *kernel.Notices
	webhooks *WebhooksTable
	held     heldDetails
	reveal   Reveal
}

// NextReveal is when the details that are waited for are requested; false
// when nothing waits for the limit of details a minute.
func (s *SecretsTable) NextReveal() (time.Time, bool) { return s.held.again, !s.held.again.IsZero() }

// CopyWaits reports whether a copy waits with them, or alone.
func (s *SecretsTable) CopyWaits() bool {
	return !s.held.again.IsZero() && s.held.toCopy != copyNothing
}

// pacing is a request for details that waits because as many were asked for in
// the last minute as may be.
func (s *SecretsTable) pacing(seq poll.Seq, wait time.Duration) kernel.Topic {
	h := &s.held
	if h.asked != seq {
		return 0
	}
	if h.again = s.Time.Add(wait); h.nowOnly {
		return kernel.TopicSecrets | s.cancelWaiting()
	}
	s.notices.Say(kernel.Info, s.Lang.Tf("the %s waits its turn: details are limited to 30 a minute", h.purpose(s.Lang)))
	return kernel.TopicNotice | kernel.TopicSecrets
}

// paceReveal requests the details that are due.
func (s *SecretsTable) paceReveal(now time.Time) kernel.Topic {
	h := &s.held
	if h.again.IsZero() || !poll.Reached(now, h.again) {
		return 0
	}
	h.again = time.Time{}
	s.Wants = append(s.Wants, FetchDetails{Seq: h.asked, Card: h.askedFor})
	return kernel.TopicSecrets
}

// cancelWaiting ends a wait for details, with whatever was to be done with them:
// what comes a minute late comes over something else.
func (s *SecretsTable) cancelWaiting() kernel.Topic {
	if s.held.again.IsZero() {
		return 0
	}
	s.notices.SayIfFree(kernel.Info, s.Lang.Tf("the %s that waited is dropped", s.held.purpose(s.Lang)))
	s.held = heldDetails{}
	if s.reveal.Waiting {
		s.endReveal()
	}
	return kernel.TopicNotice
}

// dropCopy ends the wait of a copy, as another one is asked for; a reveal that
// waits with it goes on.
func (s *SecretsTable) dropCopy() {
	switch h := &s.held; {
	case s.CopyWaits() && h.toReveal:
		s.notices.SayIfFree(kernel.Info, s.Lang.T("the copy that waited is dropped"))
		h.toCopy = copyNothing
	case s.CopyWaits():
		s.cancelWaiting()
	default:
		h.toCopy = copyNothing
	}
}

// Field is one part of a card's details, in the order a checkout form asks
// for them.
type Field uint8

// The fields of the copy ring, and behind them the address as one text, for
// forms that accept it so.
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
	return [...]string{
		lang.N("number"), lang.N("expiry"), "CVV", lang.N("name"), lang.N("street"), lang.N("city"), lang.N("state"), lang.N("zip"), lang.N("country"), lang.N("address"),
	}[f%fieldCount]
}

// Vault holds the details of one card, and the signing secret of one webhook,
// for a short time. It is the only place that does.
type Vault interface {
	// Hold stores details and removes those held before.
	Hold(*api.CardDetails)
	// Read returns a field of the held card; false when the vault holds another
	// card or none. The caller wipes what it got.
	Read(card api.CardID, f Field) (api.Secret, bool)
	// Forget forgets the details.
	Forget()
	// HoldSigning stores a webhook's signing secret, ReadSigning returns a copy
	// that the caller wipes, ForgetSigning forgets it.
	HoldSigning(api.WebhookID, api.SigningSecret)
	ReadSigning(api.WebhookID) (api.Secret, bool)
	ForgetSigning()
	// Fill joins parts of the held card; false likewise.
	Fill(card api.CardID, parts []copytext.Part) (api.Secret, bool)
	// Wipe forgets everything.
	Wipe()
}

// ringLife is how long details stay in memory after a copy, so that a
// checkout form costs one request.
const ringLife = 60 * time.Second

// heldDetails is what the store knows of the vault, which is not the secret.
type heldDetails struct {
	card api.CardID
	// asked is the request under way, for whose card and what for. An answer
	// to any other is dropped.
	asked    poll.Seq
	askedFor api.CardID
	toReveal bool
	toCopy   copyWish
	// again is when the request is sent that waits for its turn. nowOnly says that
	// it is not waited for: the one under way may come, but waits for no turn.
	again   time.Time
	nowOnly bool
	// next is the field that the ring copies next.
	next     Field
	copiedAt time.Time
	// left reports whether another card was selected since: then the ring
	// begins anew.
	left bool
}

// purpose is what the details are for.
func (h *heldDetails) purpose(w *lang.Words) string {
	if h.toCopy != copyNothing {
		return w.Tc("noun", "copy")
	}
	return w.Tc("noun", "reveal")
}

// copyWish is what is copied when the details are there.
type copyWish uint8

const (
	copyNothing copyWish = iota
	copyRing
	copyTemplate
)

// wanted reports whether the details are waited for.
func (h *heldDetails) wanted() bool { return h.toReveal || h.toCopy != copyNothing }

// Reveal is what of a card's details may be on screen.
type Reveal struct {
	// Card is empty when nothing is revealed.
	Card api.CardID
	// CVV reports whether the CVV may be shown as well.
	CVV bool
	// Waiting reports whether the details are on their way.
	Waiting     bool
	From, Until time.Time
}

// Reveal reports what may be on screen.
func (s *SecretsTable) Reveal() Reveal { return s.reveal }

func (s *SecretsTable) show(id api.CardID) {
	s.reveal = Reveal{Card: id, From: s.Time, Until: s.Time.Add(s.Cfg.Reveal)}
}

// endReveal removes what is revealed from the screen.
func (s *SecretsTable) endReveal() { s.reveal = Reveal{} }

// hide removes everything from the screen, and ends what waits for its turn to be
// there or on the clipboard. Details stay in the vault only while a checkout's
// copy ring is under way.
func (s *SecretsTable) hide() (kernel.Topic, []kernel.Effect) {
	topics := kernel.TopicSecrets | s.cancelWaiting()
	s.endReveal()
	s.webhooks.hideSigning()
	s.held.toReveal = false
	s.held.nowOnly = s.held.asked != 0
	if s.held.card != "" && !s.ringOpen(s.Time) {
		return topics, s.wipe()
	}
	return topics, nil
}

// keyCardChanged hides what is revealed of a card that keys are not about any more:
// what is read off the screen is what would be copied. What is under way or
// waits for that card ends likewise.
func (s *SecretsTable) keyCardChanged(id api.CardID) (kernel.Topic, []kernel.Effect) {
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

func (s *SecretsTable) wipe() []kernel.Effect {
	s.held = heldDetails{}
	return []kernel.Effect{WipeDetails{}}
}

// WipeDetails has the vault overwrite what it holds.
type WipeDetails struct{}

func (WipeDetails) Effect() {}

// ask fetches a card's details, once however many purposes there are. The
// details of another card leave first: the vault has room for one.
func (s *SecretsTable) ask(id api.CardID) []kernel.Effect {
	if s.held.asked != 0 && s.held.askedFor == id {
		s.held.nowOnly = false
		return nil // It may be waiting for its turn.
	}
	s.cancelWaiting()
	var out []kernel.Effect
	if s.held.card != "" {
		out = s.wipe()
	}
	if s.reveal.Card != id {
		s.endReveal()
	}
	s.held = heldDetails{asked: s.NextSeq(), askedFor: id}
	return append(out, FetchDetails{Seq: s.held.asked, Card: id})
}

// FetchDetails reads one card's sensitive details.
type FetchDetails struct {
	Seq  poll.Seq
	Card api.CardID
}

func (FetchDetails) Effect() {}

// Cost is that of details, of which few are allowed in a minute (contract,
// Limits).
func (FetchDetails) Cost() kernel.Cost {
	return kernel.Cost{Kind: budget.Details, Priority: budget.User, Lane: lang.N("details")}
}

func (f FetchDetails) Run(ctx context.Context, on kernel.Env) (kernel.Event, error) {
	details, err := on.API.CardDetails(ctx, f.Card)
	return DetailsLoaded{FetchDetails: f, Meta: on.Over(), Details: &details}, err
}

// Label is what the user waits for.
func (FetchDetails) Label(bool) string { return lang.N("reading the number") }

// detailsFailed stops waiting for a card's details.
func (s *SecretsTable) detailsFailed(seq poll.Seq) {
	if s.held.asked != seq {
		return
	}
	if s.reveal.Card == s.held.askedFor {
		s.endReveal()
	}
	s.held = heldDetails{}
}

// expire ends what time has ended: the reveal, and the details when
// neither the screen nor the ring needs them.
func (s *SecretsTable) expire(now time.Time) kernel.Topic {
	topics := s.paceReveal(now)
	if s.reveal.Card != "" && !s.reveal.Waiting && poll.Reached(now, s.reveal.Until) {
		s.endReveal()
		topics |= kernel.TopicSecrets
	}
	if s.held.card != "" && s.reveal.Card != s.held.card && !s.ringOpen(now) {
		s.Wants = append(s.Wants, s.wipe()...)
	}
	return topics
}

// detailsWait is the longest wait for the limit of details a minute, the
// budget's slack included. Longer ones are another limit's, and no user waits for a
// number on the screen that long after asking for it.
const detailsWait = 62 * time.Second

// holds reports whether the vault has the details of a card.
func (s *SecretsTable) holds(id api.CardID) bool { return s.held.card == id }

// askToCopy reads the details of a card, to copy them when they are there.
func (s *SecretsTable) askToCopy(id api.CardID, wish copyWish) []kernel.Effect {
	effects := s.ask(id)
	s.held.toCopy = wish
	return effects
}

// continueRing reports whether the next field of a card can be copied. The ring
// starts over when another card was selected since.
func (s *SecretsTable) continueRing(id api.CardID) bool {
	if s.held.left {
		s.setNextField(FieldNumber)
	}
	return s.holds(id)
}

// setNextField sets the field that is copied next.
func (s *SecretsTable) setNextField(f Field) { s.held.next, s.held.left = f, false }

// upNext is the field that is copied next.
func (s *SecretsTable) upNext() Field { return s.held.next }

// nextField returns the field to copy and moves the ring on.
func (s *SecretsTable) nextField() Field {
	f := s.held.next
	if s.held.next++; s.held.next >= ringEnd {
		s.held.next = FieldNumber
	}
	s.markCopied()
	return f
}

// markCopied sets when a field was last copied.
func (s *SecretsTable) markCopied() { s.held.copiedAt = s.Time }

// wakes calls at with the times at which the table has something to do.
func (s *SecretsTable) wakes(at func(time.Time)) { at(s.reveal.Until) }
