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
	// Lines tell what it will do; nil shows card and wallet before and after.
	Lines func(w int) []string
	// Again are keys that press the button as well: those that opened the
	// question, so that a deliberate repetition is enough.
	Again []string
	// Closes is how many dialogs are done when it is answered with no.
	Closes int
	// Waits says that no dialog below waits for the outcome: this one does.
	Waits bool
	// Ready starts on the button that does it: what can be taken back.
	Ready bool
	// Typed is what has to be typed before the button can be pressed.
	Typed *Typed
}

// Typed is a text that is typed to show that somebody means it. It cannot be
// pasted.
type Typed struct {
	// Ask names it, such as "last four digits".
	Ask   string
	Match func(text string) bool
}

// Confirm asks before money moves. It starts on Cancel.
type Confirm struct {
	errand
	theme *theme.Theme
	store *state.Store
	what  Question
	yes   bool
	field *textEntry // nil: nothing is typed
	sheet sheet
	told  string // why it was refused
	// after is how many dialogs below close with a yes.
	after int
	// second says that this is the second confirmation of one intent.
	second bool
}

// NewConfirm makes the dialog.
func NewConfirm(t *theme.Theme, s *state.Store, what Question) *Confirm {
	c := &Confirm{theme: t, store: s, what: what, yes: what.Ready}
	if what.Typed != nil {
		c.field = newText()
		c.field.SetStyles(inputStyles(t))
	}
	return c
}

// Sync makes the dialog look at the store again.
func (c *Confirm) Sync(s *state.Store) {
	c.store = s
	if r, refused := c.look(s); refused {
		c.told, c.yes = r.Reason, false
	}
}

// Act moves between the buttons and presses them.
func (c *Confirm) Act(a keymap.Action) Result {
	switch {
	case a == keymap.Cancel:
		return Result{Close: true} // Back to the form, which is still there.
	case c.waiting:
	case a == keymap.Switch:
		c.yes = !c.yes
	case a == keymap.Confirm && !c.yes:
		return Result{Close: true, CloseMore: c.what.Closes - 1}
	case a == keymap.Confirm:
		return c.accept()
	}
	return Result{}
}

// Type takes the key that opened the question as a yes, and what is typed to
// show that it is meant.
func (c *Confirm) Type(key, text string) Result {
	switch {
	case c.waiting:
	case c.field != nil:
		c.field.Key(key, text)
	case slices.Contains(c.what.Again, key):
		return c.accept()
	default:
		c.sheet.key(key)
	}
	return Result{}
}

// Typing tells whether letters are typed here.
func (c *Confirm) Typing() bool { return c.field != nil }

// Question is true: it takes an answer.
func (*Confirm) Question() bool { return true }

// Paste does nothing: pasted text never confirms.
func (c *Confirm) Paste(string) {
	if c.field != nil {
		c.field.SetErr("typed, not pasted: it shows that it is meant")
	}
}

// accept gives the intent, unless it can no longer be done: then the dialog
// stays and says why.
func (c *Confirm) accept() Result {
	c.told = ""
	v := c.store.Check(c.what.Intent)
	if v.Reason != "" {
		return Result{}
	}
	if c.field != nil && !c.what.Typed.Match(c.field.Value()) {
		c.field.SetErr("type the " + c.what.Typed.Ask + " first")
		return Result{}
	}
	if !c.second && (v.Again != "" || v.TypeTwice) {
		return Result{Push: c.again(v)}
	}
	return Result{Close: !c.what.Waits, CloseMore: c.after, Intents: []state.Intent{c.what.Intent}}
}

// again makes the second confirmation.
func (c *Confirm) again(v state.Verdict) *Confirm {
	what := c.what
	why := v.Again
	what.Lines = func(w int) []string {
		return append([]string{widget.Spans(w)}, paragraph(w, c.theme.Warn, why)...)
	}
	what.Again, what.Closes, what.Waits, what.Ready, what.Typed = nil, 1, false, false, nil
	if amount, ok := state.AmountOf(what.Intent); ok && v.TypeTwice {
		what.Typed = &Typed{Ask: "amount again", Match: func(text string) bool {
			e := newAmount()
			e.SetValue(text)
			got, ok := usd(e)
			return ok && got == amount
		}}
		if why == "" {
			why = "this much is typed a second time"
		}
	}
	second := NewConfirm(c.theme, c.store, what)
	second.second = true
	if !c.what.Waits {
		second.after = 1
	}
	return second
}

// problem tells why the button cannot be pressed.
func (c *Confirm) problem() string {
	if c.told != "" {
		return c.told
	}
	return c.store.Check(c.what.Intent).Reason
}

// View draws the box.
func (c *Confirm) View(w, h int) []string {
	t := c.theme
	w = min(w, 62)
	inner := w - 2
	problem := ""
	if !c.waiting {
		problem = c.problem()
	}
	foot := c.foot(inner, problem)
	content := c.content(inner)
	if room := h - 2 - len(foot); len(content) > room && widget.Strip(content[0]) == strings.Repeat(" ", inner) {
		content = content[1:]
	}
	if len(content) > h-2-len(foot) && len(foot) > 3 {
		foot = slices.DeleteFunc(foot, func(l string) bool { return strings.TrimSpace(widget.Strip(l)) == "" })
	}
	content, part := c.sheet.part(content, max(1, h-2-len(foot)))
	if part.Total <= part.Visible {
		part = widget.Scroll{}
	}
	return scrolled(t, c.what.Title, append(slices.Clip(content), foot...), w, part)
}

func (c *Confirm) content(w int) []string {
	if c.what.Lines != nil {
		return c.what.Lines(w)
	}
	return append([]string{widget.Spans(w)}, effectLines(c.theme, c.store, c.what.Intent, w)...)
}

// foot is what stays below what scrolls.
func (c *Confirm) foot(w int, problem string) []string {
	t := c.theme
	lines := complaint(t, w, problem)
	if c.field != nil {
		ask := widget.Span{Style: t.Strong, Text: " " + c.what.Typed.Ask + "  "}
		room := max(1, w-widget.Width(ask.Text)-1)
		lines = append(lines, widget.FitLine(widget.Spans(w-room-1, ask)+c.field.View(room, !c.waiting), w))
		if c.field.Err() != "" {
			lines = append(lines, widget.Spans(w, widget.Span{Style: t.Error, Text: " " + c.field.Err()}))
		}
	}
	if c.waiting {
		return append(lines, sendingLine(t, w))
	}
	disabled := problem != "" || c.field != nil && !c.what.Typed.Match(c.field.Value())
	return append(lines, widget.Spans(w, c.buttons(disabled)...), widget.Spans(w), widget.Spans(w, c.hints(disabled)...))
}

// sendingLine stands where the keys were until there is an answer.
func sendingLine(t *theme.Theme, w int) string {
	return widget.Spans(w, widget.Span{Style: t.Warn, Text: " " + t.Glyphs.Pending + " sending…  "},
		widget.Span{Style: t.Key, Text: "esc"}, widget.Span{Style: t.KeyText, Text: " leaves it running"})
}

func (c *Confirm) buttons(disabled bool) []widget.Span {
	t := c.theme
	cancel, do := t.Selection, t.BadgeMuted
	marks := [2]string{"▸", " "} // For those who do not see the colour.
	if c.yes {
		cancel, do = t.BadgeMuted, t.BadgeWarn
		marks = [2]string{" ", "▸"}
	}
	if disabled {
		do = t.Faint
	}
	return []widget.Span{
		{Text: " "},
		{Style: cancel, Text: marks[0] + "Cancel "},
		{Text: "  "},
		{Style: do, Text: marks[1] + c.what.Verb + " "},
	}
}

// hints names the keys of this dialog.
func (c *Confirm) hints(disabled bool) []widget.Span {
	t := c.theme
	spans := []widget.Span{
		{Style: t.Key, Text: " tab"},
		{Style: t.KeyText, Text: " choose  "},
		{Style: t.Key, Text: "esc"},
		{Style: t.KeyText, Text: " back  "},
	}
	does := ""
	switch {
	case disabled:
		return spans
	case c.yes:
		does = "enter"
	case len(c.what.Again) > 0:
		does = c.what.Again[0]
	default:
		return spans
	}
	return append(spans, widget.Span{Style: t.Key, Text: does}, widget.Span{Style: t.KeyText, Text: " " + strings.ToLower(c.what.Verb)})
}
