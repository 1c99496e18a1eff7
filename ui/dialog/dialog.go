// Package dialog holds what stands over the panes for a moment: the amount
// of a transfer, the question before money moves, the help. Dialogs form a
// stack; the one on top gets every key.
package dialog

import (
	"time"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Quiet is how long a question ignores keys after it opened: what a person
// typed for the screen before must not answer what they have not read.
const Quiet = 150 * time.Millisecond

// Dialog is one box. It is bound to the ids it was opened with, whatever the
// panes below do.
type Dialog interface {
	// Sync makes the dialog look at the store again.
	Sync(*state.Store)
	// Act does what a key of the dialog context asks for.
	Act(keymap.Action) Result
	// Type takes a key that no binding claims; text is what it types.
	Type(key, text string) Result
	// Paste takes pasted text.
	Paste(text string)
	// Question tells whether a key can answer something here: such a dialog
	// takes none until there was time to read it.
	Question() bool
	// View draws the box, at most w cells wide and h lines high.
	View(w, h int) []string
}

// Result is what a dialog wants after a key.
type Result struct {
	// Close closes the dialog, CloseMore as many below it as well.
	Close     bool
	CloseMore int
	Push      Dialog
	// Quit ends the program.
	Quit    bool
	Intents []state.Intent
}

// Stack holds the open dialogs.
type Stack struct {
	open []entry
}

type entry struct {
	Dialog
	since time.Time
}

// Push opens a dialog over the others.
func (s *Stack) Push(d Dialog, now time.Time) { s.open = append(s.open, entry{d, now}) }

// Top gives the dialog that gets the keys.
func (s *Stack) Top() (Dialog, bool) {
	if len(s.open) == 0 {
		return nil, false
	}
	return s.open[len(s.open)-1].Dialog, true
}

// Quiet tells whether a question is on top that opened too recently to take
// keys. A field may be typed into at once.
func (s *Stack) Quiet(now time.Time) bool {
	if len(s.open) == 0 {
		return false
	}
	top := s.open[len(s.open)-1]
	return top.Question() && now.Sub(top.since) < Quiet
}

// Settle carries out what a dialog asked for but its intents.
func (s *Stack) Settle(r Result, now time.Time) {
	if r.Close {
		s.open = s.open[:max(0, len(s.open)-1-r.CloseMore)]
	}
	if r.Push != nil {
		s.Push(r.Push, now)
	}
}

// Clear closes all.
func (s *Stack) Clear() { s.open = nil }

// Sync makes every dialog look at the store again.
func (s *Stack) Sync(st *state.Store) {
	for _, e := range s.open {
		e.Sync(st)
	}
}

// box draws a dialog's frame around its lines.
func box(t *theme.Theme, title string, lines []string, w int) []string {
	f := widget.Frame{
		Title: []widget.Span{{Style: t.TitleFocused, Text: title}}, Focused: true,
		Styles: widget.FrameStyles{Border: t.Border, BorderFocused: t.BorderFocused, Thumb: t.Thumb},
	}
	return f.Draw(lines, w, len(lines)+2)
}

// pair draws a name and what it is.
func pair(t *theme.Theme, w int, name string, spans ...widget.Span) string {
	all := append([]widget.Span{{Style: t.Muted, Text: " " + name}}, spans...)
	return widget.Spans(w, all...)
}
