package pane

import (
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// filterLimit bounds what is typed into a filter, in code points.
const filterLimit = 80

// Filter is the text a list is narrowed by, and the field it is typed into.
type Filter struct {
	input  widget.Input
	typing bool
}

// NewFilter makes an empty filter.
func NewFilter() *Filter { return &Filter{input: widget.Input{Limit: filterLimit}} }

// Typing tells whether the field is open.
func (f *Filter) Typing() bool { return f.typing }

// Type puts a key into the field and tells whether the text changed.
func (f *Filter) Type(key, text string) (changed bool) {
	before := f.input.Value()
	f.input.Key(key, text)
	return f.input.Value() != before
}

// Act opens the field, keeps or clears the text; done tells whether the
// action was the filter's, changed whether the text changed.
func (f *Filter) Act(a keymap.Action) (done, changed bool) {
	switch {
	case f.typing && a == keymap.Confirm:
		f.typing = false
		return true, false
	case f.typing && a == keymap.Cancel, a == keymap.Back:
		f.typing = false
		changed = f.On()
		f.input.SetValue("")
		return true, changed
	case a == keymap.OpenFilter:
		f.typing = true
		return true, false
	}
	return false, false
}

// On tells whether there is a text to match.
func (f *Filter) On() bool { return f.input.Value() != "" }

// Words are what a row has to hold, all of them, in lower case.
func (f *Filter) Words() []string { return strings.Fields(strings.ToLower(f.input.Value())) }

// Spans shows the filter in a frame's title, with a cursor while it is typed.
func (f *Filter) Spans(t *theme.Theme) []widget.Span {
	switch {
	case f.typing:
		return []widget.Span{{Style: t.Accent, Text: "  / "}, {Style: t.Strong, Text: f.input.Value() + "▏"}}
	case f.On():
		return []widget.Span{{Style: t.Accent, Text: "  / " + f.input.Value()}}
	}
	return nil
}
