package dialog

import (
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Buttons are Cancel and the one that acts, preceded by a text to type where
// a button is not enough. The focus starts on Cancel.
type Buttons struct {
	theme *theme.Theme
	verb  string
	// More is added to the button where there is room.
	More string
	at   stop
	// ask names the text to type first, such as "number of cards"; empty for
	// none.
	ask   string
	match func(string) bool
	field widget.Input
	// digits: the field accepts nothing else.
	digits bool
	// why is the reason of a second confirmation; empty during the first.
	why     string
	verdict verdict
}

// verdict is the store's verdict on an intent. It is asked for when it is read,
// once after something changed: a frame costs none.
type verdict struct {
	ask   func() kernel.Verdict
	last  kernel.Verdict
	fresh bool
}

// Unrelated are parts of the store that no verdict rests on, except that they
// may lift a refusal. A lane that fails changes all parts.
const Unrelated = kernel.TopicClock | kernel.TopicNotice | kernel.TopicRequests | kernel.TopicCodes | kernel.TopicAlerts | kernel.TopicHealth | kernel.TopicSpend | kernel.TopicRules

// sync notes that parts of the store changed.
func (v *verdict) sync(changed kernel.Topic) {
	if changed&^Unrelated != 0 || v.last.Reason != "" {
		v.fresh = false
	}
}

// get returns the verdict.
func (v *verdict) get() kernel.Verdict {
	if !v.fresh {
		v.last, v.fresh = v.ask(), true
	}
	return v.last
}

// stop is where the focus is.
type stop uint8

const (
	onCancel stop = iota
	inField
	onButton
)

// An Answer is what a key decided.
type Answer uint8

// The answers. Most keys decide nothing.
const (
	noAnswer Answer = iota
	Cancelled
	Confirmed
)

// NothingSent is the notice after a confirmation was cancelled.
func NothingSent(t *theme.Theme) string { return t.Words.T("nothing was sent") }

// NewButtons makes the buttons of a question: Cancel, and verb while the verdict has no reason against it.
func NewButtons(t *theme.Theme, verb string, ask func() kernel.Verdict) *Buttons {
	return &Buttons{theme: t, verb: verb, field: widget.Input{Limit: typedLimit}, verdict: verdict{ask: ask}}
}

// typedLimit bounds the text to type, in code points.
const typedLimit = 24

// requireText requires a text that is typed. It cannot be pasted.
func (b *Buttons) requireText(ask, placeholder string, match func(string) bool) {
	b.ask, b.match, b.digits = ask, match, false
	b.field = widget.Input{Limit: typedLimit, Placeholder: placeholder}
}

// RequireNumber requires a number that is typed.
func (b *Buttons) RequireNumber(ask string, n int) {
	want := strconv.Itoa(n)
	b.requireText(ask, want, func(text string) bool { return text == want })
	b.digits = true
}

// Again starts the second confirmation that the guardrails require, and reports
// false when one was enough or this was the second. An amount to type twice is
// sum (USD), which ask names.
func (b *Buttons) Again(ask string, sum api.USD) bool {
	v := b.verdict.get()
	if b.why != "" || v.Again == "" && !v.TypeTwice {
		return false
	}
	b.why, b.at, b.ask = v.Again, onCancel, ""
	if b.why == "" {
		b.why = b.theme.Words.T("large amount: type it again")
	}
	if v.TypeTwice {
		b.requireText(ask, "", func(text string) bool {
			e := NewAmountEntry()
			e.SetValue(text)
			got, ok := USDOf(e)
			return ok && got == sum
		})
	}
	return true
}

// Typing reports whether a text is typed here.
func (b *Buttons) Typing() bool { return b.ask != "" }

// ready reports whether the required text is typed.
func (b *Buttons) ready() bool { return b.ask == "" || b.match(strings.TrimSpace(b.field.Value())) }

// Blocked reports whether there is nothing to confirm. Then only Cancel is shown,
// so the focus goes there and stays when the button comes back.
func (b *Buttons) Blocked() bool {
	if b.verdict.get().Reason == "" {
		return false
	}
	b.at = onCancel
	return true
}

// Sync asks for the verdict again when parts of the store changed: a refusal
// moves the focus also where it is over before the next frame.
func (b *Buttons) Sync(changed kernel.Topic) {
	if b.verdict.sync(changed); !b.verdict.fresh {
		b.Blocked()
	}
}

// Act answers a key.
func (b *Buttons) Act(action keymap.Action) Answer {
	switch blocked := b.Blocked(); {
	case action == keymap.Cancel, action == keymap.Confirm && b.at == onCancel:
		return Cancelled
	case blocked:
	case action == keymap.Switch && b.at == onButton:
		b.at = onCancel
	case !b.ready(): // There is no button to go to.
		if action == keymap.Confirm {
			b.field.SetErr(b.theme.Words.Tf("type the %s first", b.ask))
		} else if b.at == onCancel {
			b.at = inField
		} else {
			b.at = onCancel
		}
	case action == keymap.Confirm && b.at == onButton:
		return Confirmed
	case action == keymap.Confirm, action == keymap.Switch:
		b.at = onButton
	}
	return noAnswer
}

// Key types, and reports false when nothing is typed here.
func (b *Buttons) Key(key, text string) bool {
	if b.ask == "" {
		return false
	}
	b.at = inField
	if b.digits && strings.Trim(text, "0123456789") != "" {
		b.field.SetErr(b.theme.Words.T("digits only"))
		return true
	}
	b.field.Key(key, text)
	return true
}

// Paste refuses pasted text, and clears what the paste began with.
func (b *Buttons) Paste() {
	if b.ask != "" {
		b.field.SetValue("")
		b.field.SetErr(b.theme.Words.T("paste is off here: type it"))
	}
}

// leastField is the least width of the field beside its label, in cells.
const leastField = 8

// Lines draws the field and the buttons, or why there is nothing to confirm.
func (b *Buttons) Lines(w int) []string {
	t, v := b.theme, b.verdict.get()
	var out []string
	if b.why != "" {
		out = Paragraph(w, t.Warn, b.why)
	}
	if b.Blocked() {
		out = append(out, ErrorLines(t, w, v.Reason)...)
		if v.Remedy != "" {
			out = append(out, Paragraph(w, t.Text, v.Remedy)...)
		}
		return append(out, widget.Spans(w, widget.Span{Text: " "}, widget.Span{Style: t.Selection, Text: "▸" + t.Words.T("Cancel") + " "}))
	}
	if b.field.Err() != "" {
		out = append(out, ErrorLines(t, w, b.field.Err())...)
	}
	// The mark shows the focus without colour.
	marks := [...]string{" ", " ", " "}
	marks[b.at] = "▸"
	if b.ask != "" {
		b.field.Styles = InputStyles(t)
		ask := t.Words.Tf("type the %s", b.ask)
		if widget.Width(ask)+leastField > w {
			ask = b.ask
		}
		head := widget.Spans(min(w, widget.Width(ask)+3), widget.Span{Style: t.Accent, Text: marks[inField]}, widget.Span{Style: t.Strong, Text: ask + "  "})
		out = append(out, widget.FitLine(head+b.field.View(max(1, w-widget.LineWidth(head)-1), true), w))
	}
	cancel, do := t.BadgeMuted, t.BadgeMuted
	switch b.at {
	case onCancel:
		cancel = t.Selection
	case onButton:
		do = t.BadgeWarn
	case inField:
	}
	if !b.ready() {
		do = t.Faint
	}
	verb, back := b.verb, marks[onCancel]+t.Words.T("Cancel")+" "
	if widget.Width(back+marks[onButton]+verb+b.More)+4 <= w {
		verb += b.More
	}
	return append(out, widget.Spans(w,
		widget.Span{Text: " "}, widget.Span{Style: cancel, Text: back}, widget.Span{Text: "  "},
		widget.Span{Style: do, Text: marks[onButton] + verb + " "}))
}

// Hints name the keys that answer.
func (b *Buttons) Hints() []string {
	switch {
	case b.Blocked():
		return []string{"esc " + b.theme.Words.T("back")}
	case b.at == onButton:
		return []string{"tab " + b.theme.Words.T("switch"), "esc " + b.theme.Words.T("back"), "enter " + strings.ToLower(b.verb)}
	case b.at == inField && b.ready():
		return []string{"tab " + b.theme.Words.T("switch"), "esc " + b.theme.Words.T("back"), "enter " + b.theme.Words.T("next")}
	}
	return []string{"tab " + b.theme.Words.T("switch"), "esc " + b.theme.Words.T("back")}
}
