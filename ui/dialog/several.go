package dialog

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Several asks for cards to be issued, by a template or from a CSV file, and
// goes on to the plan.
type Several struct {
	theme *theme.Theme
	store *state.Store
	keys  *keymap.Map
	file  bool
	at    int
	top   int
	err   string

	fields [severalFields]widget.Input
	path   widget.Input
	read   string // the file that this dialog had read
	rows   rowList
}

// The fields of a template.
const (
	severalBIN = iota
	severalAmount
	severalCount
	severalLabel
	severalStart
	severalLimit
	severalFields
)

// NewSeveral makes the dialog.
func NewSeveral(t *theme.Theme, s *state.Store, keys *keymap.Map) *Several {
	d := &Several{theme: t, store: s, keys: keys, rows: newRowList()}
	for i, placeholder := range [severalFields]string{"type to search", "0.00", "10", "fb/spring/{n:02}", "1", "the BIN's"} {
		d.fields[i] = widget.Input{Placeholder: placeholder, Limit: templateLimit}
	}
	d.path = widget.Input{Placeholder: "cards.csv", Limit: 4096}
	return d
}

// names are the fields' words.
func (*Several) names() [severalFields]string {
	return [severalFields]string{"BIN", "amount $", "cards", "label", "first number", "limit $"}
}

// Sync makes the dialog look at the store again.
func (d *Several) Sync(s *state.Store) { d.store = s }

// Question is false: nothing is answered here.
func (*Several) Question() bool { return false }

// Typing is true: letters are typed here.
func (*Several) Typing() bool { return true }

func (d *Several) input() *widget.Input {
	if d.file {
		return &d.path
	}
	return &d.fields[d.at]
}

// Paste puts text into the field.
func (d *Several) Paste(text string) {
	d.err = ""
	d.input().Insert(strings.TrimSpace(text))
}

// Type edits the field, or goes to another.
func (d *Several) Type(key, text string) Result {
	switch {
	case d.file && d.rows.move(d.keys, key, true):
	case !d.file && key == "down":
		d.at = (d.at + 1) % severalFields
	case !d.file && key == "up":
		d.at = (d.at + severalFields - 1) % severalFields
	default:
		d.err = ""
		d.input().Key(key, text)
	}
	return Result{}
}

// Act goes from template to file and back, or on to the plan.
func (d *Several) Act(a keymap.Action) Result {
	switch {
	case a == keymap.Cancel:
		return Result{Close: true}
	case a == keymap.Switch:
		d.file, d.err = !d.file, ""
	case a == keymap.Confirm && d.file:
		return d.fromFile()
	case a == keymap.Confirm:
		return d.fromTemplate()
	}
	return Result{}
}

// fromFile reads the file, and makes the plan once it is read.
func (d *Several) fromFile() Result {
	path := strings.TrimSpace(d.path.Value())
	sheet, read := d.sheet()
	switch {
	case path == "":
		d.err = "type the path of a CSV file"
	case sheet.Loading:
	case !read || sheet.Err != nil || len(sheet.Sheet.Problems) > 0:
		d.read = path
		return Result{Intents: []state.Intent{state.LoadSheet{Path: path}}}
	default:
		return d.plan(sheet.Sheet.Rows)
	}
	return Result{}
}

// sheet is the file of the path that is typed, once this dialog had it read:
// what was read before may have changed since.
func (d *Several) sheet() (state.SheetFile, bool) {
	path, sheet := strings.TrimSpace(d.path.Value()), d.store.Sheet()
	if path == "" || path != d.read || path != sheet.Path {
		return state.SheetFile{}, false
	}
	return sheet, true
}

func (d *Several) plan(rows []state.IssueRow) Result {
	in := state.IssueMany{Rows: rows}
	return Result{Push: NewPlan(d.theme, d.store, d.keys, 1, func(s *state.Store) *state.Plan { return s.Plan(in) })}
}

// fromTemplate makes the plan, or goes to the field that is wrong.
func (d *Several) fromTemplate() Result {
	t, at, err := d.template()
	if err != "" {
		d.at, d.err = at, err
		return Result{}
	}
	rows, rerr := t.Rows()
	if rerr != nil {
		d.at, d.err = severalLabel, rerr.Error()
		return Result{}
	}
	return d.plan(rows)
}

// template reads the fields, or tells which is wrong and why.
func (d *Several) template() (t state.IssueTemplate, at int, err string) {
	value := func(i int) string { return strings.TrimSpace(d.fields[i].Value()) }
	bin, ok := d.bin()
	if !ok {
		return t, severalBIN, "no BIN matches"
	}
	t.Request.BIN, t.Request.Label = bin, d.fields[severalLabel].Value()
	for _, f := range []struct {
		at int
		to func(state.USD)
	}{
		{severalAmount, func(u state.USD) { t.Request.Amount = u }},
		{severalLimit, func(u state.USD) { t.Request.SpendingLimit = &u }},
	} {
		text := value(f.at)
		if text == "" && f.at == severalLimit {
			continue
		}
		amount := widget.NewAmount(widget.InputStyles{})
		amount.SetValue(text)
		cents, ok := amount.Cents()
		if !ok {
			return t, f.at, firstText(amount.Err(), "type an amount, such as 50 or 12.50")
		}
		f.to(state.USD(cents) * state.Cent)
	}
	for _, f := range []struct {
		at, least, otherwise int
		to                   *int
	}{{severalCount, 1, 0, &t.Count}, {severalStart, 0, 1, &t.Start}} {
		n, err := strconv.Atoi(value(f.at))
		if value(f.at) == "" && f.otherwise > 0 {
			n, err = f.otherwise, nil
		}
		if err != nil || n < f.least || n > 1_000_000 {
			return t, f.at, "type a number"
		}
		*f.to = n
	}
	return t, 0, ""
}

func firstText(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// bin is the first BIN that holds every word typed. Before the BINs are read
// what is typed is one.
func (d *Several) bin() (state.BINID, bool) {
	rows, known, _ := d.store.BINs()
	text := strings.ToLower(strings.TrimSpace(d.fields[severalBIN].Value()))
	if !known {
		return state.BINID(text), text != ""
	}
	for _, b := range rows {
		all := strings.ToLower(binText(b))
		hit := true
		for _, word := range strings.Fields(text) {
			hit = hit && strings.Contains(all, word)
		}
		if hit {
			return b.ID, true
		}
	}
	return "", false
}

// binText is a BIN in a line.
func binText(b state.BIN) string {
	parts := []string{string(b.ID), string(b.Network), string(b.Type), string(b.IssuerCountry)}
	if b.ThreeDS {
		parts = append(parts, "3DS")
	}
	if b.MaxMonthly != nil {
		parts = append(parts, "up to $"+b.MaxMonthly.Grouped()+" a month")
	}
	return strings.Join(parts, " ")
}

// View draws the box.
func (d *Several) View(w, h int) []string {
	t := d.theme
	w = min(w, 66)
	inner := w - 2
	lines := []string{widget.Spans(inner, d.tabs()...)}
	foot := []string{
		widget.Spans(inner, widget.Span{Style: t.Error, Text: " " + d.err}),
		widget.Spans(inner, widget.Span{Style: t.Key, Text: " enter"}, widget.Span{Style: t.KeyText, Text: " " + d.enter() + "  "},
			widget.Span{Style: t.Key, Text: "tab"}, widget.Span{Style: t.KeyText, Text: " template or file  "},
			widget.Span{Style: t.Key, Text: "esc"}, widget.Span{Style: t.KeyText, Text: " cancel"}),
	}
	room := max(1, h-2-len(lines)-len(foot))
	if d.file {
		lines = append(lines, d.fileLines(inner, room)...)
	} else {
		lines = append(lines, d.templateLines(inner, room)...)
	}
	return box(t, "Issue several cards", append(lines, foot...), w)
}

func (d *Several) tabs() []widget.Span {
	t := d.theme
	styles, marks := [2]string{t.Selection, t.Muted}, [2]string{"▸", " "}
	if d.file {
		styles, marks = [2]string{t.Muted, t.Selection}, [2]string{" ", "▸"}
	}
	return []widget.Span{
		{Text: " "},
		{Style: styles[0], Text: marks[0] + "by a template "},
		{Style: styles[1], Text: marks[1] + "from a CSV file "},
	}
}

// enter says what the key does next.
func (d *Several) enter() string {
	if sheet, read := d.sheet(); d.file && (!read || len(sheet.Sheet.Rows) == 0) {
		return "read"
	}
	return "rows"
}

// templateLines draws as many fields as there is room for, the one typed into
// among them, with what the BIN is below it.
func (d *Several) templateLines(w, room int) []string {
	var lines []string
	focus := 0
	for i, name := range d.names() {
		focused := i == d.at
		if focused {
			focus = len(lines)
		}
		lines = append(lines, d.fieldLine(name, &d.fields[i], focused, w))
		if i == severalBIN {
			lines = append(lines, widget.Spans(w, widget.Span{Style: d.theme.Faint, Text: "   " + d.binLine()}))
		}
	}
	d.top = max(min(d.top, focus), focus-room+1, 0)
	d.top = max(0, min(d.top, len(lines)-room))
	return lines[d.top:min(len(lines), d.top+room)]
}

func (d *Several) binLine() string {
	_, known, err := d.store.BINs()
	id, ok := d.bin()
	switch {
	case !known && err != nil:
		return "the BINs could not be read: type an id"
	case !known:
		return "reading the BINs…"
	case !ok:
		return "no BIN matches"
	}
	b, _ := d.store.BIN(id)
	return binText(b)
}

func (d *Several) fieldLine(name string, in *widget.Input, focused bool, w int) string {
	t := d.theme
	mark, style := "  ", t.Muted
	if focused {
		mark, style = " ▸", t.Strong
	}
	in.Styles = widget.InputStyles{Text: t.Input, Placeholder: t.Placeholder, Cursor: t.Cursor, Error: t.Error}
	const head = 16
	return widget.FitLine(widget.Spans(head, widget.Span{Style: style, Text: mark + name})+in.View(max(1, w-head-1), focused), w)
}

// fileLines draws the path and what became of reading it.
func (d *Several) fileLines(w, room int) []string {
	t := d.theme
	lines := []string{d.fieldLine("file", &d.path, true, w)}
	say := func(style, text string) {
		lines = append(lines, widget.Spans(w, widget.Span{Style: style, Text: "   " + text}))
	}
	sheet, read := d.sheet()
	problems := sheet.Sheet.Problems
	switch {
	case !read:
		say(t.Faint, "header: bin_id,amount,label,spending_limit,")
		say(t.Faint, "allowed_categories,auto_freeze_at,metadata.*")
	case sheet.Loading:
		say(t.Muted, "reading…")
	case sheet.Err != nil:
		say(t.Error, sheet.Err.Error())
	case len(problems) > 0:
		say(t.Error, fmt.Sprintf("%d errors: nothing of the file is used; enter reads it again", len(problems)))
		d.rows.order = make([]int, len(problems))
		lines = append(lines, d.rows.draw(t, w, max(1, room-len(lines)), func(i int, r *widget.RowWriter) {
			r.Cell(t.Bad, t.Glyphs.Cross)
			r.Cell(t.Text, fmt.Sprintf("line %d", problems[i].Line))
			r.Cell(t.Bad, problems[i].Text)
		})...)
	default:
		say(t.Good, cards(len(sheet.Sheet.Rows))+" read")
	}
	return lines[:min(len(lines), room)]
}
