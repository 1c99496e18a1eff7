package dialog

import (
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// approval is how a person says yes to what they have seen: by the button that
// does it. It starts on Cancel; where that is not enough, something has to be
// typed before there is a button to go to.
type approval struct {
	theme *theme.Theme
	verb  string
	// more is said on the button as well where there is room for it.
	more string
	at   stop
	// ask names what is typed first, such as "number of cards"; empty: nothing.
	ask   string
	match func(string) bool
	field widget.Input
	// digits says that the field takes nothing else.
	digits bool
	// why tells that this is asked a second time, and for what reason.
	why string
}

// stop is where in a confirmation enter is felt.
type stop uint8

const (
	onCancel stop = iota
	inField
	onButton
)

// answer is what a key said.
type answer uint8

const (
	noAnswer answer = iota
	refused
	approved
)

// nothingSent is said when somebody turns away from what would have been sent.
const nothingSent = "nothing was sent"

func newApproval(t *theme.Theme, verb string) *approval {
	return &approval{theme: t, verb: verb, field: widget.Input{Limit: typedLimit}}
}

// typedLimit bounds what is typed to show that it is meant, in code points.
const typedLimit = 24

// typed has a text typed first. It cannot be pasted.
func (a *approval) typed(ask, placeholder string, match func(string) bool) {
	a.ask, a.match, a.digits = ask, match, false
	a.field = widget.Input{Limit: typedLimit, Placeholder: placeholder}
}

// number has a number typed first.
func (a *approval) number(ask string, n int) {
	want := strconv.Itoa(n)
	a.typed(ask, want, func(text string) bool { return text == want })
	a.digits = true
}

// again asks a second time when the guardrails want that; false when once was
// enough, or this was the second time. An amount that is typed twice is sum
// (USD), which ask names.
func (a *approval) again(v state.Verdict, ask string, sum state.USD) bool {
	if a.why != "" || v.Again == "" && !v.TypeTwice {
		return false
	}
	a.why, a.at, a.ask = v.Again, onCancel, ""
	if a.why == "" {
		a.why = "this much is typed a second time"
	}
	if v.TypeTwice {
		a.typed(ask, "", func(text string) bool {
			e := newAmount()
			e.SetValue(text)
			got, ok := usd(e)
			return ok && got == sum
		})
	}
	return true
}

// typing tells whether something is typed here.
func (a *approval) typing() bool { return a.ask != "" }

// ready tells whether what has to be typed is.
func (a *approval) ready() bool { return a.ask == "" || a.match(strings.TrimSpace(a.field.Value())) }

// look takes the choice back when there is nothing to approve: Cancel stands
// alone then, and enter means it also when the button comes back meanwhile.
func (a *approval) look(v state.Verdict) {
	if v.Reason != "" {
		a.at = onCancel
	}
}

// act answers. blocked says that there is nothing to approve.
func (a *approval) act(action keymap.Action, blocked bool) answer {
	if blocked {
		a.at = onCancel
	}
	switch {
	case action == keymap.Cancel, action == keymap.Confirm && a.at == onCancel:
		return refused
	case blocked:
	case action == keymap.Switch && a.at == onButton:
		a.at = onCancel
	case !a.ready(): // There is no button to go to.
		if action == keymap.Confirm {
			a.field.SetErr("type the " + a.ask + " first")
		} else if a.at == onCancel {
			a.at = inField
		} else {
			a.at = onCancel
		}
	case action == keymap.Confirm && a.at == onButton:
		return approved
	case action == keymap.Confirm, action == keymap.Switch:
		a.at = onButton
	}
	return noAnswer
}

// key types; false when nothing is typed here.
func (a *approval) key(key, text string) bool {
	if a.ask == "" {
		return false
	}
	a.at = inField
	if a.digits && strings.Trim(text, "0123456789") != "" {
		a.field.SetErr("digits only")
		return true
	}
	a.field.Key(key, text)
	return true
}

// paste takes nothing, and lets go of what a paste began with.
func (a *approval) paste() {
	if a.ask != "" {
		a.field.SetValue("")
		a.field.SetErr("typed, not pasted: it shows that it is meant")
	}
}

// leastField is the room for what is typed beside the words that ask for it,
// in cells.
const leastField = 8

// lines draws what is typed and the buttons. Where the verdict tells why there
// is nothing to approve, that is said and nothing but Cancel is offered.
func (a *approval) lines(w int, v state.Verdict) []string {
	t := a.theme
	var out []string
	if a.why != "" {
		out = paragraph(w, t.Warn, a.why)
	}
	if v.Reason != "" {
		out = append(out, complaint(t, w, v.Reason)...)
		if v.Remedy != "" {
			out = append(out, paragraph(w, t.Text, v.Remedy)...)
		}
		return append(out, widget.Spans(w, widget.Span{Text: " "}, widget.Span{Style: t.Selection, Text: "▸Cancel "}))
	}
	if a.field.Err() != "" {
		out = append(out, complaint(t, w, a.field.Err())...)
	}
	// Marks are for those who do not see the colour.
	marks := [...]string{" ", " ", " "}
	marks[a.at] = "▸"
	if a.ask != "" {
		a.field.Styles = inputStyles(t)
		ask := "type the " + a.ask
		if widget.Width(ask)+leastField > w {
			ask = a.ask
		}
		head := widget.Spans(min(w, widget.Width(ask)+3), widget.Span{Style: t.Accent, Text: marks[inField]}, widget.Span{Style: t.Strong, Text: ask + "  "})
		out = append(out, widget.FitLine(head+a.field.View(max(1, w-widget.LineWidth(head)-1), true), w))
	}
	cancel, do := t.BadgeMuted, t.BadgeMuted
	switch a.at {
	case onCancel:
		cancel = t.Selection
	case onButton:
		do = t.BadgeWarn
	case inField:
	}
	if !a.ready() {
		do = t.Faint
	}
	verb := a.verb
	if widget.Width(marks[onCancel]+"Cancel "+marks[onButton]+verb+a.more)+4 <= w {
		verb += a.more
	}
	return append(out, widget.Spans(w,
		widget.Span{Text: " "}, widget.Span{Style: cancel, Text: marks[onCancel] + "Cancel "}, widget.Span{Text: "  "},
		widget.Span{Style: do, Text: marks[onButton] + verb + " "}))
}

// hints name the keys that answer.
func (a *approval) hints(blocked bool) []string {
	switch {
	case blocked:
		return []string{"esc back"}
	case a.at == onButton:
		return []string{"tab choose", "esc back", "enter " + strings.ToLower(a.verb)}
	case a.at == inField && a.ready():
		return []string{"tab choose", "esc back", "enter to the button"}
	}
	return []string{"tab choose", "esc back"}
}
