package webhooks

import (
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/webhooks"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// everyEvent subscribes to all events, and excludes the others.
const everyEvent = "*"

// Webhook is the form of a new endpoint: its URL and its events.
type Webhook struct {
	dialog.Submission
	theme *theme.Theme
	store *state.Store
	form  *dialog.Form
	url   *dialog.TextEntry
	picks []*dialog.Checkbox
}

// NewWebhook makes the form.
func NewWebhook(t *theme.Theme, s *state.Store) *Webhook {
	f := &Webhook{theme: t, url: dialog.NewText()}
	f.url.SetPlaceholder("https://host/path")
	fields := []*dialog.Field{{Name: state.FieldURL, Label: t.Words.T("URL"), Entry: f.url}}
	label := t.Words.T("events")
	for _, name := range append([]string{everyEvent}, webhooks.EventNames()...) {
		text := name
		if name == everyEvent {
			text = t.Words.T("all events")
		}
		f.picks = append(f.picks, &dialog.Checkbox{Name: name, Text: text, Check: t.Glyphs.Check})
		fields = append(fields, &dialog.Field{Name: state.FieldEvents, Label: label, Entry: f.picks[len(f.picks)-1]})
		label = ""
	}
	f.form = dialog.NewForm(t, fields...)
	f.form.More = []string{"space " + t.Words.T("select")}
	f.Sync(s, kernel.TopicAll)
	return f
}

// Sync makes the form read the store again.
func (f *Webhook) Sync(s *state.Store, _ kernel.Topic) {
	f.store = s
	if r, refused := f.Refusal(s); refused {
		f.form.Refused(r.Field, r.Reason)
	}
	f.validate()
}

// validate shows at each field what is wrong with it.
func (f *Webhook) validate() { f.form.SetProblems(f.store.Problems(f.intent())) }

// Paste pastes into the URL.
func (f *Webhook) Paste(text string) {
	if !f.Waiting {
		f.form.Edit(func(e dialog.Entry) { e.Paste(strings.TrimSpace(text)) })
		f.validate()
	}
}

// Traits implements Dialog.
func (f *Webhook) Traits() dialog.Traits {
	return f.SubmissionTraits(dialog.Traits{Context: keymap.Form, Typing: f.form.Letters()})
}

// Act moves between the fields, or opens the review.
func (f *Webhook) Act(a keymap.Action) dialog.Result {
	switch {
	case a == keymap.Cancel:
		return dialog.Result{Close: true}
	case f.Waiting, f.form.Act(a):
	case a == keymap.Confirm:
		return f.review()
	}
	return dialog.Result{}
}

// Type edits the URL, or selects the event under the cursor.
func (f *Webhook) Type(key, text string) dialog.Result {
	if f.Waiting {
		return dialog.Result{}
	}
	f.form.Edit(func(e dialog.Entry) { e.Key(key, text) })
	if last, ok := f.form.Focused().Entry.(*dialog.Checkbox); ok && last.On {
		for _, p := range f.picks {
			p.On = p == last || p.On && p.Name != everyEvent && last.Name != everyEvent
		}
	}
	f.validate()
	return dialog.Result{}
}

// intent returns the request as typed so far.
func (f *Webhook) intent() state.CreateWebhook {
	f.form.ClearProblems()
	in := state.CreateWebhook{URL: strings.TrimSpace(f.url.Value())}
	for _, p := range f.picks {
		if p.On {
			in.Events = append(in.Events, p.Name)
		}
	}
	return in
}

func (f *Webhook) review() dialog.Result {
	in := f.intent()
	f.validate()
	if !f.form.Passes(f.store, in) {
		return dialog.Result{}
	}
	t := f.theme
	return dialog.Result{Push: dialog.NewConfirm(t, f.store, dialog.Question{
		Title: t.Words.T("Register a webhook"), Verb: t.Words.T("Register"), Intent: in, Closes: 1,
		Lines: func(w int) []string {
			lines := append([]string{widget.Spans(w)}, dialog.FactLines(t, w, t.Words.T("URL"), t.Strong, in.URL)...)
			lines = append(lines, dialog.FactLines(t, w, t.Words.T("events"), t.Text, eventWords(t.Words, in.Events))...)
			return append(lines, dialog.Paragraph(w, t.Muted, t.Words.T("The service creates a signing secret and shows it once: have the receiver's settings open."))...)
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
	return f.form.Draw(f.theme.Words.T("Register a webhook"), min(w, 72), h, nil, f.Waiting)
}

// NewDeleteWebhook asks before an endpoint is deleted.
func NewDeleteWebhook(t *theme.Theme, s *state.Store, id api.WebhookID) *dialog.Confirm {
	hook, _ := s.Webhooks.Get(id)
	return dialog.NewConfirm(t, s, dialog.Question{
		Title: t.Words.T("Delete a webhook"), Verb: t.Words.T("Delete"), Intent: state.DeleteWebhook{Webhook: id}, Closes: 1, Waits: true,
		Lines: func(w int) []string {
			events := make([]string, 0, len(hook.Events))
			for _, e := range hook.Events {
				events = append(events, string(e))
			}
			lines := append([]string{widget.Spans(w)}, dialog.FactLines(t, w, t.Words.T("URL"), t.Strong, string(hook.URL))...)
			lines = append(lines, dialog.FactLines(t, w, t.Words.T("events"), t.Text, eventWords(t.Words, events))...)
			return append(lines, dialog.Paragraph(w, t.Bad, t.Words.T("permanent: deliveries stop and its secret is void"))...)
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
	dialog.Inert
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
func (d *Signing) Traits() dialog.Traits {
	signing := d.store.Webhooks.Signing()
	return dialog.Traits{Question: true, Holds: !signing.Used, Done: signing.Webhook == ""}
}

// Act closes it, on the second key if the secret was neither shown nor copied.
func (d *Signing) Act(a keymap.Action) dialog.Result {
	if a != keymap.Cancel && a != keymap.Confirm {
		return dialog.Result{}
	}
	if !d.store.Webhooks.Signing().Used && !d.warned {
		d.warned = true
		return dialog.Result{}
	}
	return dialog.Result{Close: true, Intents: []kernel.Intent{webhooks.DropSigning{}}}
}

// Type shows the secret, hides it, or copies it.
func (d *Signing) Type(key, _ string) dialog.Result {
	switch key {
	case signingShow:
		return dialog.Result{Intents: []kernel.Intent{webhooks.ShowSigning{}}}
	case signingCopy:
		return dialog.Result{Intents: []kernel.Intent{secrets.CopySigningSecret{}}}
	}
	return dialog.Result{}
}

// View draws the box.
func (d *Signing) View(w, _ int) []string {
	t, g := d.theme, d.store.Webhooks.Signing()
	w = min(w, 72)
	inner := w - 2
	lines := dialog.Paragraph(inner, t.Text, t.Words.Tf("Signing secret of %s. It is shown only once.", webhooks.Host(string(g.URL))))
	lines = append(lines, widget.Spans(inner))
	lines = append(lines, d.secret(inner, g)...)
	lines = append(lines, widget.Spans(inner))
	left := widget.Countdown(max(0, g.Until.Sub(d.store.Now())))
	if d.warned && !g.Used {
		lines = append(lines, dialog.Paragraph(inner, t.Warn, t.Words.T("not shown or copied yet: esc again discards it"))...)
	} else {
		lines = append(lines, dialog.Paragraph(inner, t.Muted, t.Words.Tf("held in memory for %s", left))...)
	}
	show := t.Words.T("show")
	if !g.ShownUntil.IsZero() {
		show = t.Words.T("hide")
	}
	return dialog.Box(t, t.Words.T("Webhook registered"), append(lines, dialog.KeyLines(t, inner, signingCopy+" "+t.Words.T("copy"), signingShow+" "+show, "esc "+t.Words.T("discard"))...), w)
}

// masked is the length of the mask, whatever the secret's.
const masked = 24

func (d *Signing) secret(w int, g webhooks.Signing) []string {
	t := d.theme
	if g.ShownUntil.IsZero() || d.store.Privacy.Display().Private() {
		return []string{widget.Spans(w, widget.Span{Style: t.Code, Text: " " + strings.Repeat(t.Glyphs.Mask, masked) + " "})}
	}
	secret, ok := d.vault.ReadSigning(g.Webhook)
	if !ok {
		return dialog.Paragraph(w, t.Muted, t.Words.T("not held"))
	}
	defer secret.Wipe()
	var lines []string
	for _, part := range widget.Wrap(state.Sanitise(secret.Expose()), max(8, w-4)) {
		lines = append(lines, widget.Spans(w, widget.Span{Style: t.Code, Text: " " + part + " "}))
	}
	return lines
}
