package dialog

import (
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// approval is how a person says yes to rows they have seen: by the button
// that does it. It starts on that button only where everything can be taken
// back; what cannot has to be typed as well.
type approval struct {
	theme *theme.Theme
	verb  string
	yes   bool
	// ask names what is typed first, such as "number of cards"; empty: nothing.
	ask   string
	match func(string) bool
	field widget.Input
	// why tells that this is asked a second time, and for what reason.
	why string
}

// answer is what a key said.
type answer uint8

const (
	noAnswer answer = iota
	refused
	approved
)

func newApproval(t *theme.Theme, verb string, danger state.Danger) *approval {
	return &approval{theme: t, verb: verb, yes: danger < state.Money, field: widget.Input{Limit: typedLimit}}
}

// typedLimit bounds what is typed to show that it is meant, in code points.
const typedLimit = 24

// typed has a text typed first. It cannot be pasted.
func (a *approval) typed(ask, placeholder string, match func(string) bool) {
	a.ask, a.match = ask, match
	a.field = widget.Input{Limit: typedLimit, Placeholder: placeholder}
}

// number has a number typed first.
func (a *approval) number(ask string, n int) {
	want := strconv.Itoa(n)
	a.typed(ask, want, func(text string) bool { return text == want })
}

// again asks a second time when the guardrails want that; false when once was
// enough, or this was the second time.
func (a *approval) again(v state.Verdict, sum state.USD) bool {
	if a.why != "" || v.Again == "" && !v.TypeTwice {
		return false
	}
	a.why, a.yes, a.ask = v.Again, false, ""
	if a.why == "" {
		a.why = "this much is typed a second time"
	}
	if v.TypeTwice {
		a.typed("sum again", sum.String(), func(text string) bool {
			field := widget.NewAmount(widget.InputStyles{})
			field.SetValue(text)
			cents, ok := field.Cents()
			return ok && state.USD(cents)*state.Cent == sum
		})
	}
	return true
}

// typing tells whether digits are typed here.
func (a *approval) typing() bool { return a.ask != "" }

// ready tells whether what has to be typed is.
func (a *approval) ready() bool { return a.ask == "" || a.match(strings.TrimSpace(a.field.Value())) }

func (a *approval) act(action keymap.Action) answer {
	switch {
	case action == keymap.Switch:
		a.yes = !a.yes
	case action == keymap.Cancel, action == keymap.Confirm && !a.yes:
		return refused
	case action == keymap.Confirm && a.ready():
		return approved
	case action == keymap.Confirm:
		a.field.SetErr("type the " + a.ask + " first")
	}
	return noAnswer
}

// key types; false when nothing is typed here.
func (a *approval) key(key, text string) bool {
	if a.ask == "" {
		return false
	}
	a.field.Key(key, text)
	return true
}

func (a *approval) paste() {
	if a.ask != "" {
		a.field.SetErr("typed, not pasted: it shows that it is meant")
	}
}

// lines draws what is typed and the buttons. problem tells why there is
// nothing to approve.
func (a *approval) lines(w int, problem string) []string {
	t := a.theme
	var out []string
	if a.why != "" {
		out = paragraph(w, t.Warn, a.why)
	}
	if problem == "" {
		problem = a.field.Err()
	}
	if problem != "" {
		out = append(out, complaint(t, w, problem)...)
	}
	if a.ask != "" {
		a.field.Styles = inputStyles(t)
		head := widget.Spans(min(w, widget.Width(a.ask)+3), widget.Span{Style: t.Strong, Text: " " + a.ask + "  "})
		out = append(out, widget.FitLine(head+a.field.View(max(1, w-widget.LineWidth(head)-1), true), w))
	}
	cancel, do := t.Selection, t.BadgeMuted
	marks := [2]string{"▸", " "} // For those who do not see the colour.
	if a.yes {
		cancel, do = t.BadgeMuted, t.BadgeWarn
		marks = [2]string{" ", "▸"}
	}
	if problem != "" || !a.ready() {
		do = t.Faint
	}
	return append(out, widget.Spans(w,
		widget.Span{Text: " "}, widget.Span{Style: cancel, Text: marks[0] + "Cancel "}, widget.Span{Text: "  "},
		widget.Span{Style: do, Text: marks[1] + a.verb + " "}))
}
