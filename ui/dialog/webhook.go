package dialog

import (
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// everyEvent subscribes to all events, and excludes the others.
const everyEvent = "*"

// Webhook is the form of a new endpoint: its URL and its events.
type Webhook struct {
	submission
	theme *theme.Theme
	store *state.Store
	form  *form
	url   *textEntry
	picks []*pick
}

// NewWebhook makes the form.
func NewWebhook(t *theme.Theme, s *state.Store) *Webhook {
	f := &Webhook{theme: t, url: newText()}
	f.url.SetPlaceholder("https://host/path")
	fields := []*field{{name: state.FieldURL, label: t.Words.T("URL"), entry: f.url}}
	label := t.Words.T("events")
	for _, name := range append([]string{everyEvent}, state.EventNames()...) {
		text := name
		if name == everyEvent {
			text = t.Words.T("all events")
		}
		f.picks = append(f.picks, &pick{name: name, text: text, check: t.Glyphs.Check})
		fields = append(fields, &field{name: state.FieldEvents, label: label, entry: f.picks[len(f.picks)-1]})
		label = ""
	}
	f.form = newForm(t, fields...)
	f.form.more = []string{"space " + t.Words.T("select")}
	f.Sync(s, kernel.TopicAll)
	return f
}

// Sync makes the form read the store again.
func (f *Webhook) Sync(s *state.Store, _ kernel.Topic) {
	f.store = s
	if r, refused := f.refusal(s); refused {
		f.form.refused(r.Field, r.Reason)
	}
	f.validate()
}

// validate shows at each field what is wrong with it.
func (f *Webhook) validate() { f.form.setProblems(f.store.Problems(f.intent())) }

// Paste pastes into the URL.
func (f *Webhook) Paste(text string) {
	if !f.waiting {
		f.form.edit(func(e entry) { e.Paste(strings.TrimSpace(text)) })
		f.validate()
	}
}

// Traits implements Dialog.
func (f *Webhook) Traits() Traits {
	return f.traits(Traits{Context: keymap.Form, Typing: f.form.letters()})
}

// Act moves between the fields, or opens the review.
func (f *Webhook) Act(a keymap.Action) Result {
	switch {
	case a == keymap.Cancel:
		return Result{Close: true}
	case f.waiting, f.form.act(a):
	case a == keymap.Confirm:
		return f.review()
	}
	return Result{}
}

// Type edits the URL, or selects the event under the cursor.
func (f *Webhook) Type(key, text string) Result {
	if f.waiting {
		return Result{}
	}
	f.form.edit(func(e entry) { e.Key(key, text) })
	if last, ok := f.form.focused().entry.(*pick); ok && last.on {
		for _, p := range f.picks {
			p.on = p == last || p.on && p.name != everyEvent && last.name != everyEvent
		}
	}
	f.validate()
	return Result{}
}

// intent returns the request as typed so far.
func (f *Webhook) intent() state.CreateWebhook {
	f.form.clearProblems()
	in := state.CreateWebhook{URL: strings.TrimSpace(f.url.Value())}
	for _, p := range f.picks {
		if p.on {
			in.Events = append(in.Events, p.name)
		}
	}
	return in
}

func (f *Webhook) review() Result {
	in := f.intent()
	f.validate()
	if !f.form.passes(f.store, in) {
		return Result{}
	}
	t := f.theme
	return Result{Push: NewConfirm(t, f.store, Question{
		Title: t.Words.T("Register a webhook"), Verb: t.Words.T("Register"), Intent: in, Closes: 1,
		Lines: func(w int) []string {
			lines := append([]string{widget.Spans(w)}, facts(t, w, t.Words.T("URL"), t.Strong, in.URL)...)
			lines = append(lines, facts(t, w, t.Words.T("events"), t.Text, eventWords(t.Words, in.Events))...)
			return append(lines, paragraph(w, t.Muted, t.Words.T("The service creates a signing secret and shows it once: have the receiver's settings open."))...)
		},
	})}
}

func eventWords(w *lang.Words, events []string) string {
	if slices.Contains(events, everyEvent) {
		return w.T("all, including future ones")
	}
	return strings.Join(events, ", ")
}

// View draws the box.
func (f *Webhook) View(w, h int) []string {
	return f.form.view(f.theme.Words.T("Register a webhook"), min(w, 72), h, nil, f.waiting)
}

// NewDeleteWebhook asks before an endpoint is deleted.
func NewDeleteWebhook(t *theme.Theme, s *state.Store, id api.WebhookID) *Confirm {
	hook, _ := s.Webhooks.Get(id)
	return NewConfirm(t, s, Question{
		Title: t.Words.T("Delete a webhook"), Verb: t.Words.T("Delete"), Intent: state.DeleteWebhook{Webhook: id}, Closes: 1, Waits: true,
		Lines: func(w int) []string {
			events := make([]string, 0, len(hook.Events))
			for _, e := range hook.Events {
				events = append(events, string(e))
			}
			lines := append([]string{widget.Spans(w)}, facts(t, w, t.Words.T("URL"), t.Strong, string(hook.URL))...)
			lines = append(lines, facts(t, w, t.Words.T("events"), t.Text, eventWords(t.Words, events))...)
			return append(lines, paragraph(w, t.Bad, t.Words.T("permanent: deliveries stop and its secret is void"))...)
		},
	})
}

// The keys of the signing secret, as for a card's details.
const (
	signingShow = "r"
	signingCopy = "y"
)

// Signing shows the signing secret of a webhook that was just registered. It is
// masked until asked for, and forgotten with the dialog.
type Signing struct {
	inert
	theme *theme.Theme
	store *state.Store
	vault secrets.Vault
	// warned: there was a warning that the secret is still unused.
	warned bool
}

// NewSigning makes the dialog. The secret stays in the vault and is read for
// each frame.
func NewSigning(t *theme.Theme, s *state.Store, v secrets.Vault) *Signing {
	return &Signing{theme: t, store: s, vault: v}
}

// Sync makes the dialog read the store again.
func (d *Signing) Sync(s *state.Store, _ kernel.Topic) { d.store = s }

// Traits implements Dialog.
func (d *Signing) Traits() Traits {
	signing := d.store.Webhooks.Signing()
	return Traits{Question: true, Holds: !signing.Used, Done: signing.Webhook == ""}
}

// Act closes it, on the second key if the secret was neither shown nor copied.
func (d *Signing) Act(a keymap.Action) Result {
	if a != keymap.Cancel && a != keymap.Confirm {
		return Result{}
	}
	if !d.store.Webhooks.Signing().Used && !d.warned {
		d.warned = true
		return Result{}
	}
	return Result{Close: true, Intents: []kernel.Intent{state.DropSigning{}}}
}

// Type shows the secret, hides it, or copies it.
func (d *Signing) Type(key, _ string) Result {
	switch key {
	case signingShow:
		return Result{Intents: []kernel.Intent{state.ShowSigning{}}}
	case signingCopy:
		return Result{Intents: []kernel.Intent{state.CopySigningSecret{}}}
	}
	return Result{}
}

// View draws the box.
func (d *Signing) View(w, _ int) []string {
	t, g := d.theme, d.store.Webhooks.Signing()
	w = min(w, 72)
	inner := w - 2
	lines := paragraph(inner, t.Text, t.Words.Tf("Signing secret of %s. It is shown only once.", state.WebhookHost(string(g.URL))))
	lines = append(lines, widget.Spans(inner))
	lines = append(lines, d.secret(inner, g)...)
	lines = append(lines, widget.Spans(inner))
	left := widget.Countdown(max(0, g.Until.Sub(d.store.Now())))
	if d.warned && !g.Used {
		lines = append(lines, paragraph(inner, t.Warn, t.Words.T("not shown or copied yet: esc again discards it"))...)
	} else {
		lines = append(lines, paragraph(inner, t.Muted, t.Words.Tf("held in memory for %s", left))...)
	}
	show := t.Words.T("show")
	if !g.ShownUntil.IsZero() {
		show = t.Words.T("hide")
	}
	return box(t, t.Words.T("Webhook registered"), append(lines, keyLines(t, inner, signingCopy+" "+t.Words.T("copy"), signingShow+" "+show, "esc "+t.Words.T("discard"))...), w)
}

// masked is the length of the mask, whatever the secret's.
const masked = 24

func (d *Signing) secret(w int, g state.Signing) []string {
	t := d.theme
	if g.ShownUntil.IsZero() || d.store.Privacy.Display().Private() {
		return []string{widget.Spans(w, widget.Span{Style: t.Code, Text: " " + strings.Repeat(t.Glyphs.Mask, masked) + " "})}
	}
	secret, ok := d.vault.ReadSigning(g.Webhook)
	if !ok {
		return paragraph(w, t.Muted, t.Words.T("not held"))
	}
	defer secret.Wipe()
	var lines []string
	for _, part := range widget.Wrap(state.Sanitise(secret.Expose()), max(8, w-4)) {
		lines = append(lines, widget.Spans(w, widget.Span{Style: t.Code, Text: " " + part + " "}))
	}
	return lines
}
