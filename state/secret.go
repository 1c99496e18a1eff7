package state

import (
	"context"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/copytext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/wallets"
)

// SecretNeeds is what secrets use of others.
type SecretNeeds struct {
	Privacy  *kernel.Privacy
	Notices  *kernel.Notices
	Lanes    *kernel.Lanes
	Cards    SecretCards
	Codes    *codes.Table
	Wallets  *wallets.Table
	Webhooks SigningSecret
}

// SecretCards are the cards that details are read and copied of.
type SecretCards interface {
	Get(id api.CardID) (cardlist.Card, bool)
	Name(id api.CardID) string
	CheckDetails(id api.CardID) kernel.Verdict
}

// SigningSecret is the signing secret of a webhook that was just registered.
type SigningSecret interface {
	// SigningHeld is the webhook whose secret the vault has, and its name.
	SigningHeld() (id api.WebhookID, name string)
	// SigningCopied marks it as used.
	SigningCopied(id api.WebhookID)
}

// SecretsTable has which secret is shown or copied, without the secret: that is in the vault, and on the clipboard.
type SecretsTable struct {
	*kernel.Core
	needs    SecretNeeds
	held     heldDetails
	reveal   Reveal
	clip     Clip
	copying  copyAsked
	noTool   bool // the last copy found no clipboard
	managers managers
	// uncopied is the notice of the last copy that failed.
	uncopied string
}

// NewSecrets returns a table without secrets.
func NewSecrets(c *kernel.Core, n SecretNeeds) *SecretsTable {
	return &SecretsTable{Core: c, needs: n}
}

// SecretsHidden means that nothing sensitive may be on the screen from now on.
type SecretsHidden struct{}

// NextReveal is when the details that are waited for are requested; false
// when nothing waits for the limit of details a minute.
func (t *SecretsTable) NextReveal() (time.Time, bool) { return t.held.again, !t.held.again.IsZero() }

// CopyWaits reports whether a copy waits with them, or alone.
func (t *SecretsTable) CopyWaits() bool {
	return !t.held.again.IsZero() && t.held.toCopy != copyNothing
}

// pacing is a request for details that waits because as many were asked for in
// the last minute as may be.
func (t *SecretsTable) pacing(seq poll.Seq, wait time.Duration) kernel.Topic {
	h := &t.held
	if h.asked != seq {
		return 0
	}
	if h.again = t.Time.Add(wait); h.nowOnly {
		return kernel.TopicSecrets | t.CancelWaiting()
	}
	t.needs.Notices.Say(kernel.Info, t.Lang.Tf("the %s waits its turn: details are limited to 30 a minute", h.purpose(t.Lang)))
	return kernel.TopicNotice | kernel.TopicSecrets
}

// paceReveal requests the details that are due.
func (t *SecretsTable) paceReveal(now time.Time) kernel.Topic {
	h := &t.held
	if h.again.IsZero() || !poll.Reached(now, h.again) {
		return 0
	}
	h.again = time.Time{}
	t.Wants = append(t.Wants, FetchDetails{Seq: h.asked, Card: h.askedFor})
	return kernel.TopicSecrets
}

// CancelWaiting ends a wait for details, with whatever was to be done with them:
// what comes a minute late comes over something else.
func (t *SecretsTable) CancelWaiting() kernel.Topic {
	if t.held.again.IsZero() {
		return 0
	}
	t.needs.Notices.SayIfFree(kernel.Info, t.Lang.Tf("the %s that waited is dropped", t.held.purpose(t.Lang)))
	t.held = heldDetails{}
	if t.reveal.Waiting {
		t.EndReveal()
	}
	return kernel.TopicNotice
}

// dropCopy ends the wait of a copy, as another one is asked for; a reveal that
// waits with it goes on.
func (t *SecretsTable) dropCopy() {
	switch h := &t.held; {
	case t.CopyWaits() && h.toReveal:
		t.needs.Notices.SayIfFree(kernel.Info, t.Lang.T("the copy that waited is dropped"))
		h.toCopy = copyNothing
	case t.CopyWaits():
		t.CancelWaiting()
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
func (t *SecretsTable) Reveal() Reveal { return t.reveal }

func (t *SecretsTable) show(id api.CardID) {
	t.reveal = Reveal{Card: id, From: t.Time, Until: t.Time.Add(t.Cfg.Reveal)}
}

// EndReveal removes what is revealed from the screen.
func (t *SecretsTable) EndReveal() { t.reveal = Reveal{} }

// Hide removes everything from the screen, and ends what waits for its turn to be
// there or on the clipboard. Details stay in the vault only while a checkout's
// copy ring is under way.
func (t *SecretsTable) Hide() (kernel.Topic, []kernel.Effect) {
	topics := kernel.TopicSecrets | t.CancelWaiting()
	t.EndReveal()
	kernel.Tell(t.Core, SecretsHidden{})
	t.held.toReveal = false
	t.held.nowOnly = t.held.asked != 0
	if t.held.card != "" && !t.ringOpen(t.Time) {
		return topics, t.Wipe()
	}
	return topics, nil
}

// KeyCardChanged hides what is revealed of a card that keys are not about any more:
// what is read off the screen is what would be copied. What is under way or
// waits for that card ends likewise.
func (t *SecretsTable) KeyCardChanged(id api.CardID) (kernel.Topic, []kernel.Effect) {
	other := t.held.askedFor != id
	if other {
		t.held.left = true
	}
	if other && t.held.asked != 0 || t.reveal.Card != "" && t.reveal.Card != id {
		return t.Hide()
	}
	return 0, nil
}

func (t *SecretsTable) ringOpen(now time.Time) bool {
	return !t.held.copiedAt.IsZero() && !poll.Reached(now, t.held.copiedAt.Add(ringLife))
}

func (t *SecretsTable) Wipe() []kernel.Effect {
	t.held = heldDetails{}
	return []kernel.Effect{WipeDetails{}}
}

// WipeDetails has the vault overwrite what it holds.
type WipeDetails struct{}

func (WipeDetails) Effect() {}

// ask fetches a card's details, once however many purposes there are. The
// details of another card leave first: the vault has room for one.
func (t *SecretsTable) ask(id api.CardID) []kernel.Effect {
	if t.held.asked != 0 && t.held.askedFor == id {
		t.held.nowOnly = false
		return nil // It may be waiting for its turn.
	}
	t.CancelWaiting()
	var out []kernel.Effect
	if t.held.card != "" {
		out = t.Wipe()
	}
	if t.reveal.Card != id {
		t.EndReveal()
	}
	t.held = heldDetails{asked: t.NextSeq(), askedFor: id}
	return append(out, FetchDetails{Seq: t.held.asked, Card: id})
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
func (t *SecretsTable) detailsFailed(seq poll.Seq) {
	if t.held.asked != seq {
		return
	}
	if t.reveal.Card == t.held.askedFor {
		t.EndReveal()
	}
	t.held = heldDetails{}
}

// Expire ends what time has ended: the reveal, and the details when
// neither the screen nor the ring needs them.
func (t *SecretsTable) Expire(now time.Time) kernel.Topic {
	topics := t.paceReveal(now)
	if t.reveal.Card != "" && !t.reveal.Waiting && poll.Reached(now, t.reveal.Until) {
		t.EndReveal()
		topics |= kernel.TopicSecrets
	}
	if t.held.card != "" && t.reveal.Card != t.held.card && !t.ringOpen(now) {
		t.Wants = append(t.Wants, t.Wipe()...)
	}
	return topics
}

// detailsWait is the longest wait for the limit of details a minute, the
// budget's slack included. Longer ones are another limit's, and no user waits for a
// number on the screen that long after asking for it.
const detailsWait = 62 * time.Second

// holds reports whether the vault has the details of a card.
func (t *SecretsTable) holds(id api.CardID) bool { return t.held.card == id }

// askToCopy reads the details of a card, to copy them when they are there.
func (t *SecretsTable) askToCopy(id api.CardID, wish copyWish) []kernel.Effect {
	effects := t.ask(id)
	t.held.toCopy = wish
	return effects
}

// continueRing reports whether the next field of a card can be copied. The ring
// starts over when another card was selected since.
func (t *SecretsTable) continueRing(id api.CardID) bool {
	if t.held.left {
		t.setNextField(FieldNumber)
	}
	return t.holds(id)
}

// setNextField sets the field that is copied next.
func (t *SecretsTable) setNextField(f Field) { t.held.next, t.held.left = f, false }

// upNext is the field that is copied next.
func (t *SecretsTable) upNext() Field { return t.held.next }

// nextField returns the field to copy and moves the ring on.
func (t *SecretsTable) nextField() Field {
	f := t.held.next
	if t.held.next++; t.held.next >= ringEnd {
		t.held.next = FieldNumber
	}
	t.markCopied()
	return f
}

// markCopied sets when a field was last copied.
func (t *SecretsTable) markCopied() { t.held.copiedAt = t.Time }

// Wakes calls at with the times at which the table has something to do.
func (t *SecretsTable) Wakes(at func(time.Time)) { at(t.reveal.Until) }
