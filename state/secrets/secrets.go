// Package secrets has what of a card's details is shown, and what is on the clipboard. The secrets themselves are in the vault.
package secrets

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/copytext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/wallets"
	"github.com/cardtop/cardtop/state/webhooks"
)

// Needs is what secrets use of others.
type Needs struct {
	Privacy  *kernel.Privacy
	Notices  *kernel.Notices
	Lanes    *kernel.Lanes
	Cards    Cards
	Codes    *codes.Table
	Wallets  *wallets.Table
	Webhooks *webhooks.Table
}

// Cards are the cards that details are read and copied of.
type Cards interface {
	Get(id api.CardID) (cardlist.Card, bool)
	Name(id api.CardID) string
	CheckDetails(id api.CardID) kernel.Verdict
}

// Table has which secret is shown or copied, without the secret: that is in the vault, and on the clipboard.
type Table struct {
	*kernel.Core
	needs    Needs
	held     heldDetails
	reveal   Reveal
	clip     Clip
	copying  copyAsked
	noTool   bool // the last copy found no clipboard
	managers managers
	// uncopied is the notice of the last copy that failed.
	uncopied string
}

// New returns a table without secrets.
func New(c *kernel.Core, n Needs) *Table {
	return &Table{Core: c, needs: n}
}

// Hidden means that nothing sensitive may be on the screen from now on.
type Hidden struct{}

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

// Expire ends what time has ended: the reveal, and the details when
// neither the screen nor the ring needs them.
func (t *Table) Expire(now time.Time) kernel.Topic {
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

// Wakes calls at with the times at which the table has something to do.
func (t *Table) Wakes(at func(time.Time)) { at(t.reveal.Until) }
