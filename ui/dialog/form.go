package dialog

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// field is one line of a form.
type field struct {
	// name is that of the field in the request's body, label the one on the
	// screen; a field without label goes on with the one before.
	name, label string
	// hint is said below the field while it has the focus.
	hint  string
	entry entry
	// problem is what the store finds wrong with the value, told what the API
	// said of it when it refused the request: until the value changes.
	problem, told string
	// warning is what is odd about the value and does not stand in the way.
	warning string
	// touched says that something was typed: before that nothing is wrong.
	touched bool
}

// wrong tells what is wrong with a field's value. strict also complains of
// one that was not touched.
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
// screen is too small for all of them.
type form struct {
	theme  *theme.Theme
	fields []*field
	at     int
	top    int
	// strict complains of fields nobody touched as well: once the form was sent
	// on its way.
	strict bool
	// note is what is wrong with the request as a whole.
	note string
	// enter is what enter does now; empty: it goes on to the review.
	enter string
	// more are keys of this form alone and what they do, such as "space pick".
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

// find gives the first field of a name.
func (f *form) find(name string) (*field, bool) {
	for _, fd := range f.fields {
		if fd.name == name {
			return fd, true
		}
	}
	return nil, false
}

// act moves between the fields and tells whether the action was the form's.
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

// edit changes the focused value and forgets what was said of the one before.
func (f *form) edit(change func(entry)) {
	fd := f.focused()
	before := fd.entry.Value()
	change(fd.entry)
	if fd.entry.Value() != before {
		fd.touched, fd.told, f.note = true, "", ""
	}
}

// letters tells whether the focused field takes letters.
func (f *form) letters() bool {
	switch f.focused().entry.(type) {
	case *widget.Amount, *pick:
		return false
	default:
		return true
	}
}

// judge writes what is wrong at the fields it is about, unless they know
// better.
func (f *form) judge(all []state.Problem) {
	for _, p := range all {
		fd, ok := f.find(p.Field)
		known := slices.ContainsFunc(f.fields, func(fd *field) bool { return fd.name == p.Field && fd.problem != "" })
		if ok && !known {
			fd.problem = p.Reason
		}
	}
}

// forget takes away what was found wrong before.
func (f *form) forget() {
	for _, fd := range f.fields {
		fd.problem, fd.warning = "", ""
	}
}

// passes tells whether a request can be reviewed, and else goes to what is not
// in order. What the API said before counts no more: it will be asked again.
func (f *form) passes(s *state.Store, in state.Intent) bool {
	f.note = ""
	for _, fd := range f.fields {
		fd.told = ""
	}
	if f.firstWrong() {
		return false
	}
	f.note = s.Check(in).Reason
	return f.note == ""
}

// refused puts the word of the API at the field it is about, or above all.
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

// firstWrong goes to the first field that is not in order; false when all
// are.
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

// lines draws the fields, at most h lines of them with the focused one among
// them, and tells what part that is.
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
	if focused {
		mark, style = "▸", t.Strong
	}
	if fd.wrong(f.strict) != "" {
		mark = t.Glyphs.Cross
	}
	fd.entry.SetStyles(inputStyles(t))
	label := labelCells(w)
	head := widget.Spans(label, widget.Span{Style: t.Accent, Text: mark}, widget.Span{Style: style, Text: fd.label})
	return widget.FitLine(head+fd.entry.View(max(0, w-label-1), focused)+" ", w)
}

// below is what is said under a field: what is wrong, or what may be typed.
func (f *form) below(fd *field, focused bool, w int) []string {
	text, style := fd.wrong(f.strict), f.theme.Error
	if e, ok := fd.entry.(*textEntry); ok && text == "" && e.note != "" {
		text, style = e.note, f.theme.Warn
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

// view draws the form in its box: the fields, what is wrong with the whole,
// what it will do, and the keys.
func (f *form) view(title string, w, h int, effect []string, waiting bool) []string {
	t, inner := f.theme, w-2
	foot := effect
	if f.note != "" {
		foot = complaint(t, inner, f.note)
	}
	if waiting {
		foot = append(foot, sendingLine(t, inner))
	} else {
		foot = append(foot, keyLines(t, inner, append([]string{"enter " + cmp.Or(f.enter, "review"), "tab next", "esc back"}, f.more...)...)...)
	}
	body, part := f.lines(inner, h-2-len(foot))
	if free := h - 2 - len(foot) - len(body); free > 0 {
		foot = append([]string{widget.Spans(inner)}, foot...)
	}
	return scrolled(t, title, append(slices.Clip(body), foot...), w, part)
}
