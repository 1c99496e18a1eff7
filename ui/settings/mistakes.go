package settings

import (
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Mistakes lists what is wrong in the configuration since it was last changed.
type Mistakes struct {
	dialog.Reader
	keys *keymap.Map
	all  []string
}

// NewMistakes makes the dialog of errors that each name their place.
func NewMistakes(t *theme.Theme, keys *keymap.Map, all []string) *Mistakes {
	return &Mistakes{Reader: dialog.Reader{Theme: t}, keys: keys, all: all}
}

// Traits implements Dialog.
func (m *Mistakes) Traits() dialog.Traits {
	return dialog.Traits{Move: m.Move}
}

// Type closes the list on the keys that open it or quit.
func (m *Mistakes) Type(key, _ string) dialog.Result {
	act, _ := m.keys.Resolve(key, keymap.Global)
	return dialog.Result{Close: act == keymap.Configuration || act == keymap.Quit}
}

// View draws the box. The continuation of an error is indented.
func (m *Mistakes) View(w, h int) []string {
	t := m.Theme
	w = min(w, 110)
	inner := w - 2
	if len(m.all) == 0 {
		return m.Draw(t.Words.T("Configuration"), w, h, dialog.Paragraph(inner, t.Text, t.Words.T("no errors")), nil, "esc "+t.Words.T("close"))
	}
	var rows []string
	for _, text := range m.all {
		for i, line := range widget.Wrap(text, max(1, inner-4)) {
			rows = append(rows, widget.Spans(inner, widget.Span{Style: t.Text, Text: strings.Repeat("  ", min(i, 1)) + " " + line}))
		}
	}
	foot := dialog.Paragraph(inner, t.Muted, t.Words.T("using the last valid settings"))
	return m.Draw(t.Words.Tf("Configuration: %s", t.Words.Tn(len(m.all), "%d error", "%d errors")), w, h, rows, foot, "esc "+t.Words.T("close"))
}
