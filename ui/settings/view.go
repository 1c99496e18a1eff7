package settings

import (
	"strings"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// columns gives names the room that they need, and defaults no more than that. What is dropped first where there is
// little room: the default, where it is from.
func columns(w *lang.Words, all []Row) []widget.Column {
	const least, most = 16, 48
	standardTitle := w.T("default")
	name, standard := least, widget.Width(standardTitle)
	for _, r := range all {
		name = max(name, widget.Width(r.Name))
		if r.set() && !r.New {
			standard = max(standard, widget.Width(r.Default))
		}
	}
	return []widget.Column{
		{Title: w.T("setting"), Min: least, Want: min(name, most), Max: max(least, name), Weight: 2},
		{Title: w.T("value"), Min: 12, Weight: 3},
		{Title: standardTitle, Min: min(standard, 10), Max: standard, Weight: 2, Priority: 2},
		{Title: w.Tc("origin", "from"), Min: 10, Max: 18, Priority: 1},
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
	w := p.Theme.Words
	text := w.Tf("%d · %d set", count, set)
	if n := len(p.Rows()) - added; n < count {
		text = w.Tf("%d of %s", n, text)
	}
	f.Title = append(f.Title, pane.Note(p.Theme, text))
}

func (p *Pane) empty() string {
	if p.Filter.On() {
		return p.Theme.Words.T("no setting matches; esc clears the filter")
	}
	return p.Theme.Words.T("the configuration cannot be read: it has errors")
}

// hidden reports whether a setting names what a private screen hides.
func (p *Pane) hidden(r Row) bool { return r.Own && p.Store.Privacy.Display().Private() }

func (p *Pane) row(r Row, w *widget.RowWriter) {
	t := p.Theme
	name, value := r.Name, r.Value
	if p.hidden(r) {
		name, value = r.Group+".…", t.Words.T("hidden")
	}
	style, from := t.Text, t.Faint
	if r.set() {
		style, from = t.Strong, t.Info
	}
	standard, origin := r.Default, r.origin(t.Words)
	switch {
	case r.New:
		style, value, standard, origin = t.Faint, t.Words.T("enter adds one"), "", ""
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
	text := p.Theme.Words.T(r.About)
	if len(r.Choices) > 0 && len(r.Choices) < 8 {
		text += ": " + strings.Join(r.Choices, ", ")
	}
	if r.Restart {
		text += "; " + p.Theme.Words.T("takes effect at the next start")
	}
	var lines []string
	for _, part := range widget.Wrap(text, max(1, w-2)) {
		if len(lines) < n {
			lines = append(lines, widget.Spans(w, widget.Span{Style: p.Theme.Faint, Text: " " + part}))
		}
	}
	return lines
}
