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

// field is one line of a form.
type field struct {
	// name is that of the field in the request's body, label the one on screen; a
	// field without label continues the one before.
	name, label string
	// hint is shown below the field while it has the focus.
	hint  string
	entry entry
	// problem is what the store finds wrong with the value, told what the API
	// found wrong; told stays until the value changes.
	problem, told string
	// warning is shown and blocks nothing.
	warning string
	// touched: something was typed. Before that no error is shown.
	touched bool
}

// fill fills the field, with an amount as with an offer.
func (f *field) fill(value string) {
	if _, ok := f.entry.(*widget.Amount); ok {
		f.offer(value)
		return
	}
	f.entry.SetValue(value)
}

// offer fills the field with a number, which what is typed first takes the place of.
func (f *field) offer(number string) {
	f.entry.SetValue(number)
	if e, ok := f.entry.(interface{ Select() }); ok {
		e.Select()
	}
}

// wrong returns the error of a field. strict includes fields that were not
// touched.
func (f *field) wrong(strict bool) string {
	switch {
	case f.entry.Err() != "":
		return f.entry.Err()
	case f.told != "":
		return f.told
	case f.touched || strict:
		return f.problem
	}
	return ""
}

// form is a list of fields, one of which has the focus. It scrolls where the
// screen is too small.
type form struct {
	theme  *theme.Theme
	fields []*field
	at     int
	top    int
	// strict shows the errors of untouched fields as well, once a review was
	// asked for.
	strict bool
	// note is what is wrong with the request itself.
	note string
	// enter is what enter does; empty stands for the review. Like all texts of a form it
	// is in the language of the user.
	enter string
	// more are further hints, such as "space select".
	more []string
}

// labelCells is the width of the labels' column in a box of w cells.
func labelCells(w int) int {
	if w < 50 {
		return 15
	}
	return 16
}

func newForm(t *theme.Theme, fields ...*field) *form { return &form{theme: t, fields: fields} }

// focused is the field that is typed into.
func (f *form) focused() *field { return f.fields[f.at] }

// find returns the first field of a name.
func (f *form) find(name string) (*field, bool) {
	for _, fd := range f.fields {
		if fd.name == name {
			return fd, true
		}
	}
	return nil, false
}

// act moves between the fields and reports whether it did.
func (f *form) act(a keymap.Action) bool {
	switch a {
	case keymap.NextField:
		f.at = (f.at + 1) % len(f.fields)
	case keymap.PrevField:
		f.at = (f.at - 1 + len(f.fields)) % len(f.fields)
	default:
		return false
	}
	return true
}

// edit changes the focused value and clears the errors of the previous one.
func (f *form) edit(change func(entry)) {
	fd := f.focused()
	before := fd.entry.Value()
	change(fd.entry)
	if fd.entry.Value() != before {
		fd.touched, fd.told, f.note = true, "", ""
	}
}

// letters reports whether the focused field accepts letters.
func (f *form) letters() bool {
	switch f.focused().entry.(type) {
	case *widget.Amount, *pick, *cycle:
		return false
	default:
		return true
	}
}

// setProblems shows problems at their fields, except where a field has one.
func (f *form) setProblems(all []state.Problem) {
	for _, p := range all {
		fd, ok := f.find(p.Field)
		known := slices.ContainsFunc(f.fields, func(fd *field) bool { return fd.name == p.Field && fd.problem != "" })
		if ok && !known {
			fd.problem = p.Reason
		}
	}
}

// clearProblems clears what was found before.
func (f *form) clearProblems() {
	for _, fd := range f.fields {
		fd.problem, fd.warning = "", ""
	}
}

// passes reports whether a request can be reviewed, and else moves to the first
// error. Errors of the API are cleared: it will be asked again.
func (f *form) passes(s *state.Store, in kernel.Intent) bool {
	if f.clearTold(); f.firstWrong() {
		return false
	}
	f.note = s.Check(in).Reason
	return f.note == ""
}

// clearTold clears what was found wrong by somebody who will be asked again.
func (f *form) clearTold() {
	f.note = ""
	for _, fd := range f.fields {
		fd.told = ""
	}
}

// refused shows an error of the API at its field, or for the form.
func (f *form) refused(name, reason string) {
	if name != "" {
		for i, fd := range f.fields {
			if fd.name == name {
				fd.told, f.at, f.note = reason, i, ""
				return
			}
		}
	}
	f.note = reason
}

// firstWrong moves to the first field with an error and reports whether there
// is one.
func (f *form) firstWrong() bool {
	f.strict = true
	for i, fd := range f.fields {
		if fd.wrong(true) != "" {
			f.at = i
			return true
		}
	}
	return false
}

// lines draws at most h lines of the fields, the focused one among them, and
// returns which part that is.
func (f *form) lines(w, h int) ([]string, widget.Scroll) {
	var all []string
	from, to := 0, 0
	for i, fd := range f.fields {
		if i == f.at {
			from = len(all)
		}
		all = append(all, f.line(fd, i == f.at, w))
		all = append(all, f.below(fd, i == f.at, w)...)
		if i == f.at {
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

func (f *form) line(fd *field, focused bool, w int) string {
	t := f.theme
	mark, style := " ", t.Muted
	switch {
	case focused: // Its error is below it.
		mark, style = "▸", t.Strong
	case fd.wrong(f.strict) != "":
		mark = t.Glyphs.Cross
	}
	fd.entry.SetStyles(inputStyles(t))
	label := labelCells(w)
	head := widget.Spans(label, widget.Span{Style: t.Accent, Text: mark}, widget.Span{Style: style, Text: fd.label})
	return widget.FitLine(head+fd.entry.View(max(0, w-label-1), focused)+" ", w)
}

// below draws the error of a field, its warning or its hint.
func (f *form) below(fd *field, focused bool, w int) []string {
	text, style := fd.wrong(f.strict), f.theme.Error
	if e, ok := fd.entry.(*textEntry); ok && text == "" && e.note != "" {
		text, style = f.theme.Words.T(e.note), f.theme.Warn
	}
	if text == "" && fd.warning != "" {
		text, style = fd.warning, f.theme.Warn
	}
	if text == "" && focused {
		text, style = fd.hint, f.theme.Faint
	}
	if text == "" {
		return nil
	}
	indent := labelCells(w)
	if w < 60 {
		indent = 2
	}
	var lines []string
	for _, part := range widget.Wrap(text, w-indent-1) {
		lines = append(lines, widget.Spans(w, widget.Span{Text: strings.Repeat(" ", indent)}, widget.Span{Style: style, Text: part}))
	}
	return lines
}

// view draws the form in its box: fields, errors, effect and keys.
func (f *form) view(title string, w, h int, effect []string, waiting bool) []string {
	t, inner := f.theme, w-2
	foot := effect
	if f.note != "" {
		foot = complaint(t, inner, f.note)
	}
	if waiting {
		foot = append(foot, sendingLine(t, inner))
	} else {
		foot = append(foot, keyLines(t, inner, append([]string{"enter " + cmp.Or(f.enter, t.Words.T("review")), "tab " + t.Words.T("next"), "esc " + t.Words.T("back")}, f.more...)...)...)
	}
	body, part := f.lines(inner, h-2-len(foot))
	if free := h - 2 - len(foot) - len(body); free > 0 {
		foot = append([]string{widget.Spans(inner)}, foot...)
	}
	return scrolled(t, title, append(slices.Clip(body), foot...), w, part)
}
