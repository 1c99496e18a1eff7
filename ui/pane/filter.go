package pane

import (
	"errors"
	"strings"

	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/display"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// FilterLimit bounds what is typed into a filter, in code points.
const FilterLimit = 200

// Filter is the text a list is narrowed by, and the field it is typed into.
type Filter struct {
	theme  *theme.Theme
	input  widget.Input
	typing bool
	// wrong is the part of the text that is not understood, hint what the term
	// being typed takes, kept that it was tried to keep the text nevertheless.
	wrong *query.Error
	hint  string
	kept  bool
	// words is the query of a list without fields, worded the text it was read
	// of.
	words  query.Query[string]
	worded string
}

// NewFilter makes an empty filter.
func NewFilter(t *theme.Theme) *Filter {
	return &Filter{theme: t, input: widget.Input{Limit: FilterLimit}}
}

// Typing reports whether the field is open.
func (f *Filter) Typing() bool { return f.typing }

// Type puts a key into the field and reports whether the text changed.
func (f *Filter) Type(key, text string) (changed bool) {
	before := f.input.Value()
	f.input.Key(key, text)
	return f.input.Value() != before
}

// Act opens the field, keeps or clears the text; done reports whether the
// action was the filter's, changed whether the text changed. A text that is
// not understood is not kept: the field stays open.
func (f *Filter) Act(a keymap.Action) (done, changed bool) {
	switch {
	case f.typing && a == keymap.Confirm:
		f.typing = f.wrong != nil
		f.kept = f.typing
		return true, false
	case f.typing && a == keymap.Cancel, a == keymap.Back:
		f.typing = false
		changed = f.On()
		f.Set("")
		return true, changed
	case a == keymap.OpenFilter:
		f.typing = true
		return true, false
	}
	return false, false
}

// On reports whether there is a text to match.
func (f *Filter) On() bool { return f.input.Value() != "" }

// Text is what was typed.
func (f *Filter) Text() string { return f.input.Value() }

// Set replaces the text.
func (f *Filter) Set(text string) {
	f.input.SetValue(text)
	f.wrong, f.hint = nil, ""
}

// Words is what a row's text is asked in a list without fields, in lower case.
func (f *Filter) Words() *query.Query[string] {
	if text := f.input.Value(); text != f.worded {
		l := query.Words()
		f.words, f.worded = Understand(f, &l, f.words), text
	}
	return &f.words
}

// Understand reads a filter's text. As long as a part of it is wrong the
// filter says so and the last query stays active.
func Understand[T any](f *Filter, l *query.Language[T], last query.Query[T]) query.Query[T] {
	f.wrong, f.hint, f.kept = nil, "", false
	l.In = f.theme.Words
	q, err := l.Parse(f.input.Value())
	if errors.As(err, &f.wrong) {
		return last
	}
	f.hint = q.Hint()
	return q
}

// half reports whether the wrong part is in what is still being typed: it is not
// whole yet, and says what it takes instead of what is wrong.
func (f *Filter) half() bool {
	text := f.input.Value()
	return f.wrong != nil && f.typing && !f.kept && f.input.Cursor() == len(text) && !strings.ContainsAny(text[f.wrong.To:], " \t")
}

// The least cells that are kept for the text, and those of a frame's title
// that are not the filter's: its name, and the beginning of what is counted.
const (
	leastFilter = 14
	besides     = 26
)

// Spans shows the filter in the title of a frame w cells wide, with a cursor
// while it is typed. Of a long text the part before
// the cursor is shown; of one that may be a label nothing when it is hidden.
func (f *Filter) Spans(t *theme.Theme, d display.Display, w int) []widget.Span {
	if !f.typing && !f.On() {
		return nil
	}
	if d.Private() {
		return []widget.Span{{Style: t.Accent, Text: "  / " + d.Text(f.input.Value())}}
	}
	return f.text(t, max(leastFilter, w-besides))
}

// Advice says what the text lacks, or what is wrong with it.
func (f *Filter) Advice() (text string, wrong bool) {
	switch {
	case f.wrong != nil && !f.half():
		return f.wrong.Text, true
	case f.wrong != nil:
		return f.wrong.Hint, false
	case f.typing:
		return f.hint, false
	}
	return "", false
}

// text returns the text in at most w cells, the wrong part marked.
func (f *Filter) text(t *theme.Theme, w int) []widget.Span {
	value, style := f.input.Value(), t.Accent
	cursor := len(value)
	if f.typing {
		cursor, style = f.input.Cursor(), t.Strong
	}
	from := 0
	for from < cursor && widget.Width(value[from:cursor]) > w {
		from = f.input.After(from)
	}
	spans := []widget.Span{{Style: t.Accent, Text: "  / "}}
	if from > 0 {
		spans = append(spans, widget.Span{Style: t.Faint, Text: "…"})
	}
	add := func(to int) {
		if to = min(max(to, from), len(value)); to > from {
			part := style
			if f.wrong != nil && !f.half() && from >= f.wrong.From && from < f.wrong.To {
				part = t.Bad
			}
			spans = append(spans, widget.Span{Style: part, Text: value[from:to]})
			from = to
		}
	}
	marks := []int{cursor}
	if f.wrong != nil {
		marks = []int{min(f.wrong.From, cursor), min(f.wrong.To, cursor), cursor, f.wrong.From, f.wrong.To}
	}
	for i, at := range marks {
		add(at)
		if f.typing && (f.wrong == nil || i == 2) {
			spans = append(spans, widget.Span{Style: t.Cursor, Text: "▏"})
		}
	}
	add(len(value))
	return spans
}
