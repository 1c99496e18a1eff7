// Package settings is the screen of the configuration: every setting with its
// value, its default and where it comes from, and the form that changes one.
package settings

import (
	"strings"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Row is one setting.
type Row struct {
	// Name is dotted and unique; Group is its first part.
	Name, Group string
	// Value is in force, Default without the file, as a person types them.
	Value, Default string
	// From is where the value comes from: default, a line of the file, or what is
	// outside of the file. Fixed: it cannot be changed here.
	From  string
	Line  int // of the file; 0 for none
	Fixed bool
	About string
	// Choices are all values; nil for more than a few.
	Choices []string
	// Own: the user named it, after labels perhaps.
	Own bool
	// Restart: it takes effect at the next start.
	Restart bool
	// New: it stands for entries that are not there yet, with NewName for their name.
	New bool
}

// NewName stands in the name of a setting for that of an entry to add.
const NewName = "NAME"

// set reports whether somebody has set it.
func (r Row) set() bool { return r.From != FromDefault }

// origin is where the value comes from, for the screen.
func (r Row) origin(w *lang.Words) string {
	if r.Line > 0 {
		return w.Tf("line %d", r.Line)
	}
	return w.T(r.From)
}

// FromDefault is where the value of a setting comes from that nobody set.
const FromDefault = "default"

// File writes settings, by their names. Its methods block and are called from
// jobs; an error is one line for the field.
type File interface {
	Set(name, text string) error
	Reset(name string) error
}

// Pane lists the settings.
type Pane struct {
	pane.List[Row, string]
	all func() []Row
}

var _ interface {
	pane.Pane
	pane.Typist
	pane.Backer
} = (*Pane)(nil)

// New makes an empty pane; all returns the settings as they are now.
func New(t *theme.Theme, all func() []Row) *Pane {
	p := &Pane{all: all}
	p.List = pane.NewList(t, pane.ListConfig[Row, string]{
		Name: lang.N("Settings"), Columns: columns(t.Words, nil), Filtered: true, Key: func(r Row) string { return r.Name },
		List: p.matching, Frame: p.frame, Empty: p.empty, Row: p.row, Detail: p.detail, MostDetail: 2,
	})
	return p
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.Settings }

// Reads returns the parts of the store that the pane shows: a notice tells of
// each reload.
func (p *Pane) Reads() kernel.Topic { return kernel.TopicNotice }

// Sync reads the settings again.
func (p *Pane) Sync(s *state.Store, _ kernel.Topic) {
	p.Table.SetColumns(columns(p.Theme.Words, p.all()))
	p.Update(s)
}

// Act moves the cursor, filters, or asks for the setting to be changed.
func (p *Pane) Act(a keymap.Action) []kernel.Intent {
	if p.Moves(a) || a != keymap.EditSetting {
		return nil
	}
	r, ok := p.Picked()
	if !ok {
		return nil
	}
	return []kernel.Intent{pane.EditSetting{Name: r.Name}}
}

// Show puts the cursor on a setting, whatever is filtered.
func (p *Pane) Show(name string) {
	p.Back()
	p.Choose(name)
}

// matching lists the settings that match.
func (p *Pane) matching() []Row {
	words := p.Filter.Words()
	out := p.Rows()[:0]
	for _, r := range p.all() {
		if words.All() || words.Match(strings.Join([]string{r.Name, r.Value, r.From, r.About, r.origin(p.Theme.Words), p.Theme.Words.T(r.About)}, " ")) {
			out = append(out, r)
		}
	}
	return out
}

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
