package dialog

import (
	"fmt"
	"slices"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Leave asks before the program ends while writes have no answer.
type Leave struct {
	theme *theme.Theme
	store *state.Store
	again []string
}

// NewLeave makes the dialog; the keys in again, those that asked to quit,
// quit.
func NewLeave(t *theme.Theme, s *state.Store, again []string) *Leave {
	return &Leave{theme: t, store: s, again: again}
}

// Sync makes the dialog look at the store again.
func (l *Leave) Sync(s *state.Store) { l.store = s }

// Act stays.
func (l *Leave) Act(a keymap.Action) Result {
	return Result{Close: a == keymap.Cancel || a == keymap.Confirm}
}

// Type quits on the key that asked to.
func (l *Leave) Type(key, _ string) Result {
	return Result{Quit: slices.Contains(l.again, key)}
}

// Paste does nothing.
func (l *Leave) Paste(string) {}

// View draws the box.
func (l *Leave) View(w, _ int) []string {
	t := l.theme
	w = min(w, 62)
	inner := w - 2
	what := "a write has no answer yet"
	if n := l.store.PendingCount(); n != 1 {
		what = fmt.Sprintf("%d writes have no answer yet", n)
	}
	line := func(s string) string { return widget.Spans(inner, widget.Span{Style: t.Text, Text: " " + s}) }
	return box(t, "Quit", []string{
		widget.Spans(inner),
		line(what),
		line("the next start asks again with the same key,"),
		line("so that nothing is done twice"),
		widget.Spans(inner),
		widget.Spans(inner, widget.Span{Style: t.Key, Text: " esc"}, widget.Span{Style: t.KeyText, Text: " stay  "},
			widget.Span{Style: t.Key, Text: l.again[0]}, widget.Span{Style: t.KeyText, Text: " quit"}),
	}, w)
}
