package dialog

import (
	"strings"
	"unicode"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// entry is where one value of a form is typed.
type entry interface {
	Value() string
	SetValue(string)
	// Err tells why what was typed is no value; empty when it is one.
	Err() string
	// Key takes an editing key or typed text and tells whether it was used.
	Key(key, text string) bool
	Paste(text string)
	// View draws the field in exactly w cells.
	View(w int, focused bool) string
	SetStyles(widget.InputStyles)
	SetPlaceholder(string)
}

// keptText bounds what is kept of a text, far beyond what the API takes: what
// is too long is told, not cut.
const keptText = 400

// textEntry is a field for text.
type textEntry struct {
	widget.Input
	// note is what became of a paste; it does not stand in the way.
	note string
}

func newText() *textEntry { return &textEntry{Input: widget.Input{Limit: keptText}} }

// Key edits the text.
func (t *textEntry) Key(key, text string) bool {
	t.note = ""
	return t.Input.Key(key, text)
}

// SetStyles replaces the styles.
func (t *textEntry) SetStyles(s widget.InputStyles) { t.Styles = s }

// SetPlaceholder replaces the text shown while nothing is typed.
func (t *textEntry) SetPlaceholder(s string) { t.Placeholder = s }

// Paste inserts pasted text. A control character within it is not dropped
// without a word.
func (t *textEntry) Paste(text string) {
	text = strings.TrimRight(text, "\r\n")
	t.Insert(text)
	t.note = ""
	if strings.ContainsFunc(text, unicode.IsControl) {
		t.note = "control characters were left out of what was pasted"
	}
}

// newAmount is a field for USD.
func newAmount() *widget.Amount { return widget.NewAmount(widget.InputStyles{}) }

// usd reads an amount; given is false while nothing is typed, and what is
// typed wrong gives nothing either: the field says so.
func usd(e entry) (amount state.USD, given bool) {
	a, ok := e.(*widget.Amount)
	if !ok {
		return 0, false
	}
	cents, ok := a.Cents()
	return state.USD(cents) * state.Cent, ok
}

// optional is an amount that may be left out.
func optional(e entry) *state.USD {
	if v, given := usd(e); given {
		return &v
	}
	return nil
}

// list splits what is separated by commas; nothing gives none.
func list(text string) []string {
	var out []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

func inputStyles(t *theme.Theme) widget.InputStyles {
	return widget.InputStyles{Text: t.Input, Placeholder: t.Placeholder, Cursor: t.Cursor, Error: t.Error}
}
