package dialog

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Field is one line of a form.
type Field struct {
	// Name is that of the field in the request's body, label the one on screen; a
	// field without label continues the one before.
	Name, Label string
	// Hint is shown below the field while it has the focus.
	Hint  string
	Entry Entry
	// Problem is what the store finds wrong with the value, told what the API
	// found wrong; told stays until the value changes.
	Problem, told string
	// Warning is shown and blocks nothing.
	Warning string
	// touched: something was typed. Before that no error is shown.
	Touched bool
}

// Fill fills the field, with an amount as with an offer.
func (f *Field) Fill(value string) {
	if _, ok := f.Entry.(*widget.Amount); ok {
		f.Offer(value)
		return
	}
	f.Entry.SetValue(value)
}

// Offer fills the field with a number, which what is typed first takes the place of.
func (f *Field) Offer(number string) {
	f.Entry.SetValue(number)
	if e, ok := f.Entry.(interface{ Select() }); ok {
		e.Select()
	}
}

// wrong returns the error of a field. strict includes fields that were not
// touched.
func (f *Field) wrong(strict bool) string {
	switch {
	case f.Entry.Err() != "":
		return f.Entry.Err()
	case f.told != "":
		return f.told
	case f.Touched || strict:
		return f.Problem
	}
	return ""
}

// Form is a list of fields, one of which has the focus. It scrolls where the
// screen is too small.
type Form struct {
	Theme  *theme.Theme
	Fields []*Field
	At     int
	top    int
	// strict shows the errors of untouched fields as well, once a review was
	// asked for.
	strict bool
	// Note is what is wrong with the request itself.
	Note string
	// Enter is what enter does; empty stands for the review. Like all texts of a form it
	// is in the language of the user.
	Enter string
	// More are further hints, such as "space select".
	More []string
}

// LabelCells is the width of the labels' column in a box of w cells.
func LabelCells(w int) int {
	if w < 50 {
		return 15
	}
	return 16
}

// NewForm makes a form with the cursor in the first field.
func NewForm(t *theme.Theme, fields ...*Field) *Form { return &Form{Theme: t, Fields: fields} }

// Focused is the field that is typed into.
func (f *Form) Focused() *Field { return f.Fields[f.At] }

// Find returns the first field of a name.
func (f *Form) Find(name string) (*Field, bool) {
	for _, fd := range f.Fields {
		if fd.Name == name {
			return fd, true
		}
	}
	return nil, false
}

// Act moves between the fields and reports whether it did.
func (f *Form) Act(a keymap.Action) bool {
	switch a {
	case keymap.NextField:
		f.At = (f.At + 1) % len(f.Fields)
	case keymap.PrevField:
		f.At = (f.At - 1 + len(f.Fields)) % len(f.Fields)
	default:
		return false
	}
	return true
}

// Edit changes the focused value and clears the errors of the previous one.
func (f *Form) Edit(change func(Entry)) {
	fd := f.Focused()
	before := fd.Entry.Value()
	change(fd.Entry)
	if fd.Entry.Value() != before {
		fd.Touched, fd.told, f.Note = true, "", ""
	}
}

// Letters reports whether the focused field accepts letters.
func (f *Form) Letters() bool {
	switch f.Focused().Entry.(type) {
	case *widget.Amount, *Checkbox, *Cycle:
		return false
	default:
		return true
	}
}

// SetProblems shows problems at their fields, except where a field has one.
func (f *Form) SetProblems(all []state.Problem) {
	for _, p := range all {
		fd, ok := f.Find(p.Field)
		known := slices.ContainsFunc(f.Fields, func(fd *Field) bool { return fd.Name == p.Field && fd.Problem != "" })
		if ok && !known {
			fd.Problem = p.Reason
		}
	}
}

// ClearProblems clears what was found before.
func (f *Form) ClearProblems() {
	for _, fd := range f.Fields {
		fd.Problem, fd.Warning = "", ""
	}
}

// Passes reports whether a request can be reviewed, and else moves to the first
// error. Errors of the API are cleared: it will be asked again.
func (f *Form) Passes(s *state.Store, in kernel.Intent) bool {
	if f.ClearTold(); f.FirstWrong() {
		return false
	}
	f.Note = s.Check(in).Reason
	return f.Note == ""
}

// ClearTold clears what was found wrong by somebody who will be asked again.
func (f *Form) ClearTold() {
	f.Note = ""
	for _, fd := range f.Fields {
		fd.told = ""
	}
}

// Refused shows an error of the API at its field, or for the form.
func (f *Form) Refused(name, reason string) {
	if name != "" {
		for i, fd := range f.Fields {
			if fd.Name == name {
				fd.told, f.At, f.Note = reason, i, ""
				return
			}
		}
	}
	f.Note = reason
}

// FirstWrong moves to the first field with an error and reports whether there
// is one.
func (f *Form) FirstWrong() bool {
	f.strict = true
	for i, fd := range f.Fields {
		if fd.wrong(true) != "" {
			f.At = i
			return true
		}
	}
	return false
}

// lines draws at most h lines of the fields, the focused one among them, and
// returns which part that is.
func (f *Form) lines(w, h int) ([]string, widget.Scroll) {
	var all []string
	from, to := 0, 0
	for i, fd := range f.Fields {
		if i == f.At {
			from = len(all)
		}
		all = append(all, f.line(fd, i == f.At, w))
		all = append(all, f.below(fd, i == f.At, w)...)
		if i == f.At {
			to = len(all)
		}
	}
	h = max(1, min(h, len(all)))
	if to > f.top+h {
		f.top = to - h
	}
	f.top = max(0, min(f.top, from, len(all)-h))
	return all[f.top : f.top+h], widget.Scroll{Offset: f.top, Visible: h, Total: len(all)}
}

func (f *Form) line(fd *Field, focused bool, w int) string {
	t := f.Theme
	mark, style := " ", t.Muted
	switch {
	case focused: // Its error is below it.
		mark, style = "▸", t.Strong
	case fd.wrong(f.strict) != "":
		mark = t.Glyphs.Cross
	}
	fd.Entry.SetStyles(InputStyles(t))
	label := LabelCells(w)
	head := widget.Spans(label, widget.Span{Style: t.Accent, Text: mark}, widget.Span{Style: style, Text: fd.Label})
	return widget.FitLine(head+fd.Entry.View(max(0, w-label-1), focused)+" ", w)
}

// below draws the error of a field, its warning or its hint.
func (f *Form) below(fd *Field, focused bool, w int) []string {
	text, style := fd.wrong(f.strict), f.Theme.Error
	if e, ok := fd.Entry.(*TextEntry); ok && text == "" && e.note != "" {
		text, style = f.Theme.Words.T(e.note), f.Theme.Warn
	}
	if text == "" && fd.Warning != "" {
		text, style = fd.Warning, f.Theme.Warn
	}
	if text == "" && focused {
		text, style = fd.Hint, f.Theme.Faint
	}
	if text == "" {
		return nil
	}
	indent := LabelCells(w)
	if w < 60 {
		indent = 2
	}
	var lines []string
	for _, part := range widget.Wrap(text, w-indent-1) {
		lines = append(lines, widget.Spans(w, widget.Span{Text: strings.Repeat(" ", indent)}, widget.Span{Style: style, Text: part}))
	}
	return lines
}

// Draw draws the form in its box: fields, errors, effect and keys.
func (f *Form) Draw(title string, w, h int, effect []string, waiting bool) []string {
	t, inner := f.Theme, w-2
	foot := effect
	if f.Note != "" {
		foot = ErrorLines(t, inner, f.Note)
	}
	if waiting {
		foot = append(foot, SendingLine(t, inner))
	} else {
		foot = append(foot, KeyLines(t, inner, append([]string{"enter " + cmp.Or(f.Enter, t.Words.T("review")), "tab " + t.Words.T("next"), "esc " + t.Words.T("back")}, f.More...)...)...)
	}
	body, part := f.lines(inner, h-2-len(foot))
	if free := h - 2 - len(foot) - len(body); free > 0 {
		foot = append([]string{widget.Spans(inner)}, foot...)
	}
	return Scrolled(t, title, append(slices.Clip(body), foot...), w, part)
}
