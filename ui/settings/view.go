package settings

import (
	"fmt"
	"strings"

	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// What is dropped first where there is little room: the default, where it is
// from.
func columns() []widget.Column {
	return []widget.Column{
		{Title: "setting", Min: 16, Max: 34, Weight: 2},
		{Title: "value", Min: 12, Weight: 3},
		{Title: "default", Min: 10, Max: 30, Weight: 2, Priority: 2},
		{Title: "from", Min: 10, Max: 18, Priority: 1},
	}
}

func (p *Pane) frame(f *widget.Frame) {
	all, set := p.all(), 0
	count, added := len(all), 0
	for _, r := range all {
		if r.set() {
			set++
		}
		if r.New {
			count--
		}
	}
	for _, r := range p.Rows() {
		if r.New {
			added++
		}
	}
	text := fmt.Sprintf("%d · %d set", count, set)
	if n := len(p.Rows()) - added; n < count {
		text = fmt.Sprintf("%d of %s", n, text)
	}
	f.Title = append(f.Title, pane.Note(p.Theme, text))
}

func (p *Pane) empty() string {
	if p.Filter.On() {
		return "no setting matches; esc clears the filter"
	}
	return "the configuration cannot be read: it has errors"
}

// hidden reports whether a setting names what a private screen hides.
func (p *Pane) hidden(r Row) bool { return r.Own && p.Store.Privacy.Display().Private() }

func (p *Pane) row(r Row, w *widget.RowWriter) {
	t := p.Theme
	name, value := r.Name, r.Value
	if p.hidden(r) {
		name, value = r.Group+".…", "hidden"
	}
	style, from := t.Text, t.Faint
	if r.set() {
		style, from = t.Strong, t.Info
	}
	standard, origin := r.Default, r.From
	switch {
	case r.New:
		style, value, standard, origin = t.Faint, "enter adds one", "", ""
	case !r.set():
		standard = ""
	}
	w.Cell(t.Text, name)
	w.Cell(style, value)
	w.Cell(t.Faint, standard)
	w.Cell(from, origin)
}

// detail says what the setting is, and which values it may have.
func (p *Pane) detail(r Row, w, n int) []string {
	text := r.About
	if len(r.Choices) > 0 && len(r.Choices) < 8 {
		text += ": " + strings.Join(r.Choices, ", ")
	}
	var lines []string
	for _, part := range widget.Wrap(text, max(1, w-2)) {
		if len(lines) < n {
			lines = append(lines, widget.Spans(w, widget.Span{Style: p.Theme.Faint, Text: " " + part}))
		}
	}
	return lines
}
