package dialog

import (
	"fmt"
	"slices"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/views"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Columns chooses, orders and sizes the columns of a list. Changes apply at
// once.
type Columns struct {
	Inert
	theme *theme.Theme
	store *state.Store
	what  pane.ChooseColumns
	Cursored
	rows []columnRow
}

type columnRow struct {
	pane.ColumnChoice
	shown bool
	width int
}

// mostWidth bounds a column's width, in cells.
const mostWidth = 80

// resize makes a column wider or narrower than it is.
func (r *columnRow) resize(by int) {
	if r.width == 0 {
		r.width = r.Width
	}
	r.width = min(max(r.width+by, 1), mostWidth)
}

// NewColumns makes the dialog.
func NewColumns(t *theme.Theme, s *state.Store, what pane.ChooseColumns) *Columns {
	d := &Columns{theme: t, store: s, what: what}
	d.Table = widget.NewTable(widget.TableConfig{Gap: 2, Columns: []widget.Column{
		{Min: 1, Max: 1}, {Min: 8, Max: 12, Weight: 1}, {Min: 5, Max: 5, Align: widget.Right}, {Min: 10, Weight: 3, Priority: 1},
	}})
	d.read(s.Views.Get(what.List).Columns)
	return d
}

// read lists the shown columns in their order, then the others.
func (d *Columns) read(chosen []settings.ShownColumn) {
	d.rows = d.rows[:0]
	for _, c := range chosen {
		if i := slices.IndexFunc(d.what.All, func(a pane.ColumnChoice) bool { return a.Name == c.Name }); i >= 0 {
			d.rows = append(d.rows, columnRow{d.what.All[i], true, c.Width})
		}
	}
	none := len(d.rows) == 0
	for _, a := range d.what.All {
		if !slices.ContainsFunc(d.rows, func(r columnRow) bool { return r.Name == a.Name }) {
			d.rows = append(d.rows, columnRow{a, none && !a.Spare, 0})
		}
	}
	d.Table.SetRows(len(d.rows))
}

// Sync makes the dialog read the store again.
func (d *Columns) Sync(s *state.Store, _ kernel.Topic) { d.store = s }

// Traits implements Dialog.
func (d *Columns) Traits() Traits {
	return Traits{Context: keymap.Form, Move: d.Move}
}

// Act moves or closes.
func (d *Columns) Act(a keymap.Action) Result {
	switch a {
	case keymap.NextField:
		d.Table.Move(1)
	case keymap.PrevField:
		d.Table.Move(-1)
	case keymap.Cancel, keymap.Confirm:
		return Result{Close: true}
	default:
	}
	return Result{}
}

// Type changes the column under the cursor.
func (d *Columns) Type(key, _ string) Result {
	at, _ := d.Table.Cursor()
	row := &d.rows[at]
	switch key {
	case "space":
		if row.shown && d.count() == 1 {
			return Result{} // A list without columns shows nothing.
		}
		row.shown = !row.shown
	case "J", "shift+down":
		d.swap(at, at+1)
	case "K", "shift+up":
		d.swap(at, at-1)
	case "+", "=":
		row.resize(1)
	case "-":
		row.resize(-1)
	case "0":
		row.width = 0
	case "r":
		return d.set(nil)
	default:
		return Result{}
	}
	var chosen []settings.ShownColumn
	for _, r := range d.rows {
		if r.shown {
			chosen = append(chosen, settings.ShownColumn{Name: r.Name, Width: r.width})
		}
	}
	return d.set(chosen)
}

func (d *Columns) set(chosen []settings.ShownColumn) Result {
	v := d.store.Views.Get(d.what.List)
	if v.Columns = chosen; chosen == nil {
		d.read(nil)
	}
	return Result{Intents: []kernel.Intent{views.Set{List: d.what.List, View: v}}}
}

// byRoom marks a column that only a wide screen shows, until columns are chosen.
const byRoom = "·"

// chosen reports whether the user chose the columns.
func (d *Columns) chosen() bool { return len(d.store.Views.Get(d.what.List).Columns) > 0 }

func (d *Columns) count() int {
	n := 0
	for _, r := range d.rows {
		if r.shown {
			n++
		}
	}
	return n
}

// swap moves a column and the cursor with it.
func (d *Columns) swap(from, to int) {
	if to >= 0 && to < len(d.rows) {
		d.rows[from], d.rows[to] = d.rows[to], d.rows[from]
		d.Table.SetCursor(to)
	}
}

// View draws the box.
func (d *Columns) View(w, h int) []string {
	t := d.theme
	w = min(w, 64)
	inner := w - 2
	d.Table.SetStyles(TableStyles(t))
	foot := KeyLines(t, inner, "esc "+t.Words.T("done"), "space "+t.Words.T("show"), "J/K "+t.Words.T("move"), "+/-/0 "+t.Words.T("width"), "r "+t.Words.T("reset"))
	if legend := KeyLines(t, inner, byRoom+" "+t.Words.T("if there is room")); !d.chosen() && h >= len(d.rows)+len(foot)+len(legend)+2 {
		foot = append(foot, legend...)
	}
	d.Table.SetSize(inner, min(len(d.rows), max(1, h-2-len(foot))))
	return Scrolled(t, t.Words.T("Columns"), append(d.Table.Draw(true, d.row), foot...), w, d.Table.Scroll())
}

func (d *Columns) row(i int, w *widget.RowWriter) {
	t, r := d.theme, d.rows[i]
	mark, style, width := " ", t.Faint, ""
	switch {
	case r.shown:
		mark, style = t.Glyphs.Check, t.Text
	case r.Spare && !d.chosen():
		mark = byRoom
	}
	if r.width > 0 {
		width = fmt.Sprint(r.width)
	}
	w.Cell(t.Good, mark)
	w.Cell(style, r.Name)
	w.Cell(t.Muted, width)
	w.Cell(t.Muted, t.Words.T(r.About))
}

// Groups chooses by what the rows of a list are put together.
type Groups struct {
	Inert
	theme *theme.Theme
	store *state.Store
	keys  *keymap.Map
	what  pane.ChooseGroup
	Cursored
}

// NewGroups makes the dialog. The cursor starts on the way after the present
// one, so that the key that opens the list and enter turn it.
func NewGroups(t *theme.Theme, s *state.Store, keys *keymap.Map, what pane.ChooseGroup) *Groups {
	d := &Groups{theme: t, store: s, keys: keys, what: what}
	d.Table = widget.NewTable(widget.TableConfig{Gap: 1, Columns: []widget.Column{{Min: 1, Max: 1}, {Min: 1, Max: 1}, {Min: 10, Weight: 1}}})
	d.Table.SetRows(len(what.All))
	now := slices.IndexFunc(what.All, func(g pane.GroupChoice) bool { return g.Name == d.now() })
	d.Table.SetCursor((now + 1) % len(what.All))
	return d
}

// now is the present way.
func (d *Groups) now() string { return d.store.Views.Get(d.what.List).Group }

// Sync makes the dialog read the store again.
func (d *Groups) Sync(s *state.Store, _ kernel.Topic) { d.store = s }

// Traits implements Dialog.
func (d *Groups) Traits() Traits {
	return Traits{Context: keymap.Form, Public: true, Move: d.Move, Click: d.click}
}

// Act moves, groups, or closes the list.
func (d *Groups) Act(a keymap.Action) Result {
	at, _ := d.Table.Cursor()
	switch a {
	case keymap.NextField:
		d.Table.SetCursor((at + 1) % len(d.what.All))
	case keymap.PrevField:
		d.Table.Move(-1)
	case keymap.Cancel:
		return Result{Close: true}
	case keymap.Confirm:
		return d.choose(at)
	default:
	}
	return Result{}
}

// Type groups by number. The key that opens the list goes on in it.
func (d *Groups) Type(key, _ string) Result {
	if len(key) == 1 && key[0] >= '1' && int(key[0]-'1') < len(d.what.All) {
		return d.choose(int(key[0] - '1'))
	}
	if act, _ := d.keys.Resolve(key, keymap.Cards); act == keymap.GroupBy {
		return d.Act(keymap.NextField)
	}
	return Result{}
}

// click groups by the way on a line of the box.
func (d *Groups) click(line int) Result {
	if at, ok := d.Table.RowAt(line - 1); ok {
		return d.choose(at)
	}
	return Result{}
}

func (d *Groups) choose(at int) Result {
	v := d.store.Views.Get(d.what.List)
	v.Group = d.what.All[at].Name
	return Result{Close: true, Intents: []kernel.Intent{views.Set{List: d.what.List, View: v}}}
}

// View draws the box.
func (d *Groups) View(w, h int) []string {
	t := d.theme
	w = min(w, 32)
	inner := w - 2
	d.Table.SetStyles(TableStyles(t))
	foot := KeyLines(t, inner, "enter "+t.Words.T("choose"), "esc "+t.Words.T("back"))
	d.Table.SetSize(inner, min(len(d.what.All), max(1, h-2-len(foot))))
	lines := d.Table.Draw(true, func(i int, w *widget.RowWriter) {
		g, mark := d.what.All[i], " "
		if g.Name == d.now() {
			mark = t.Glyphs.Check
		}
		w.Cell(t.Good, mark)
		w.Cell(t.Key, fmt.Sprint(i+1))
		w.Cell(t.Text, t.Words.T(g.About))
	})
	return Scrolled(t, t.Words.T("Group by"), append(lines, foot...), w, d.Table.Scroll())
}

// Tab asks for the name of a filter to save as a tab.
type Tab struct {
	theme *theme.Theme
	store *state.Store
	what  pane.NameTab
	field *TextEntry
	told  string
}

// NewTab makes the dialog.
func NewTab(t *theme.Theme, s *state.Store, what pane.NameTab) *Tab {
	d := &Tab{theme: t, store: s, what: what, field: NewText()}
	d.field.SetPlaceholder(t.Words.T("a short name"))
	return d
}

// Sync makes the dialog read the store again.
func (d *Tab) Sync(s *state.Store, _ kernel.Topic) { d.store = s }

// Traits implements Dialog.
func (*Tab) Traits() Traits {
	return Traits{Context: keymap.Form, Typing: true}
}

// Act saves the filter, or shows why it cannot.
func (d *Tab) Act(a keymap.Action) Result {
	switch a {
	case keymap.Cancel:
		return Result{Close: true}
	case keymap.Confirm:
		in := views.SaveTab{List: d.what.List, Tab: settings.Tab{Name: d.field.Value(), Filter: d.what.Filter}}
		if d.told = d.store.Ask(in).Reason; d.told == "" {
			return Result{Close: true, Intents: []kernel.Intent{in}}
		}
	default:
	}
	return Result{}
}

// Type edits the name.
func (d *Tab) Type(key, text string) Result {
	d.told = ""
	d.field.Key(key, text)
	return Result{}
}

// Paste inserts pasted text.
func (d *Tab) Paste(text string) { d.field.Paste(text) }

// View draws the box.
func (d *Tab) View(w, _ int) []string {
	t := d.theme
	w = min(w, 60)
	inner := w - 2
	d.field.SetStyles(InputStyles(t))
	name := widget.Spans(8, widget.Span{Style: t.Muted, Text: " " + t.Words.T("name")})
	return Box(t, t.Words.T("Save filter as tab"), append([]string{
		Pair(t, inner, Pad(t.Words.T("filter"), 7), widget.Span{Style: t.Text, Text: d.what.Filter}),
		widget.FitLine(name+d.field.View(max(1, inner-9), true), inner),
		widget.Spans(inner, widget.Span{Style: t.Error, Text: " " + d.told}),
	}, KeyLines(t, inner, "enter "+t.Words.T("save"), "esc "+t.Words.T("back"))...), w)
}
