// Package secrets has what of a card's details is shown, and what is on the clipboard. The secrets themselves are in the vault.
package secrets

import (
	"slices"
	"strings"
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

// FindManagers asks which clipboard managers run, soon and every so often. It reads of all
// processes: at the start the first frames go first.
func (t *Table) FindManagers(now time.Time) {
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

func (t *Table) managersFound(ev ManagersFound) kernel.Topic {
	t.managers.asked, t.managers.names = false, ev.Names
	// One that has started since the copy saves it all the same.
	t.clip.Keepers = t.managersThatSave(t.clip.State, t.clip.hinted)
	return kernel.TopicSecrets | t.sayManagers(t.clip.Keepers)
}

// managersThatSave names the clipboard managers that may save a copy: those that run,
// unless they were asked not to, or it went to a terminal, which may be
// on another machine.
func (t *Table) managersThatSave(state ClipState, hinted bool) string {
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
func (t *Table) sayManagers(keepers string) kernel.Topic {
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

// ManagersFound names the clipboard managers that run; nothing where none is
// known to.
type ManagersFound struct {
	kernel.Meta
	Names []api.Text
}

func (ev ManagersFound) Apply(t *Table) (kernel.Topic, []kernel.Effect) {
	return t.managersFound(ev), nil
}
