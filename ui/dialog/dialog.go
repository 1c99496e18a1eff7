// Package dialog holds what stands over the panes for a moment: the amount
// of a transfer, the question before money moves, the help. Dialogs form a
// stack; the one on top gets every key.
package dialog

import (
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Quiet is how long a question ignores keys after it opened: what a person
// typed for the screen before must not answer what they have not read.
const Quiet = 150 * time.Millisecond

const (
	// unreadFor is how long after its figures changed a question takes no
	// answer: that was meant for those that were there before.
	unreadFor = 500 * time.Millisecond
	// againFor is how long after it took none it takes the next one, whatever
	// changes.
	againFor = 5 * time.Second
)

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
	// Run does what a key does, once the dialog is closed.
	Run *keymap.Binding
	// Told is said of what became of it, in a line.
	Told string
	// Quit ends the program, Turn as well, for another account.
	Quit    bool
	Turn    *Account
	Intents []state.Intent
}

// Stack holds the open dialogs.
type Stack struct {
	open []opened
	// moving says that the wallet was about to change by what this program does
	// when the store was last looked at.
	moving bool
}

// priced is a question about money.
type priced interface {
	// Figures are the balances that it asks about.
	Figures() state.Preview
	// Refuse says why it took no answer.
	Refuse(why string)
}

type opened struct {
	Dialog
	since time.Time
	// shown are the figures that it asks about, turned is when they changed
	// before its eyes, refused when it took no answer because of that.
	shown           state.Preview
	turned, refused time.Time
}

// figures are what a question asks about; none when it is about no money.
func figures(d Dialog) state.Preview {
	if q, ok := d.(priced); ok {
		return q.Figures()
	}
	return state.Preview{}
}

// Push opens a dialog over the others.
func (s *Stack) Push(d Dialog, now time.Time) {
	s.open = append(s.open, opened{Dialog: d, since: now, shown: figures(d)})
}

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

// Unread tells whether the figures of the question on top changed a moment ago:
// then it takes no answer and says so, once. Who answers again has seen it.
func (s *Stack) Unread(now time.Time) bool {
	if len(s.open) == 0 {
		return false
	}
	top := &s.open[len(s.open)-1]
	q, ok := top.Dialog.(priced)
	refused := within(againFor, top.refused, now)
	if !ok || !within(unreadFor, top.turned, now) || refused && !within(unreadFor, top.refused, now) {
		return false
	}
	if !refused {
		top.refused = now
	}
	q.Refuse("the balances changed meanwhile: look, and press again")
	return true
}

// within tells whether something was at most a span of time ago. A clock that
// was set back must not keep an answer away.
func within(span time.Duration, then, now time.Time) bool {
	since := now.Sub(then)
	return !then.IsZero() && since >= 0 && since < span
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

// Sync makes every dialog look at the store again, and closes those that
// waited for what is now there.
func (s *Stack) Sync(st *state.Store) {
	was := s.moving
	s.moving = st.Ops.WalletMoving()
	for i := range s.open {
		e := &s.open[i]
		e.Sync(st)
		before, shown := e.shown, figures(e.Dialog)
		e.shown = shown
		if was || s.moving { // What this program moves itself is no surprise.
			before.WalletBefore, before.WalletAfter = shown.WalletBefore, shown.WalletAfter
		}
		if shown != before {
			e.turned = st.Now()
		}
	}
	s.open = slices.DeleteFunc(s.open, func(e opened) bool {
		waiter, ok := e.Dialog.(interface{ Over() bool })
		return ok && waiter.Over()
	})
}

// Sent tells the dialog on top, if it waits for such, which operation its
// intent has begun.
func (s *Stack) Sent(op state.OpID) {
	if d, ok := s.Top(); ok {
		if waiter, ok := d.(interface{ Sent(op state.OpID) }); ok {
			waiter.Sent(op)
		}
	}
}

// Context is where a dialog's keys are looked up.
func Context(d Dialog) keymap.Context {
	if c, ok := d.(interface{ Context() keymap.Context }); ok {
		return c.Context()
	}
	return keymap.Dialog
}

// box draws a dialog's frame around its lines.
func box(t *theme.Theme, title string, lines []string, w int) []string {
	return scrolled(t, title, lines, w, widget.Scroll{})
}

// scrolled is box for lines that are part of more.
func scrolled(t *theme.Theme, title string, lines []string, w int, part widget.Scroll) []string {
	f := widget.Frame{
		Title: []widget.Span{{Style: t.TitleFocused, Text: title}}, Focused: true, Scroll: part,
		Styles: widget.FrameStyles{Border: t.Border, BorderFocused: t.BorderFocused, Thumb: t.Thumb},
	}
	return f.Draw(lines, w, len(lines)+2)
}

// keyLines names keys and what they do, such as "esc back", in as many lines
// as it takes to cut none.
func keyLines(t *theme.Theme, w int, hints ...string) []string {
	var lines []string
	var line []widget.Span
	for _, hint := range hints {
		key, does, _ := strings.Cut(hint, " ")
		gap := " "
		switch n := widget.SpansWidth(line); {
		case n > 0 && n+2+widget.Width(hint) > w:
			lines, line = append(lines, widget.Spans(w, line...)), nil
		case n > 0:
			gap = "  "
		}
		line = append(line, widget.Span{Style: t.Key, Text: gap + key}, widget.Span{Style: t.KeyText, Text: " " + does})
	}
	if len(line) > 0 {
		lines = append(lines, widget.Spans(w, line...))
	}
	return lines
}

// pair draws a name and what it is.
func pair(t *theme.Theme, w int, name string, spans ...widget.Span) string {
	all := append([]widget.Span{{Style: t.Muted, Text: " " + name}}, spans...)
	return widget.Spans(w, all...)
}
