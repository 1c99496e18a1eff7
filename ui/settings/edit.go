package settings

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// The settings that are shown as they are chosen.
const (
	themeName    = "theme"
	languageName = "language"
)

// resetKey takes the setting out of the file.
const resetKey = "ctrl+r"

// mostText bounds what is typed, far beyond any setting.
const mostText = 2048

// Edit is the form of one setting.
type Edit struct {
	theme *theme.Theme
	row   Row
	file  File
	field widget.Input
	// doing is what is under way, wrong what became of it; next closes the form.
	doing, wrong string
	next         *dialog.Result
	// all are the settings there are, among which a new entry may be.
	all []Row
}

var _ dialog.Dialog = (*Edit)(nil)

// NewEdit makes the form; all are the settings there are. Of a new entry it asks for
// the name first.
func NewEdit(t *theme.Theme, r Row, proposed string, f File, all []Row) *Edit {
	e := &Edit{theme: t, row: r, file: f, all: all, field: widget.Input{Limit: mostText}}
	e.field.SetValue(cmp.Or(proposed, r.Value))
	e.field.Select()
	return e
}

// Sync does nothing: what is typed is the user's.
func (*Edit) Sync(*state.Store, kernel.Topic) {}

// Traits implements Dialog.
func (e *Edit) Traits() dialog.Traits {
	return dialog.Traits{Context: keymap.Form, Typing: e.doing == "" && !e.chooses(), Commits: true, Public: !e.row.Own, Ready: e.ready}
}

// Act chooses the next value, saves, or goes back.
func (e *Edit) Act(a keymap.Action) dialog.Result {
	switch {
	case e.doing != "":
		return dialog.Result{} // Closed, it would not be known what was saved. It ends within seconds.
	case a == keymap.Cancel:
		r := e.preview(e.row.Value)
		r.Close = true
		return r
	case a == keymap.NextField:
		return e.choose(1)
	case a == keymap.PrevField:
		return e.choose(-1)
	case a == keymap.Confirm && e.row.New:
		return e.named(strings.TrimSpace(e.field.Value()))
	case a == keymap.Confirm && e.field.Value() == e.row.Value:
		return dialog.Result{Close: true}
	case a == keymap.Confirm:
		text := e.field.Value()
		return e.save(func() error { return e.file.Set(e.row.Name, text) }, e.told(e.theme.Words.Tf("saved %s", e.row.Name)))
	}
	return dialog.Result{}
}

// Type edits the value, or chooses among few.
func (e *Edit) Type(key, text string) dialog.Result {
	switch {
	case e.doing != "":
	case key == resetKey && e.row.set():
		return e.save(func() error { return e.file.Reset(e.row.Name) }, e.told(e.theme.Words.Tf("%s is the default again", e.row.Name)))
	case e.chooses() && (key == "right" || key == "space"):
		return e.choose(1)
	case e.chooses() && key == "left":
		return e.choose(-1)
	case !e.chooses():
		e.wrong = ""
		e.field.Key(key, text)
	}
	return dialog.Result{}
}

// Paste pastes into the value.
func (e *Edit) Paste(text string) {
	if e.doing == "" && !e.chooses() {
		e.wrong = ""
		e.field.Insert(strings.TrimSpace(text))
	}
}

// chooses reports whether the value is one of few.
func (e *Edit) chooses() bool { return len(e.row.Choices) > 0 && !e.row.New }

// named goes on to the value of a new entry, or of the one that has its name already.
func (e *Edit) named(name string) dialog.Result {
	if name == "" {
		return dialog.Result{Close: true}
	}
	e.row.Name, e.row.New, e.row.Own = strings.Replace(e.row.Name, NewName, name, 1), false, true
	if i := slices.IndexFunc(e.all, func(r Row) bool { return r.Name == e.row.Name && !r.New }); i >= 0 {
		e.row = e.all[i]
	}
	e.field.SetValue(e.row.Value)
	e.field.Select()
	return dialog.Result{}
}

// choose goes on among the choices.
func (e *Edit) choose(by int) dialog.Result {
	n := len(e.row.Choices)
	if n == 0 {
		return dialog.Result{}
	}
	at := max(0, slices.Index(e.row.Choices, e.field.Value()))
	e.wrong = ""
	e.field.SetValue(e.row.Choices[(at+by+n)%n])
	return e.preview(e.field.Value())
}

// told adds when a change takes effect, where that is later.
func (e *Edit) told(text string) string {
	if e.row.Restart {
		text += "; " + e.theme.Words.T("takes effect at the next start")
	}
	return text
}

// preview shows a value on the screen, where it changes how that looks.
func (e *Edit) preview(value string) dialog.Result {
	switch e.row.Name {
	case themeName:
		return dialog.Result{Theme: value}
	case languageName:
		return dialog.Result{Language: value}
	default:
		return dialog.Result{}
	}
}

// save writes the file; what is wrong with the value is shown at the field.
func (e *Edit) save(write func() error, told string) dialog.Result {
	e.doing = e.theme.Words.T("saving…")
	return dialog.Result{Job: func(context.Context) func() {
		err := write()
		return func() {
			if e.doing = ""; err != nil {
				e.wrong = err.Error()
				return
			}
			e.next = &dialog.Result{Close: true, Told: told}
		}
	}}
}

func (e *Edit) ready() (dialog.Result, bool) {
	if e.next == nil {
		return dialog.Result{}, false
	}
	next := *e.next
	e.next = nil
	return next, true
}

// View draws the box.
func (e *Edit) View(w, h int) []string {
	t := e.theme
	w = min(w, 72)
	inner := w - 2
	lines := e.about(inner)
	e.field.Styles = widget.InputStyles{Text: t.Input, Placeholder: t.Placeholder, Cursor: t.Cursor, Selected: t.Selection, Words: t.Words}
	value := []string{widget.Spans(inner), " " + e.field.View(inner-2, !e.chooses()) + " "}
	if e.chooses() {
		value[1] = widget.Spans(inner, widget.Span{Style: t.Key, Text: " ◂ "}, widget.Span{Style: t.Strong, Text: e.field.Value()}, widget.Span{Style: t.Key, Text: " ▸"})
	}
	style, text := t.Faint, t.Words.Tf("default: %s", e.row.Default)
	if e.row.New {
		text = t.Words.Tf("the name of the entry, for %s", NewName)
	}
	switch {
	case e.doing != "":
		style, text = t.Warn, e.doing
	case e.wrong != "":
		style, text = t.Error, e.wrong
	}
	var below []string
	for _, part := range widget.Wrap(text, max(1, inner-2)) {
		below = append(below, widget.Spans(inner, widget.Span{Style: style, Text: " " + part}))
	}
	foot := e.keys(inner)
	lines = lines[:max(0, min(len(lines), h-2-len(value)-len(below)-len(foot)))]
	body := slices.Concat(lines, value, below, foot)
	frame := widget.Frame{
		Title: []widget.Span{{Style: t.TitleFocused, Text: e.row.Name}}, Focused: true,
		Styles: widget.FrameStyles{Border: t.Border, BorderFocused: t.BorderFocused, Thumb: t.Thumb},
	}
	return frame.Draw(body, w, len(body)+2)
}

// about says what the setting is.
func (e *Edit) about(w int) []string {
	var lines []string
	for _, part := range widget.Wrap(e.theme.Words.T(e.row.About), max(1, w-2)) {
		lines = append(lines, widget.Spans(w, widget.Span{Style: e.theme.Muted, Text: " " + part}))
	}
	if e.row.Restart {
		lines = append(lines, widget.Spans(w, widget.Span{Style: e.theme.Warn, Text: " " + e.theme.Words.T("takes effect at the next start")}))
	}
	return lines
}

func (e *Edit) keys(cells int) []string {
	w := e.theme.Words
	hints := []string{"enter", " " + w.T("save") + "  ", "esc", " " + w.T("back")}
	if e.chooses() {
		hints = append(hints, "  ◂ ▸", " "+w.T("choose"))
	}
	if e.row.set() {
		hints = append(hints, "  "+resetKey, " "+w.T("default"))
	}
	spans := []widget.Span{{Text: " "}}
	for i, text := range hints {
		style := e.theme.Key
		if i%2 == 1 {
			style = e.theme.KeyText
		}
		spans = append(spans, widget.Span{Style: style, Text: text})
	}
	return []string{widget.Spans(cells), widget.Spans(cells, spans...)}
}
