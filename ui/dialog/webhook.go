package dialog

import (
	"slices"
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// everyEvent stands for all events, and stands alone.
const everyEvent = "*"

// Webhook is the form of a new endpoint: its address, and the events that are
// picked for it.
type Webhook struct {
	errand
	theme  *theme.Theme
	store  *state.Store
	url    *textEntry
	names  []string
	picked map[string]bool
	// at is 0 in the address and counts the events from 1.
	at   int
	top  int
	told map[string]string // what the API said of a field
	// strict complains of what was not touched yet.
	strict bool
	note   string
}

// NewWebhook makes the form.
func NewWebhook(t *theme.Theme, s *state.Store) *Webhook {
	f := &Webhook{theme: t, store: s, url: newText(), names: append([]string{everyEvent}, state.EventNames()...), picked: map[string]bool{}}
	f.url.SetPlaceholder("https://host/path")
	return f
}

// Context is where the form's keys are looked up.
func (*Webhook) Context() keymap.Context { return keymap.Form }

// Typing tells whether letters are typed here.
func (f *Webhook) Typing() bool { return !f.waiting && f.at == 0 }

// Question is false: nothing is answered here.
func (*Webhook) Question() bool { return false }

// Sync makes the form look at the store again.
func (f *Webhook) Sync(s *state.Store) {
	f.store = s
	r, refused := f.look(s)
	switch {
	case refused && r.Field != "":
		f.told = map[string]string{r.Field: r.Reason}
	case refused:
		f.note = r.Reason
	}
}

// Paste pastes into the address.
func (f *Webhook) Paste(text string) {
	if !f.waiting && f.at == 0 {
		f.url.Paste(strings.TrimSpace(text))
		f.told, f.note = nil, ""
	}
}

// Act moves, or goes on to the review.
func (f *Webhook) Act(a keymap.Action) Result {
	rows := len(f.names) + 1
	switch {
	case a == keymap.Cancel:
		return Result{Close: true}
	case f.waiting:
	case a == keymap.NextField:
		f.at = (f.at + 1) % rows
	case a == keymap.PrevField:
		f.at = (f.at - 1 + rows) % rows
	case a == keymap.Confirm:
		return f.review()
	}
	return Result{}
}

// Type types into the address, or picks the event under the cursor.
func (f *Webhook) Type(key, text string) Result {
	switch {
	case f.waiting:
	case f.at == 0:
		f.url.Key(key, text)
		f.told, f.note = nil, ""
	case text == " " || key == "space":
		f.toggle(f.names[f.at-1])
		f.told, f.note = nil, ""
	}
	return Result{}
}

// toggle picks an event or puts it back. All events stand alone.
func (f *Webhook) toggle(name string) {
	on := !f.picked[name]
	if name == everyEvent || f.picked[everyEvent] {
		clear(f.picked)
	}
	f.picked[name] = on
}

func (f *Webhook) intent() state.CreateWebhook {
	in := state.CreateWebhook{URL: strings.TrimSpace(f.url.Value())}
	for _, name := range f.names {
		if f.picked[name] {
			in.Events = append(in.Events, name)
		}
	}
	return in
}

// wrong tells what is wrong with a field.
func (f *Webhook) wrong(field string) string {
	if told := f.told[field]; told != "" {
		return told
	}
	if !f.strict {
		return ""
	}
	all := f.store.Problems(f.intent())
	if i := slices.IndexFunc(all, func(p state.Problem) bool { return p.Field == field }); i >= 0 {
		return all[i].Reason
	}
	return ""
}

func (f *Webhook) review() Result {
	f.strict, f.told, f.note = true, nil, ""
	in := f.intent()
	switch {
	case f.wrong(state.FieldURL) != "":
		f.at = 0
		return Result{}
	case f.wrong(state.FieldEvents) != "":
		f.at = max(f.at, 1)
		return Result{}
	}
	if v := f.store.Check(in); v.Reason != "" {
		f.note = v.Reason
		return Result{}
	}
	t := f.theme
	return Result{Push: NewConfirm(t, f.store, Question{
		Title: "Register a webhook", Verb: "Register it", Intent: in, Closes: 1, Ready: true,
		Lines: func(w int) []string {
			lines := append([]string{widget.Spans(w)}, facts(t, w, "address", t.Strong, in.URL)...)
			lines = append(lines, facts(t, w, "events", t.Text, eventWords(in.Events))...)
			return append(lines, paragraph(w, t.Muted, "The service makes a signing secret. It is told once: have the receiver's settings open.")...)
		},
	})}
}

func eventWords(events []string) string {
	if slices.Contains(events, everyEvent) {
		return "all, also those to come"
	}
	return strings.Join(events, ", ")
}

// View draws the box.
func (f *Webhook) View(w, h int) []string {
	t := f.theme
	w = min(w, 72)
	inner := w - 2
	f.url.SetStyles(inputStyles(t))
	head := f.address(inner)
	foot := complaint(t, inner, f.note)
	if why := f.wrong(state.FieldEvents); why != "" && f.note == "" {
		foot = complaint(t, inner, why)
	}
	if f.waiting {
		foot = append(foot, sendingLine(t, inner))
	} else {
		foot = append(foot, widget.Spans(inner, widget.Span{Style: t.Key, Text: " enter"}, widget.Span{Style: t.KeyText, Text: " review  "},
			widget.Span{Style: t.Key, Text: "space"}, widget.Span{Style: t.KeyText, Text: " pick  "},
			widget.Span{Style: t.Key, Text: "tab"}, widget.Span{Style: t.KeyText, Text: " next  "},
			widget.Span{Style: t.Key, Text: "esc"}, widget.Span{Style: t.KeyText, Text: " back"}))
	}
	events := f.events(inner)
	room := max(1, min(len(events), h-2-len(head)-len(foot)))
	f.top = max(0, min(max(min(f.top, f.at-1), f.at-room), len(events)-room))
	part := widget.Scroll{Offset: f.top, Visible: room, Total: len(events)}
	if room == len(events) {
		part = widget.Scroll{}
	}
	return scrolled(t, "Register a webhook", slices.Concat(head, events[f.top:f.top+room], foot), w, part)
}

func (f *Webhook) address(w int) []string {
	t := f.theme
	mark, style := " ", t.Muted
	if f.at == 0 {
		mark, style = "▸", t.Strong
	}
	label := labelCells(w)
	line := widget.Spans(label, widget.Span{Style: t.Accent, Text: mark}, widget.Span{Style: style, Text: "address"}) + f.url.View(max(0, w-label-1), f.at == 0)
	lines := []string{widget.FitLine(line+" ", w)}
	if why := f.wrong(state.FieldURL); why != "" {
		lines = append(lines, widget.Spans(w, widget.Span{Text: strings.Repeat(" ", min(label, 2))}, widget.Span{Style: t.Error, Text: why}))
	}
	return lines
}

func (f *Webhook) events(w int) []string {
	t := f.theme
	lines := make([]string, 0, len(f.names))
	for i, name := range f.names {
		mark, style, box := " ", t.Text, "[ ] "
		if f.at == i+1 {
			mark, style = "▸", t.Strong
		}
		switch {
		case f.picked[name]:
			box = "[" + t.Glyphs.Check + "] "
		case f.picked[everyEvent]:
			style = t.Faint
		}
		if name == everyEvent {
			name = "all events"
		}
		lines = append(lines, widget.Spans(w, widget.Span{Style: t.Accent, Text: mark}, widget.Span{Style: style, Text: box + name}))
	}
	return lines
}

// NewDeleteWebhook asks before an endpoint is removed for good.
func NewDeleteWebhook(t *theme.Theme, s *state.Store, id state.WebhookID) *Confirm {
	hook, _ := s.Webhook(id)
	return NewConfirm(t, s, Question{
		Title: "Delete a webhook", Verb: "Delete it", Intent: state.DeleteWebhook{Webhook: id}, Closes: 1, Waits: true,
		Lines: func(w int) []string {
			events := make([]string, 0, len(hook.Events))
			for _, e := range hook.Events {
				events = append(events, string(e))
			}
			lines := append([]string{widget.Spans(w)}, facts(t, w, "address", t.Strong, string(hook.URL))...)
			lines = append(lines, facts(t, w, "events", t.Text, eventWords(events))...)
			return append(lines, paragraph(w, t.Bad, "permanent: nothing is sent there any more, and its secret is worth nothing")...)
		},
	})
}
