package ui

import (
	"slices"

	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/key"
	"charm.land/lipgloss/v2"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/ui/layout"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// hints are the footer's keys, from the key table, as many as fit uncut. The
// help's key is always among them: it leads to all others.
func (a *App) hints(w int) string {
	switch {
	case a.store.Privacy.Locked():
		return ""
	case a.box() != nil: // A dialog names its own keys.
		return a.hintsFor(hintsOf{keys: a.cfg.Keys, context: keymap.Always, w: w})
	}
	focused := a.pane(a.focus)
	of := hintsOf{keys: a.cfg.Keys, context: focused.Context(), readOnly: a.store.ReadOnly(), noReveal: a.store.NoReveal(), chosen: a.choosing(), w: w}
	if t, ok := focused.(pane.Typist); ok && t.Typing() {
		of.context = keymap.Filter
	}
	if c, ok := focused.(pane.Carder); ok && c.Card() == "" && !of.chosen {
		of.noCard = true
	}
	if r, ok := focused.(pane.Rower); ok {
		of.noRow = !r.OnRow()
	}
	if focused == pane.Pane(a.panes.cards) {
		of.fold = a.panes.cards.Folds()
	}
	return a.hintsFor(of)
}

// hintsFor draws keys, unless they are those that were drawn last.
func (a *App) hintsFor(of hintsOf) string {
	if of != a.frame.hints.of {
		a.frame.hints = hintLine{of, a.drawHints(of)}
	}
	return a.frame.hints.text
}

// hintLine is the footer's keys as they were last drawn, and what for: lipgloss
// costs more than all the rest of a frame.
type hintLine struct {
	of   hintsOf
	text string
}

// hintsOf is what the footer's keys depend on, besides the theme.
type hintsOf struct {
	keys     *keymap.Map
	context  keymap.Context
	readOnly bool
	noReveal bool
	chosen   bool   // cards are selected
	noCard   bool   // the cursor is on no card, where it could be
	noRow    bool   // the cursor is on no row
	fold     string // what enter does on the head of a group; empty elsewhere
	w        int
}

func (a *App) drawHints(of hintsOf) string {
	keys, text := lipgloss.NewStyle().Foreground(a.theme.Colors.Accent).Bold(true), lipgloss.NewStyle().Foreground(a.theme.Colors.Muted)
	var contexts []keymap.Context
	switch of.context {
	case keymap.Always:
		contexts = []keymap.Context{keymap.Always}
	case keymap.Filter:
		contexts = []keymap.Context{keymap.Filter, keymap.Always}
	default:
		if of.w < helpRoom {
			return " " + keys.Render(of.keys.Key(keymap.Help))
		}
		contexts = keymap.Chain(of.context)
	}
	rows := slices.DeleteFunc(of.keys.Footer(contexts...), of.cannot)
	if of.chosen { // What acts on a selection comes first.
		rows = slices.Concat(
			slices.DeleteFunc(slices.Clone(rows), func(b keymap.Binding) bool { return !b.Many }),
			slices.DeleteFunc(rows, func(b keymap.Binding) bool { return b.Many }),
		)
	}
	bindings := make([]key.Binding, 0, len(rows))
	room := of.w - 1 + len(hintGap) // A blank before the first, no gap behind the last.
	for i := range rows {
		if b := &rows[i]; b.Action == keymap.Help {
			room -= hintWidth(*b)
		} else if b.Action == keymap.Inspect && of.fold != "" {
			b.Short = of.fold
		}
	}
	for _, b := range rows {
		if n := hintWidth(b); b.Action == keymap.Help || n <= room {
			if b.Action != keymap.Help {
				room -= n
			}
			bindings = append(bindings, key.NewBinding(key.WithKeys(b.Keys...), key.WithHelp(b.Keys[0], b.Short)))
		}
	}
	h := help.New()
	h.ShortSeparator = hintGap
	h.Styles = help.Styles{ShortKey: keys, ShortDesc: text, ShortSeparator: text}
	return " " + h.ShortHelpView(bindings)
}

// cannot reports whether a key has nothing to act on.
func (of *hintsOf) cannot(b keymap.Binding) bool {
	switch {
	case b.Has(keymap.NeedWrite) && of.readOnly, b.Has(keymap.NeedDetails) && of.noReveal:
		return true
	case b.Has(keymap.NeedCard) && of.noCard: // The head of a group has cards, and enter folds it.
		return of.fold == "" || !b.Many && b.Action != keymap.Inspect
	}
	return of.noRow && b.Has(keymap.NeedRow)
}

// hintGap stands between two hints.
const hintGap = "  "

func hintWidth(b keymap.Binding) int {
	return widget.Width(b.Keys[0]) + 1 + widget.Width(b.Short) + len(hintGap)
}

// choosing reports whether keys act on a selection.
func (a *App) choosing() bool {
	return a.focus == layout.Main && !a.screens.any() && a.panes.cards.Summary() != ""
}
