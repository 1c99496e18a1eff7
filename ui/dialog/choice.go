package dialog

import "github.com/cardtop/cardtop/ui/widget"

// choice is a field whose value is chosen in a list and not typed.
type choice struct {
	value string
	// text is the chosen value in words.
	text        string
	placeholder string
	styles      widget.InputStyles
}

// Value is what was chosen.
func (c *choice) Value() string { return c.value }

// SetValue chooses.
func (c *choice) SetValue(s string) { c.value, c.text = s, s }

// Err is empty: what is in the list is a value.
func (*choice) Err() string { return "" }

// Key types nothing.
func (*choice) Key(string, string) bool { return false }

// Paste types nothing.
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
