package dialog

import "github.com/cardtop/cardtop/ui/widget"

// pick is a field that is on or off.
type pick struct {
	name, text string
	// check marks one that is on.
	check  string
	on     bool
	styles widget.InputStyles
}

// Value is its name while it is on.
func (p *pick) Value() string {
	if p.on {
		return p.name
	}
	return ""
}

// SetValue turns it on, or off when nothing is given.
func (p *pick) SetValue(s string) { p.on = s != "" }

// Err is empty: on and off are values.
func (*pick) Err() string { return "" }

// Key turns it on and off.
func (p *pick) Key(key, text string) bool {
	if text != " " && key != "space" {
		return false
	}
	p.on = !p.on
	return true
}

// Paste picks nothing.
func (*pick) Paste(string) {}

// SetStyles replaces the styles.
func (p *pick) SetStyles(s widget.InputStyles) { p.styles = s }

// SetPlaceholder has nothing to show.
func (*pick) SetPlaceholder(string) {}

// View draws the field in exactly w cells.
func (p *pick) View(w int, _ bool) string {
	mark := " "
	if p.on {
		mark = p.check
	}
	return widget.Spans(w, widget.Span{Style: p.styles.Text, Text: "[" + mark + "] " + p.text})
}
