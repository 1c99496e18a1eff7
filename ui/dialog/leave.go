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
	to    *Account // where it leads; nil out of the program
	scroller
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

// Type quits on the key that asked to, or turns to another account.
func (l *Leave) Type(key, _ string) Result {
	if !slices.Contains(l.again, key) {
		return Result{}
	}
	return Result{Quit: true, Turn: l.to}
}

// Question is true: it takes an answer.
func (*Leave) Question() bool { return true }

// Paste does nothing.
func (l *Leave) Paste(string) {}

// View draws the box.
func (l *Leave) View(w, h int) []string {
	t := l.theme
	w = min(w, 62)
	inner := w - 2
	var lines []string
	for _, text := range slices.Concat(l.pending(), l.rest(), l.running()) {
		lines = append(lines, paragraph(inner, t.Text, text)...)
	}
	title, does := "Quit", " quit"
	if l.to != nil {
		title, does = "Switch to "+l.to.Name, " switch"
	}
	keys := []string{"esc stay", l.again[0] + does}
	if room := h - 3; len(lines) > room {
		keys = append(keys, "↑↓ more")
	} else if len(lines)+2 <= room {
		lines = slices.Concat([]string{widget.Spans(inner)}, lines, []string{widget.Spans(inner)})
	}
	foot := keyLines(t, inner, keys...)
	return scrolled(t, title, append(l.part(lines, h-2-len(foot)), foot...), w, l.Scroll)
}

// next is how a person comes back.
func (l *Leave) next() string {
	if l.to != nil {
		return "turning back"
	}
	return "a start"
}

// pending tells of writes without answer.
func (l *Leave) pending() []string {
	what := "a write has no answer yet"
	switch n := l.store.Ops.PendingCount(); {
	case n == 0:
		return nil
	case n > 1:
		what = fmt.Sprintf("%d writes have no answer yet", n)
	}
	if l.gone {
		return []string{what, "the sandbox ends when you leave it, and they with it"}
	}
	return []string{what, l.next() + " within two minutes asks again with the same key; later, compare balance and transactions"}
}

// running tells of a person's own commands, which end with this.
func (l *Leave) running() []string {
	var lines []string
	for _, name := range l.store.Commands.Running() {
		lines = append(lines, "the command "+name+" still runs, and is killed")
	}
	return lines
}

// rest tells of rows of a plan that are not sent.
func (l *Leave) rest() []string {
	n := l.store.Bulk.Unfinished()
	switch {
	case n == 0:
		return nil
	case l.gone:
		return []string{fmt.Sprintf("%d rows of a bulk plan are not sent, and end with it", n)}
	}
	return []string{fmt.Sprintf("%d rows of a bulk plan are not sent; %s offers them", n, l.next())}
}
