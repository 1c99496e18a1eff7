package dialog

import (
	"fmt"
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
	// Typed is what has to be typed before the button can be pressed.
	Typed *Typed
}

// Typed is a text that is typed to show that somebody means it. It cannot be
// pasted.
type Typed struct {
	// Ask names it, such as "last four digits".
	Ask   string
	Match func(text string) bool
	// Digits says that nothing else is typed.
	Digits bool
}

// Confirm asks before something is done to one card, or to none.
type Confirm struct {
	errand
	theme *theme.Theme
	store *state.Store
	what  Question
	scroller
	approval *approval
	told     string // why it was refused
}

// NewConfirm makes the dialog.
func NewConfirm(t *theme.Theme, s *state.Store, what Question) *Confirm {
	c := &Confirm{theme: t, store: s, what: what, approval: newApproval(t, what.Verb)}
	if what.Typed != nil {
		c.approval.typed(what.Typed.Ask, "", what.Typed.Match)
		c.approval.digits = what.Typed.Digits
	}
	return c
}

// Sync makes the dialog look at the store again.
func (c *Confirm) Sync(s *state.Store) {
	c.store = s
	if r, refused := c.look(s); refused {
		c.told, c.approval.at = r.Reason, onCancel
	}
	c.approval.look(c.verdict())
}

// Traits tells what the stack needs to know of the dialog.
func (c *Confirm) Traits() Traits {
	figures, _ := c.store.Preview(c.what.Intent)
	return c.traits(Traits{Question: true, Typing: c.approval.typing(), Figures: figures, Refuse: c.refuse, Move: c.Move})
}

// Act moves between the buttons and presses them.
func (c *Confirm) Act(a keymap.Action) Result {
	if c.waiting {
		return Result{Close: a == keymap.Cancel} // It goes on without the dialog.
	}
	switch c.approval.act(a, c.verdict().Reason != "") {
	case approved:
		return c.accept()
	case refused:
		if a == keymap.Cancel { // Back to the form, which is still there.
			return Result{Close: true, Told: nothingSent}
		}
		return Result{Close: true, CloseMore: c.what.Closes - 1, Told: nothingSent}
	default:
		return Result{}
	}
}

// Type takes the key that opened the question as a yes, and what is typed to
// show that it is meant.
func (c *Confirm) Type(key, text string) Result {
	switch {
	case c.waiting, c.approval.key(key, text), !slices.Contains(c.what.Again, key):
	case c.approval.why != "":
		c.told = "asked a second time: tab and enter"
	default:
		return c.accept()
	}
	return Result{}
}

// Paste does nothing: pasted text never confirms.
func (c *Confirm) Paste(string) { c.approval.paste() }

// accept gives the intent, unless it can no longer be done: then the dialog
// stays and says why.
func (c *Confirm) accept() Result {
	c.told = ""
	v := c.verdict()
	amount, _ := state.AmountOf(c.what.Intent)
	if v.Reason != "" || c.approval.again(v, "amount again", amount) {
		return Result{}
	}
	return Result{Close: !c.what.Waits, Intents: []state.Intent{c.what.Intent}}
}

// refuse shows why it accepted no answer.
func (c *Confirm) refuse(why string) { c.told = why }

// verdict tells whether it can be done now.
func (c *Confirm) verdict() state.Verdict { return c.store.Check(c.what.Intent) }

// View draws the box.
func (c *Confirm) View(w, h int) []string {
	t := c.theme
	w = min(w, 62)
	inner := w - 2
	content, foot, hints := c.content(inner), c.foot(inner), c.hints()
	keys := keyLines(t, inner, hints...)
	over := func() bool { return len(content)+len(foot)+len(keys) > h-2 }
	blank := func(line string) bool { return strings.TrimSpace(widget.Strip(line)) == "" }
	if over() && blank(content[0]) {
		content = content[1:]
	}
	if over() {
		foot = slices.DeleteFunc(foot, blank)
	}
	if over() {
		keys = keyLines(t, inner, append(hints, "↑↓ more")...)
	}
	foot = append(foot, keys...)
	return scrolled(t, c.what.Title, append(c.part(content, h-2-len(foot)), foot...), w, c.Scroll)
}

func (c *Confirm) content(w int) []string {
	if c.what.Lines != nil {
		return c.what.Lines(w)
	}
	lines := append([]string{widget.Spans(w)}, c.does(w)...)
	return append(lines, frozenLines(c.theme, c.store, c.what.Intent, w)...)
}

// does shows what the intent changes: balances, or the status of a card.
func (c *Confirm) does(w int) []string {
	switch in := c.what.Intent.(type) {
	case state.FreezeCard:
		return c.statusLine(c.theme, c.store, in.Card, state.CardFrozen, w)
	case state.UnfreezeCard:
		return c.statusLine(c.theme, c.store, in.Card, state.CardActive, w)
	default:
		return c.effect(c.theme, c.store, in, w)
	}
}

// foot is what stays below what scrolls.
func (c *Confirm) foot(w int) []string {
	if c.waiting {
		return append(c.readSince(c.theme, c.store, w), widget.Spans(w), sendingLine(c.theme, w))
	}
	v := c.verdict()
	var lines []string
	if c.told != "" && v.Reason == "" {
		lines = complaint(c.theme, w, c.told)
	}
	lines = append(lines, staleLines(c.theme, c.store, c.what.Intent, w)...)
	lines = append(append(lines, widget.Spans(w)), c.approval.lines(w, v)...)
	return append(lines, widget.Spans(w))
}

// hints name the keys that answer.
func (c *Confirm) hints() []string {
	if c.waiting {
		return nil
	}
	blocked := c.verdict().Reason != ""
	hints := c.approval.hints(blocked)
	if again := c.what.Again; len(again) > 0 && !blocked && c.approval.why == "" && c.approval.at == onCancel {
		hints = append(hints, again[0]+" "+strings.ToLower(c.what.Verb))
	}
	return hints
}

// sendingLine stands where the keys were until there is an answer.
func sendingLine(t *theme.Theme, w int) string {
	return widget.Spans(w, widget.Span{Style: t.Warn, Text: " " + t.Glyphs.Pending + " sending…  "},
		widget.Span{Style: t.Key, Text: "esc"}, widget.Span{Style: t.KeyText, Text: " leaves it running"})
}

// NewTerminate asks before a card ends for good: its last digits are typed,
// and it starts on Cancel.
func NewTerminate(t *theme.Theme, s *state.Store, card state.CardID) *Confirm {
	c, _ := s.Cards.Get(card)
	digits := string(c.Last4)
	var dialog *Confirm
	dialog = NewConfirm(t, s, Question{
		Title: "Terminate " + s.Cards.Name(card), Verb: "Terminate", Intent: state.TerminateCard{Card: card}, Closes: 1, Waits: true,
		Typed: &Typed{Ask: "last four digits", Digits: true, Match: func(text string) bool { return strings.TrimSpace(text) == digits && digits != "" }},
		Lines: func(w int) []string { return dialog.refund(card, w) },
	})
	return dialog
}

// refund tells what a termination gives back and takes away.
func (c *Confirm) refund(card state.CardID, w int) []string {
	t := c.theme
	held, _ := c.store.Cards.Get(card)
	back := held.Balance
	if op, ok := c.agreed(c.store); ok {
		back = op.Expected.CardBefore
	}
	lines := []string{widget.Spans(w), pair(t, w, "refund    ", widget.Span{Style: t.Gold, Text: dollars(back)}, widget.Span{Style: t.Muted, Text: " to the wallet"})}
	if _, ok := c.store.Preview(c.what.Intent); ok {
		lines = append(lines, c.effect(t, c.store, c.what.Intent, w)[1])
	}
	return append(lines, widget.Spans(w, widget.Span{Style: t.Bad, Text: " permanent: there is no way back"}))
}

// commandLines are how many lines of a command's own line are shown.
const commandLines = 4

// CommandLines tell what a command of a person's own is about to run, and on
// what.
func CommandLines(t *theme.Theme, s *state.Store, where state.Where, in state.RunCommand, w int) []string {
	lines := []string{widget.Spans(w)}
	for _, about := range subject(s, where, in) {
		lines = append(lines, widget.Spans(w, widget.Span{Style: t.Strong, Text: " " + about}))
	}
	own := widget.Wrap(in.Line, max(1, w-2))
	for _, line := range own[:min(len(own), commandLines)] {
		lines = append(lines, widget.Spans(w, widget.Span{Style: t.Text, Text: " " + line}))
	}
	if len(own) > commandLines {
		lines = append(lines, widget.Spans(w, widget.Span{Style: t.Muted, Text: " …"}))
	}
	return lines
}

// subject names what a command runs on, and what it reads beside that.
func subject(s *state.Store, where state.Where, in state.RunCommand) []string {
	switch where {
	case state.OnCard:
		on := []string{"on " + s.Cards.Name(in.Card)}
		switch n := len(in.Chosen); n {
		case 0:
		case 1:
			on = append(on, "reads the selected card")
		default:
			on = append(on, fmt.Sprintf("reads the %d selected cards", n))
		}
		return on
	case state.OnTransaction:
		if t, ok := s.Transaction(in.Transaction); ok {
			d := s.Privacy.Display()
			return []string{"on " + d.Merchant(t.Merchant.Name) + " " + d.Dollars(t.Amount), "of " + s.Cards.Name(t.CardID)}
		}
	case state.Anywhere:
	}
	return nil
}
