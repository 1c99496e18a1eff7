package dialog

import (
	"slices"
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Question is what a confirmation asks.
type Question struct {
	// Title names the thing, Verb is the word on the button that does it.
	Title, Verb string
	Intent      state.Intent
	// Again are keys that press the button as well: those that opened the
	// question, so that a deliberate repetition is enough.
	Again []string
	// Closes is how many dialogs are done once it is answered with yes.
	Closes int
}

// Confirm asks before money moves. It starts on Cancel.
type Confirm struct {
	theme *theme.Theme
	store *state.Store
	what  Question
	yes   bool
}

// NewConfirm makes the dialog.
func NewConfirm(t *theme.Theme, s *state.Store, what Question) *Confirm {
	return &Confirm{theme: t, store: s, what: what}
}

// Sync makes the dialog look at the store again.
func (c *Confirm) Sync(s *state.Store) { c.store = s }

// Act moves between the buttons and presses them.
func (c *Confirm) Act(a keymap.Action) Result {
	switch {
	case a == keymap.Switch:
		c.yes = !c.yes
	case a == keymap.Cancel:
		return Result{Close: true} // Back to the amount, which is still there.
	case a == keymap.Confirm && !c.yes:
		return Result{Close: true, CloseMore: c.what.Closes - 1}
	case a == keymap.Confirm:
		return c.accept()
	}
	return Result{}
}

// Type takes the key that opened the question as a yes.
func (c *Confirm) Type(key, _ string) Result {
	if slices.Contains(c.what.Again, key) {
		return c.accept()
	}
	return Result{}
}

// Question is true: it takes an answer.
func (*Confirm) Question() bool { return true }

// Paste does nothing: pasted text never confirms.
func (c *Confirm) Paste(string) {}

// accept gives the intent, unless it can no longer be done: then the dialog
// stays and says why.
func (c *Confirm) accept() Result {
	if c.store.Check(c.what.Intent).Reason != "" {
		return Result{}
	}
	return Result{Close: true, CloseMore: c.what.Closes - 1, Intents: []state.Intent{c.what.Intent}}
}

// View draws the box.
func (c *Confirm) View(w, _ int) []string {
	t := c.theme
	w = min(w, 58)
	inner := w - 2
	lines := append([]string{widget.Spans(inner)}, effectLines(t, c.store, c.what.Intent, inner)...)
	problem := c.store.Check(c.what.Intent).Reason
	lines = append(lines,
		widget.Spans(inner, widget.Span{Style: t.Error, Text: " " + problem}),
		widget.Spans(inner, c.buttons(problem != "")...),
		widget.Spans(inner),
		widget.Spans(inner, c.hints(problem != "")...),
	)
	return box(t, c.what.Title, lines, w)
}

func (c *Confirm) buttons(disabled bool) []widget.Span {
	t := c.theme
	cancel, do := t.Selection, t.BadgeMuted
	if c.yes {
		cancel, do = t.BadgeMuted, t.BadgeWarn
	}
	if disabled {
		do = t.Faint
	}
	return []widget.Span{
		{Text: " "},
		{Style: cancel, Text: " Cancel "},
		{Text: "  "},
		{Style: do, Text: " " + c.what.Verb + " "},
	}
}

// hints names the keys of this dialog.
func (c *Confirm) hints(disabled bool) []widget.Span {
	t := c.theme
	spans := []widget.Span{{Style: t.Key, Text: " tab"}, {Style: t.KeyText, Text: " choose  "}}
	if len(c.what.Again) > 0 && !disabled {
		spans = append(spans, widget.Span{Style: t.Key, Text: c.what.Again[0]}, widget.Span{Style: t.KeyText, Text: " " + strings.ToLower(c.what.Verb) + "  "})
	}
	return append(spans, widget.Span{Style: t.Key, Text: "esc"}, widget.Span{Style: t.KeyText, Text: " back"})
}
