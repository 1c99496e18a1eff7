package dialog

import (
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Tab asks for the name that a filter is kept under.
type Tab struct {
	theme *theme.Theme
	store *state.Store
	what  state.NameTab
	field *textEntry
	told  string
}

// NewTab makes the dialog.
func NewTab(t *theme.Theme, s *state.Store, what state.NameTab) *Tab {
	d := &Tab{theme: t, store: s, what: what, field: newText()}
	d.field.SetPlaceholder("a short name")
	return d
}

// Context is where the dialog's keys are looked up.
func (*Tab) Context() keymap.Context { return keymap.Form }

// Typing is true: a name is typed.
func (*Tab) Typing() bool { return true }

// Question is false: nothing is at stake.
func (*Tab) Question() bool { return false }

// Sync makes the dialog look at the store again.
func (d *Tab) Sync(s *state.Store) { d.store = s }

// Act keeps the filter under the name, or says why it cannot.
func (d *Tab) Act(a keymap.Action) Result {
	switch a {
	case keymap.Cancel:
		return Result{Close: true}
	case keymap.Confirm:
		in := state.SaveTab{List: d.what.List, Tab: state.Tab{Name: d.field.Value(), Filter: d.what.Filter}}
		if d.told = d.store.Ask(in).Reason; d.told == "" {
			return Result{Close: true, Intents: []state.Intent{in}}
		}
	default:
	}
	return Result{}
}

// Type edits the name.
func (d *Tab) Type(key, text string) Result {
	d.told = ""
	d.field.Key(key, text)
	return Result{}
}

// Paste inserts pasted text.
func (d *Tab) Paste(text string) { d.field.Paste(text) }

// View draws the box.
func (d *Tab) View(w, _ int) []string {
	t := d.theme
	w = min(w, 60)
	inner := w - 2
	d.field.SetStyles(inputStyles(t))
	name := widget.Spans(8, widget.Span{Style: t.Muted, Text: " name"})
	return box(t, "Keep a filter as a tab", append([]string{
		pair(t, inner, "filter ", widget.Span{Style: t.Text, Text: d.what.Filter}),
		widget.FitLine(name+d.field.View(max(1, inner-9), true), inner),
		widget.Spans(inner, widget.Span{Style: t.Error, Text: " " + d.told}),
	}, keyLines(t, inner, "enter keep", "esc back")...), w)
}
