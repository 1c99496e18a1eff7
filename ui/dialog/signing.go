package dialog

import (
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// The keys of the signing secret: those that reveal and copy elsewhere.
const (
	signingShow = "r"
	signingCopy = "y"
)

// Signing hands over the signing secret of a webhook that was just registered.
// It is masked until somebody asks, and goes with the dialog.
type Signing struct {
	theme *theme.Theme
	store *state.Store
	vault state.Vault
	// warned says that closing it unused was warned of.
	warned bool
}

// NewSigning makes the dialog. The secret stays in the vault; the dialog reads
// it for each frame.
func NewSigning(t *theme.Theme, s *state.Store, v state.Vault) *Signing {
	return &Signing{theme: t, store: s, vault: v}
}

// Sync makes the dialog look at the store again.
func (d *Signing) Sync(s *state.Store) { d.store = s }

// Over tells that the secret has left.
func (d *Signing) Over() bool { return d.store.Webhooks.Signing().Webhook == "" }

// Question is true: it opens by itself and takes an answer.
func (*Signing) Question() bool { return true }

// Holds tells whether the secret was neither shown nor copied.
func (d *Signing) Holds() bool { return !d.store.Webhooks.Signing().Used }

// Paste does nothing.
func (*Signing) Paste(string) {}

// Act closes it, the second time if the secret was neither shown nor copied.
func (d *Signing) Act(a keymap.Action) Result {
	if a != keymap.Cancel && a != keymap.Confirm {
		return Result{}
	}
	if !d.store.Webhooks.Signing().Used && !d.warned {
		d.warned = true
		return Result{}
	}
	return Result{Close: true, Intents: []state.Intent{state.DropSigning{}}}
}

// Type shows the secret, hides it, or copies it.
func (d *Signing) Type(key, _ string) Result {
	switch key {
	case signingShow:
		return Result{Intents: []state.Intent{state.ShowSigning{}}}
	case signingCopy:
		return Result{Intents: []state.Intent{state.CopySigningSecret{}}}
	}
	return Result{}
}

// View draws the box.
func (d *Signing) View(w, _ int) []string {
	t, g := d.theme, d.store.Webhooks.Signing()
	w = min(w, 72)
	inner := w - 2
	lines := paragraph(inner, t.Text, "The signing secret of "+state.WebhookHost(string(g.URL))+". It is told this once.")
	lines = append(lines, widget.Spans(inner))
	lines = append(lines, d.secret(inner, g)...)
	lines = append(lines, widget.Spans(inner))
	left := widget.Countdown(max(0, g.Until.Sub(d.store.Now())))
	if d.warned && !g.Used {
		lines = append(lines, paragraph(inner, t.Warn, "neither shown nor copied: esc again forgets it")...)
	} else {
		lines = append(lines, paragraph(inner, t.Muted, "kept for "+left+", and in no file")...)
	}
	show := " show"
	if !g.ShownUntil.IsZero() {
		show = " hide"
	}
	return box(t, "Webhook registered", append(lines, keyLines(t, inner, signingCopy+" copy", signingShow+show, "esc forget it")...), w)
}

// masked is as long whatever the secret is.
const masked = 24

func (d *Signing) secret(w int, g state.Signing) []string {
	t := d.theme
	if g.ShownUntil.IsZero() || d.store.Privacy.Display().Private() {
		return []string{widget.Spans(w, widget.Span{Style: t.Code, Text: " " + strings.Repeat(t.Glyphs.Mask, masked) + " "})}
	}
	secret, ok := d.vault.ReadSigning(g.Webhook)
	if !ok {
		return paragraph(w, t.Muted, "not held")
	}
	defer secret.Wipe()
	var lines []string
	for _, part := range widget.Wrap(state.Sanitise(secret.Expose()), max(8, w-4)) {
		lines = append(lines, widget.Spans(w, widget.Span{Style: t.Code, Text: " " + part + " "}))
	}
	return lines
}
