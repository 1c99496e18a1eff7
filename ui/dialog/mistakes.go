package dialog

import (
	"fmt"
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Mistakes lists what is wrong in the configuration as it was last changed.
type Mistakes struct {
	theme *theme.Theme
	keys  *keymap.Map
	all   []string
	scroller
}

// NewMistakes makes the dialog of mistakes that each name their place.
func NewMistakes(t *theme.Theme, keys *keymap.Map, all []string) *Mistakes {
	return &Mistakes{theme: t, keys: keys, all: all}
}

// Sync does nothing: the list is of the file as it was read.
func (*Mistakes) Sync(*state.Store) {}

// Question is false: nothing is answered here.
func (*Mistakes) Question() bool { return false }

// Paste does nothing.
func (*Mistakes) Paste(string) {}

// Act closes the list.
func (*Mistakes) Act(a keymap.Action) Result {
	return Result{Close: a == keymap.Cancel || a == keymap.Confirm}
}

// Type closes the list on the keys that open it or quit.
func (m *Mistakes) Type(key, _ string) Result {
	act, _ := m.keys.Resolve(key, keymap.Global)
	return Result{Close: act == keymap.Configuration || act == keymap.Quit}
}

// View draws the box. What goes on in a second line stands in from the first.
func (m *Mistakes) View(w, h int) []string {
	t := m.theme
	w = min(w, 110)
	inner := w - 2
	var rows []string
	for _, text := range m.all {
		for i, line := range widget.Wrap(text, max(1, inner-4)) {
			rows = append(rows, widget.Spans(inner, widget.Span{Style: t.Text, Text: strings.Repeat("  ", min(i, 1)) + " " + line}))
		}
	}
	title := "Configuration"
	var foot []string
	if len(rows) == 0 {
		rows = paragraph(inner, t.Text, "no mistake was found in the configuration")
	} else {
		title += fmt.Sprintf("  %d wrong", len(m.all))
		foot = paragraph(inner, t.Muted, "using the last valid settings")
	}
	keys := []string{"esc close"}
	if len(rows) > h-3-len(foot) {
		keys = append(keys, "↑↓ more")
	}
	foot = append(foot, keyLines(t, inner, keys...)...)
	return scrolled(t, title, append(m.part(rows, h-2-len(foot)), foot...), w, m.Scroll)
}
