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
	gone  bool
}

// NewLeave makes the dialog; the keys in again, those that asked to quit,
// quit. gone says that the account ends with the program.
func NewLeave(t *theme.Theme, s *state.Store, again []string, gone bool) *Leave {
	return &Leave{theme: t, store: s, again: again, gone: gone}
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

// Question is true: it takes an answer.
func (*Leave) Question() bool { return true }

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
	next := [2]string{"a start within two minutes asks again with the", "same key; later, compare balance and transactions"}
	if l.gone {
		next = [2]string{"the sandbox ends with the program,", "and they with it"}
	}
	line := func(s string) string { return widget.Spans(inner, widget.Span{Style: t.Text, Text: " " + s}) }
	return box(t, "Quit", []string{
		widget.Spans(inner),
		line(what),
		line(next[0]),
		line(next[1]),
		widget.Spans(inner),
		widget.Spans(inner, widget.Span{Style: t.Key, Text: " esc"}, widget.Span{Style: t.KeyText, Text: " stay  "},
			widget.Span{Style: t.Key, Text: l.again[0]}, widget.Span{Style: t.KeyText, Text: " quit"}),
	}, w)
}
