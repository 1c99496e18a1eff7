package dialog

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Entry is where one value of a form is typed.
type Entry interface {
	Value() string
	SetValue(string)
	// Err is what is wrong with the typed text; empty when it is a value.
	Err() string
	// Key edits and reports whether it used the key.
	Key(key, text string) bool
	Paste(text string)
	// View draws the field in exactly w cells.
	View(w int, focused bool) string
	SetStyles(widget.InputStyles)
	SetPlaceholder(string)
}

// maxText bounds a text, far beyond the API's limits: a text that is too long
// is reported, not cut.
const maxText = 400

// TextEntry is a field for text.
type TextEntry struct {
	widget.Input
	// note is a remark on a paste; it blocks nothing.
	note string
}

// NewText makes an empty field for text.
func NewText() *TextEntry { return &TextEntry{Input: widget.Input{Limit: maxText}} }

// Key edits the text.
func (t *TextEntry) Key(key, text string) bool {
	t.note = ""
	return t.Input.Key(key, text)
}

// SetStyles replaces the styles.
func (t *TextEntry) SetStyles(s widget.InputStyles) { t.Styles = s }

// SetPlaceholder replaces the text shown while nothing is typed.
func (t *TextEntry) SetPlaceholder(s string) { t.Placeholder = s }

// Paste inserts pasted text, and reports control characters it dropped.
func (t *TextEntry) Paste(text string) {
	text = strings.TrimRight(text, "\r\n")
	t.Insert(text)
	t.note = ""
	if strings.ContainsFunc(text, unicode.IsControl) {
		t.note = lang.N("removed control characters from the pasted text")
	}
}

// NewAmountEntry is a field for USD.
func NewAmountEntry() *widget.Amount { return widget.NewAmount(widget.InputStyles{}) }

// USDOf returns an amount; given is false while there is none, or it is invalid.
func USDOf(e Entry) (amount api.USD, given bool) {
	a, ok := e.(*widget.Amount)
	if !ok {
		return 0, false
	}
	cents, ok := a.Cents()
	return api.USD(cents) * api.Cent, ok
}

// OptionalUSD returns an amount that may be left out.
func OptionalUSD(e Entry) *api.USD {
	if v, given := USDOf(e); given {
		return &v
	}
	return nil
}

// Commas splits at commas; an empty text has no parts.
func Commas(text string) []string {
	var out []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// InputStyles are the styles of a text field.
func InputStyles(t *theme.Theme) widget.InputStyles {
	return widget.InputStyles{Text: t.Input, Placeholder: t.Placeholder, Cursor: t.Cursor, Selected: t.Selection, Words: t.Words}
}

// Choice is a field with a value from a list.
type Choice struct {
	Chosen string
	// Text is the chosen value as shown.
	Text        string
	Placeholder string
	styles      widget.InputStyles
}

// Value returns the chosen value.
func (c *Choice) Value() string { return c.Chosen }

// SetValue sets the value.
func (c *Choice) SetValue(s string) { c.Chosen, c.Text = s, s }

// Err is empty: every choice is valid.
func (*Choice) Err() string { return "" }

// Key does nothing.
func (*Choice) Key(string, string) bool { return false }

// Paste does nothing.
func (*Choice) Paste(string) {}

// SetStyles replaces the styles.
func (c *Choice) SetStyles(s widget.InputStyles) { c.styles = s }

// SetPlaceholder replaces the text shown while nothing is chosen.
func (c *Choice) SetPlaceholder(s string) { c.Placeholder = s }

// View draws the field in exactly w cells.
func (c *Choice) View(w int, _ bool) string {
	if c.Chosen == "" {
		return widget.Spans(w, widget.Span{Style: c.styles.Placeholder, Text: c.Placeholder})
	}
	return widget.Spans(w, widget.Span{Style: c.styles.Text, Text: c.Text})
}

// Checkbox is a checkbox.
type Checkbox struct {
	Name, Text string
	// Check is the mark of one that is on.
	Check  string
	On     bool
	styles widget.InputStyles
}

// Value returns its name while it is on.
func (p *Checkbox) Value() string {
	if p.On {
		return p.Name
	}
	return ""
}

// SetValue turns it on, or off for an empty text.
func (p *Checkbox) SetValue(s string) { p.On = s != "" }

// Err is empty: on and off are valid.
func (*Checkbox) Err() string { return "" }

// Key switches it.
func (p *Checkbox) Key(key, text string) bool {
	if text != " " && key != "space" {
		return false
	}
	p.On = !p.On
	return true
}

// Paste does nothing.
func (*Checkbox) Paste(string) {}

// SetStyles replaces the styles.
func (p *Checkbox) SetStyles(s widget.InputStyles) { p.styles = s }

// SetPlaceholder does nothing: there is always a value.
func (*Checkbox) SetPlaceholder(string) {}

// View draws the field in exactly w cells.
func (p *Checkbox) View(w int, _ bool) string {
	mark := " "
	if p.On {
		mark = p.Check
	}
	return widget.Spans(w, widget.Span{Style: p.styles.Text, Text: "[" + mark + "] " + p.Text})
}

// Cycle is a field with one of a few values, which a key steps through.
type Cycle struct {
	Values []string
	At     int
	styles widget.InputStyles
}

// Value returns the value that is chosen.
func (c *Cycle) Value() string { return c.Values[c.At] }

// SetValue chooses a value.
func (c *Cycle) SetValue(s string) { c.At = max(0, slices.Index(c.Values, s)) }

// Err is empty: every value is valid.
func (*Cycle) Err() string { return "" }

// Key steps to the next value, or to the one before.
func (c *Cycle) Key(key, text string) bool {
	switch {
	case text == " " || key == "space" || key == "right":
		c.At = (c.At + 1) % len(c.Values)
	case key == "left":
		c.At = (c.At - 1 + len(c.Values)) % len(c.Values)
	default:
		return false
	}
	return true
}

// Paste does nothing.
func (*Cycle) Paste(string) {}

// SetStyles replaces the styles.
func (c *Cycle) SetStyles(s widget.InputStyles) { c.styles = s }

// SetPlaceholder does nothing: there is always a value.
func (*Cycle) SetPlaceholder(string) {}

// View draws the field in exactly w cells.
func (c *Cycle) View(w int, _ bool) string {
	return widget.Spans(w, widget.Span{Style: c.styles.Text, Text: "◂ " + c.Values[c.At] + " ▸"})
}

// metadataRows bounds the lines of metadata in a form: more than the API accepts,
// so that too many are reported and not cut.
const metadataRows = 60

// NewPair makes a line of metadata.
func NewPair(t *theme.Theme, value string) *Field {
	f := &Field{Name: state.FieldMetadata, Hint: t.Words.T("key=value; tab: next line"), Entry: NewText()}
	f.Entry.SetValue(value)
	return f
}

// Grow adds an empty line of metadata when the last one is filled.
func (f *Form) Grow() {
	last := f.Fields[len(f.Fields)-1]
	if last.Name == state.FieldMetadata && last.Entry.Value() != "" && f.count(state.FieldMetadata) < metadataRows {
		more := NewPair(f.Theme, "")
		more.Hint = last.Hint
		f.Fields = append(f.Fields, more)
	}
}

// count returns how many fields have a name.
func (f *Form) count(name string) int {
	n := 0
	for _, fd := range f.Fields {
		if fd.Name == name {
			n++
		}
	}
	return n
}

// PasteLines pastes one line of metadata a field.
func (f *Form) PasteLines(text string) {
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	for i, line := range lines {
		f.Edit(func(e Entry) { e.Paste(line) })
		f.Grow()
		if i < len(lines)-1 && f.At < len(f.Fields)-1 {
			f.At++
		}
	}
}

// Pairs returns the metadata, and sets what is wrong at each line. has are the
// keys that the card already has.
func (f *Form) Pairs(has map[string]bool) map[string]string {
	out := make(map[string]string)
	total := len(has)
	for _, fd := range f.Fields {
		if fd.Name != state.FieldMetadata {
			continue
		}
		fd.Problem = ""
		text := strings.TrimSpace(fd.Entry.Value())
		if text == "" {
			continue
		}
		key, value, ok := strings.Cut(text, "=")
		key = strings.TrimSpace(key)
		_, twice := out[key]
		if !has[key] && !twice {
			total++
		}
		switch {
		case !ok || key == "":
			fd.Problem = f.Theme.Words.T("use key=value")
		case twice:
			fd.Problem = f.Theme.Words.Tf("duplicate key %s", key)
		case total > api.MaxMetadata && !has[key]:
			fd.Problem = f.Theme.Words.Tf("%d keys, at most %d", total, api.MaxMetadata)
		}
		out[key] = strings.TrimSpace(value)
	}
	if first, ok := f.Find(state.FieldMetadata); ok {
		first.Label = f.Theme.Words.Tf("metadata %d/%d", total, api.MaxMetadata)
	}
	return out
}

// FillPairs replaces the lines of metadata, unless somebody typed into one.
func (f *Form) FillPairs(metadata map[string]string) {
	first := slices.IndexFunc(f.Fields, func(fd *Field) bool { return fd.Name == state.FieldMetadata })
	if first < 0 || slices.ContainsFunc(f.Fields[first:], func(fd *Field) bool { return fd.Touched }) {
		return
	}
	lines := make([]string, 0, len(metadata)+1)
	for k, v := range metadata {
		lines = append(lines, k+"="+v)
	}
	slices.Sort(lines)
	f.Fields = f.Fields[:first]
	for _, line := range append(lines, "") {
		f.Fields = append(f.Fields, NewPair(f.Theme, line))
	}
	f.At = min(f.At, len(f.Fields)-1)
}

// SecretEntry is a field for a secret. It is drawn as a mask, and no text of it
// is given out but the secret itself.
type SecretEntry struct {
	typed       api.Secret
	Mask        string
	placeholder string
	styles      widget.InputStyles
	// Changes counts them, for those who may not compare the text.
	Changes int
}

// Length is how many bytes were typed.
func (s *SecretEntry) Length() int { return len(s.typed.Bytes()) }

// Secret returns a copy.
func (s *SecretEntry) Secret() api.Secret { return api.NewSecret(s.typed.Bytes()) }

// Set replaces the secret by head and tail, and wipes the one before.
func (s *SecretEntry) Set(head []byte, tail string) {
	next := make([]byte, 0, len(head)+len(tail))
	next = append(append(next, head...), tail...)
	before := s.typed
	s.typed = api.NewSecret(next)
	clear(next)
	before.Wipe()
	s.Changes++
}

// Wipe overwrites what was typed.
func (s *SecretEntry) Wipe() { s.typed.Wipe() }

// Value is how long it is, and nothing of it.
func (s *SecretEntry) Value() string { return strings.Repeat("*", s.Length()) }

// SetValue does nothing: a secret is typed.
func (*SecretEntry) SetValue(string) {}

// Err is empty: whoever is given the secret judges it.
func (*SecretEntry) Err() string { return "" }

// Key appends to it, takes the last character off, or clears it.
func (s *SecretEntry) Key(key, text string) bool {
	held := s.typed.Bytes()
	switch {
	case key == "backspace" || key == "ctrl+h":
		_, n := utf8.DecodeLastRune(held)
		s.Set(held[:len(held)-n], "")
	case key == "ctrl+u" || key == "ctrl+w":
		s.Set(nil, "")
	case text == "":
		return false
	default:
		s.Paste(text)
	}
	return true
}

// Paste appends to it.
func (s *SecretEntry) Paste(text string) {
	if text = strings.TrimSpace(text); s.Length()+len(text) <= maxSecret {
		s.Set(s.typed.Bytes(), text)
	}
}

// maxSecret bounds a secret, in bytes, far beyond any key.
const maxSecret = 1024

// SetStyles replaces the styles.
func (s *SecretEntry) SetStyles(styles widget.InputStyles) { s.styles = styles }

// SetPlaceholder replaces the text shown while nothing is typed.
func (s *SecretEntry) SetPlaceholder(text string) { s.placeholder = text }

// View draws the field in exactly w cells.
func (s *SecretEntry) View(w int, focused bool) string {
	var spans []widget.Span
	n := s.Length()
	if n > 0 {
		spans = append(spans, widget.Span{Style: s.styles.Text, Text: strings.Repeat(s.Mask, min(n, max(0, w-1)))})
	}
	if focused {
		spans = append(spans, widget.Span{Style: s.styles.Cursor, Text: " "})
	}
	if n == 0 {
		spans = append(spans, widget.Span{Style: s.styles.Placeholder, Text: s.placeholder})
	}
	return widget.Spans(w, spans...)
}
