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

// entry is where one value of a form is typed.
type entry interface {
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

// textEntry is a field for text.
type textEntry struct {
	widget.Input
	// note is a remark on a paste; it blocks nothing.
	note string
}

func newText() *textEntry { return &textEntry{Input: widget.Input{Limit: maxText}} }

// Key edits the text.
func (t *textEntry) Key(key, text string) bool {
	t.note = ""
	return t.Input.Key(key, text)
}

// SetStyles replaces the styles.
func (t *textEntry) SetStyles(s widget.InputStyles) { t.Styles = s }

// SetPlaceholder replaces the text shown while nothing is typed.
func (t *textEntry) SetPlaceholder(s string) { t.Placeholder = s }

// Paste inserts pasted text, and reports control characters it dropped.
func (t *textEntry) Paste(text string) {
	text = strings.TrimRight(text, "\r\n")
	t.Insert(text)
	t.note = ""
	if strings.ContainsFunc(text, unicode.IsControl) {
		t.note = lang.N("removed control characters from the pasted text")
	}
}

// newAmount is a field for USD.
func newAmount() *widget.Amount { return widget.NewAmount(widget.InputStyles{}) }

// usd returns an amount; given is false while there is none, or it is invalid.
func usd(e entry) (amount api.USD, given bool) {
	a, ok := e.(*widget.Amount)
	if !ok {
		return 0, false
	}
	cents, ok := a.Cents()
	return api.USD(cents) * api.Cent, ok
}

// optional returns an amount that may be left out.
func optional(e entry) *api.USD {
	if v, given := usd(e); given {
		return &v
	}
	return nil
}

// list splits at commas; an empty text has no parts.
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
	return widget.InputStyles{Text: t.Input, Placeholder: t.Placeholder, Cursor: t.Cursor, Selected: t.Selection, Error: t.Error, Words: t.Words}
}

// choice is a field with a value from a list.
type choice struct {
	value string
	// text is the chosen value as shown.
	text        string
	placeholder string
	styles      widget.InputStyles
}

// Value returns the chosen value.
func (c *choice) Value() string { return c.value }

// SetValue sets the value.
func (c *choice) SetValue(s string) { c.value, c.text = s, s }

// Err is empty: every choice is valid.
func (*choice) Err() string { return "" }

// Key does nothing.
func (*choice) Key(string, string) bool { return false }

// Paste does nothing.
func (*choice) Paste(string) {}

// SetStyles replaces the styles.
func (c *choice) SetStyles(s widget.InputStyles) { c.styles = s }

// SetPlaceholder replaces the text shown while nothing is chosen.
func (c *choice) SetPlaceholder(s string) { c.placeholder = s }

// View draws the field in exactly w cells.
func (c *choice) View(w int, _ bool) string {
	if c.value == "" {
		return widget.Spans(w, widget.Span{Style: c.styles.Placeholder, Text: c.placeholder})
	}
	return widget.Spans(w, widget.Span{Style: c.styles.Text, Text: c.text})
}

// pick is a checkbox.
type pick struct {
	name, text string
	// check is the mark of one that is on.
	check  string
	on     bool
	styles widget.InputStyles
}

// Value returns its name while it is on.
func (p *pick) Value() string {
	if p.on {
		return p.name
	}
	return ""
}

// SetValue turns it on, or off for an empty text.
func (p *pick) SetValue(s string) { p.on = s != "" }

// Err is empty: on and off are valid.
func (*pick) Err() string { return "" }

// Key switches it.
func (p *pick) Key(key, text string) bool {
	if text != " " && key != "space" {
		return false
	}
	p.on = !p.on
	return true
}

// Paste does nothing.
func (*pick) Paste(string) {}

// SetStyles replaces the styles.
func (p *pick) SetStyles(s widget.InputStyles) { p.styles = s }

// SetPlaceholder does nothing: there is always a value.
func (*pick) SetPlaceholder(string) {}

// View draws the field in exactly w cells.
func (p *pick) View(w int, _ bool) string {
	mark := " "
	if p.on {
		mark = p.check
	}
	return widget.Spans(w, widget.Span{Style: p.styles.Text, Text: "[" + mark + "] " + p.text})
}

// cycle is a field with one of a few values, which a key steps through.
type cycle struct {
	values []string
	at     int
	styles widget.InputStyles
}

// Value returns the value that is chosen.
func (c *cycle) Value() string { return c.values[c.at] }

// SetValue chooses a value.
func (c *cycle) SetValue(s string) { c.at = max(0, slices.Index(c.values, s)) }

// Err is empty: every value is valid.
func (*cycle) Err() string { return "" }

// Key steps to the next value, or to the one before.
func (c *cycle) Key(key, text string) bool {
	switch {
	case text == " " || key == "space" || key == "right":
		c.at = (c.at + 1) % len(c.values)
	case key == "left":
		c.at = (c.at - 1 + len(c.values)) % len(c.values)
	default:
		return false
	}
	return true
}

// Paste does nothing.
func (*cycle) Paste(string) {}

// SetStyles replaces the styles.
func (c *cycle) SetStyles(s widget.InputStyles) { c.styles = s }

// SetPlaceholder does nothing: there is always a value.
func (*cycle) SetPlaceholder(string) {}

// View draws the field in exactly w cells.
func (c *cycle) View(w int, _ bool) string {
	return widget.Spans(w, widget.Span{Style: c.styles.Text, Text: "◂ " + c.values[c.at] + " ▸"})
}

// metadataRows bounds the lines of metadata in a form: more than the API accepts,
// so that too many are reported and not cut.
const metadataRows = 60

// newPair makes a line of metadata.
func newPair(t *theme.Theme, value string) *field {
	f := &field{name: state.FieldMetadata, hint: t.Words.T("key=value; tab: next line"), entry: newText()}
	f.entry.SetValue(value)
	return f
}

// grow adds an empty line of metadata when the last one is filled.
func (f *form) grow() {
	last := f.fields[len(f.fields)-1]
	if last.name == state.FieldMetadata && last.entry.Value() != "" && f.count(state.FieldMetadata) < metadataRows {
		more := newPair(f.theme, "")
		more.hint = last.hint
		f.fields = append(f.fields, more)
	}
}

// count returns how many fields have a name.
func (f *form) count(name string) int {
	n := 0
	for _, fd := range f.fields {
		if fd.name == name {
			n++
		}
	}
	return n
}

// pasteLines pastes one line of metadata a field.
func (f *form) pasteLines(text string) {
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	for i, line := range lines {
		f.edit(func(e entry) { e.Paste(line) })
		f.grow()
		if i < len(lines)-1 && f.at < len(f.fields)-1 {
			f.at++
		}
	}
}

// pairs returns the metadata, and sets what is wrong at each line. has are the
// keys that the card already has.
func (f *form) pairs(has map[string]bool) map[string]string {
	out := make(map[string]string)
	total := len(has)
	for _, fd := range f.fields {
		if fd.name != state.FieldMetadata {
			continue
		}
		fd.problem = ""
		text := strings.TrimSpace(fd.entry.Value())
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
			fd.problem = f.theme.Words.T("use key=value")
		case twice:
			fd.problem = f.theme.Words.Tf("duplicate key %s", key)
		case total > api.MaxMetadata && !has[key]:
			fd.problem = f.theme.Words.Tf("%d keys, at most %d", total, api.MaxMetadata)
		}
		out[key] = strings.TrimSpace(value)
	}
	if first, ok := f.find(state.FieldMetadata); ok {
		first.label = f.theme.Words.Tf("metadata %d/%d", total, api.MaxMetadata)
	}
	return out
}

// fillPairs replaces the lines of metadata, unless somebody typed into one.
func (f *form) fillPairs(metadata map[string]string) {
	first := slices.IndexFunc(f.fields, func(fd *field) bool { return fd.name == state.FieldMetadata })
	if first < 0 || slices.ContainsFunc(f.fields[first:], func(fd *field) bool { return fd.touched }) {
		return
	}
	lines := make([]string, 0, len(metadata)+1)
	for k, v := range metadata {
		lines = append(lines, k+"="+v)
	}
	slices.Sort(lines)
	f.fields = f.fields[:first]
	for _, line := range append(lines, "") {
		f.fields = append(f.fields, newPair(f.theme, line))
	}
	f.at = min(f.at, len(f.fields)-1)
}

// secretEntry is a field for a secret. It is drawn as a mask, and no text of it
// is given out but the secret itself.
type secretEntry struct {
	typed       api.Secret
	mask        string
	placeholder string
	styles      widget.InputStyles
	// changes counts them, for those who may not compare the text.
	changes int
}

func (s *secretEntry) length() int { return len(s.typed.Bytes()) }

// secret returns a copy.
func (s *secretEntry) secret() api.Secret { return api.NewSecret(s.typed.Bytes()) }

// set replaces the secret by head and tail, and wipes the one before.
func (s *secretEntry) set(head []byte, tail string) {
	next := make([]byte, 0, len(head)+len(tail))
	next = append(append(next, head...), tail...)
	before := s.typed
	s.typed = api.NewSecret(next)
	clear(next)
	before.Wipe()
	s.changes++
}

func (s *secretEntry) wipe() { s.typed.Wipe() }

// Value is how long it is, and nothing of it.
func (s *secretEntry) Value() string { return strings.Repeat("*", s.length()) }

// SetValue does nothing: a secret is typed.
func (*secretEntry) SetValue(string) {}

// Err is empty: whoever is given the secret judges it.
func (*secretEntry) Err() string { return "" }

// Key appends to it, takes the last character off, or clears it.
func (s *secretEntry) Key(key, text string) bool {
	held := s.typed.Bytes()
	switch {
	case key == "backspace" || key == "ctrl+h":
		_, n := utf8.DecodeLastRune(held)
		s.set(held[:len(held)-n], "")
	case key == "ctrl+u" || key == "ctrl+w":
		s.set(nil, "")
	case text == "":
		return false
	default:
		s.Paste(text)
	}
	return true
}

// Paste appends to it.
func (s *secretEntry) Paste(text string) {
	if text = strings.TrimSpace(text); s.length()+len(text) <= maxSecret {
		s.set(s.typed.Bytes(), text)
	}
}

// maxSecret bounds a secret, in bytes, far beyond any key.
const maxSecret = 1024

// SetStyles replaces the styles.
func (s *secretEntry) SetStyles(styles widget.InputStyles) { s.styles = styles }

// SetPlaceholder replaces the text shown while nothing is typed.
func (s *secretEntry) SetPlaceholder(text string) { s.placeholder = text }

// View draws the field in exactly w cells.
func (s *secretEntry) View(w int, focused bool) string {
	var spans []widget.Span
	n := s.length()
	if n > 0 {
		spans = append(spans, widget.Span{Style: s.styles.Text, Text: strings.Repeat(s.mask, min(n, max(0, w-1)))})
	}
	if focused {
		spans = append(spans, widget.Span{Style: s.styles.Cursor, Text: " "})
	}
	if n == 0 {
		spans = append(spans, widget.Span{Style: s.styles.Placeholder, Text: s.placeholder})
	}
	return widget.Spans(w, spans...)
}
