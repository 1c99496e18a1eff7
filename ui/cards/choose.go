package cards

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// BINs is the list to choose a BIN from. Typing filters it; the cursor is bound
// to a BIN's id.
type BINs struct {
	theme  *theme.Theme
	store  *state.Store
	table  *widget.Table
	filter *dialog.TextEntry
	rows   []api.BIN
	cursor api.BINID
	choose func(api.BINID)
	// closes is how many dialogs esc closes: the form as well when it has no
	// other field yet.
	closes int
}

// NewBINs makes the list; choose is called with the chosen one.
func NewBINs(t *theme.Theme, s *state.Store, chosen api.BINID, closes int, choose func(api.BINID)) *BINs {
	b := &BINs{theme: t, filter: dialog.NewText(), cursor: chosen, closes: closes, choose: choose}
	b.filter.SetPlaceholder(t.Words.T("type to filter"))
	b.table = widget.NewTable(widget.TableConfig{Columns: binColumns(t.Words), Gap: 2, Header: true, Empty: b.empty})
	b.Sync(s, kernel.TopicAll)
	return b
}

// Sync makes the list read the store again.
func (b *BINs) Sync(s *state.Store, _ kernel.Topic) {
	b.store = s
	all, _, _ := s.BINs.All()
	words := strings.Fields(strings.ToLower(b.filter.Value()))
	b.rows = b.rows[:0]
	for _, bin := range all {
		text := strings.ToLower(strings.Join(append(pane.BINCells(b.theme.Words, bin), pane.BINTags(bin), pane.BINWallets(b.theme.Words, bin)), " "))
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			b.rows = append(b.rows, bin)
		}
	}
	b.table.SetRows(len(b.rows))
	if i := slices.IndexFunc(b.rows, func(bin api.BIN) bool { return bin.ID == b.cursor }); i >= 0 {
		b.table.SetCursor(i)
	}
	b.follow()
}

// follow binds the cursor to the BIN under it.
func (b *BINs) follow() {
	b.cursor = ""
	if i, ok := b.table.Cursor(); ok && i < len(b.rows) {
		b.cursor = b.rows[i].ID
	}
}

// Traits implements Dialog.
func (*BINs) Traits() dialog.Traits {
	return dialog.Traits{Context: keymap.Form, Typing: true}
}

// Act moves, chooses, or closes the list.
func (b *BINs) Act(a keymap.Action) dialog.Result {
	switch a {
	case keymap.Cancel:
		return dialog.Result{Close: true, CloseMore: b.closes - 1}
	case keymap.NextField:
		b.table.Move(1)
		b.follow()
	case keymap.PrevField:
		b.table.Move(-1)
		b.follow()
	case keymap.Confirm:
		if b.cursor != "" {
			b.choose(b.cursor)
			return dialog.Result{Close: true}
		}
	default:
	}
	return dialog.Result{}
}

// Type filters, or reads the BINs again after an error.
func (b *BINs) Type(key, text string) dialog.Result {
	_, known, err := b.store.BINs.All()
	switch {
	case key == "r" && !known && err != nil:
		return dialog.Result{Intents: []kernel.Intent{bins.Load{}}}
	case key == "pgdown":
		b.table.Page(1)
		b.follow()
	case key == "pgup":
		b.table.Page(-1)
		b.follow()
	default:
		b.filter.Key(key, text)
		b.Sync(b.store, kernel.TopicAll)
	}
	return dialog.Result{}
}

// Paste filters by the pasted text.
func (b *BINs) Paste(text string) {
	b.filter.Paste(text)
	b.Sync(b.store, kernel.TopicAll)
}

func binColumns(w *lang.Words) []widget.Column {
	return []widget.Column{
		{Title: "BIN", Min: 6, Max: 10},
		{Title: w.T("network"), Min: 6, Max: 12, Weight: 1},
		{Title: w.T("type"), Min: 8, Max: 12, Weight: 1, Priority: 3},
		{Title: w.Tc("country", "from"), Min: 4, Max: 4, Priority: 4},
		{Title: "3DS", Min: 3, Max: 3, Priority: 6},
		{Title: w.T("accepted"), Min: 8, Max: 8, Align: widget.Right},
		{Title: w.T("per charge"), Min: 10, Max: 11, Align: widget.Right, Priority: 2},
		{Title: w.T("per month"), Min: 9, Max: 12, Align: widget.Right, Priority: 1},
		{Title: w.T("best for"), Min: 12, Max: 30, Weight: 3, Priority: 7},
	}
}

// View draws the box.
func (b *BINs) View(w, h int) []string {
	t := b.theme
	w = min(w, 122)
	inner := w - 2
	about := b.about(inner)
	rows := min(max(2, len(b.rows)+1), max(2, h-4-len(about)))
	b.table.SetStyles(dialog.TableStyles(t))
	b.table.SetSize(inner, rows)
	b.filter.SetStyles(dialog.InputStyles(t))
	lines := b.table.Draw(true, b.row)
	lines = append(lines, about...)
	lines = append(lines, widget.FitLine(
		widget.Spans(3, widget.Span{Style: t.Accent, Text: " / "})+b.filter.View(max(1, inner-4), true), inner))
	lines = append(lines, dialog.KeyLines(t, inner, "enter "+t.Words.T("choose"), "esc "+t.Words.T("back"), t.Glyphs.Up+t.Glyphs.Down+" "+t.Words.T("move"))...)
	part := b.table.Scroll()
	return dialog.Scrolled(t, t.Words.T("Choose a BIN"), lines, w, part)
}

// about draws what the columns of the BIN under the cursor have no room for.
func (b *BINs) about(w int) []string {
	i := slices.IndexFunc(b.rows, func(bin api.BIN) bool { return bin.ID == b.cursor })
	if i < 0 {
		return nil
	}
	bin := b.rows[i]
	text := pane.BINWallets(b.theme.Words, bin)
	if w < 100 {
		cells := pane.BINCells(b.theme.Words, bin)
		text = strings.Join([]string{cells[2] + " " + cells[3], cells[4], pane.BINTags(bin), text}, " · ")
	}
	return []string{widget.Spans(w, widget.Span{Style: b.theme.Faint, Text: " " + text})}
}

func (b *BINs) empty() string {
	_, known, err := b.store.BINs.All()
	switch {
	case known && b.filter.Value() != "":
		return b.theme.Words.T("no BIN matches")
	case known:
		return b.theme.Words.T("the API returned no BIN")
	case err != nil:
		return b.theme.Words.Tf("failed, r: retry: %s", errtext.Explain(b.theme.Words, err))
	}
	return b.theme.Words.T("loading BINs…")
}

func (b *BINs) row(i int, w *widget.RowWriter) {
	bin := b.rows[i]
	t := b.theme
	for at, cell := range pane.BINCells(b.theme.Words, bin) {
		style := t.Text
		if at >= 2 && at <= 4 {
			style = t.Muted
		}
		w.Cell(style, cell)
	}
	w.Cell(t.Muted, pane.BINTags(bin))
}

// ChooseField asks which field of a card to copy. It shows names, never values.
type ChooseField struct {
	dialog.Inert
	theme *theme.Theme
	store *state.Store
	keys  *keymap.Map
	card  api.CardID
	rows  []fieldRow
	at    int
}

// fieldRow is one line: digit, letter, name and intent.
type fieldRow struct {
	digit, letter, name string
	intent              kernel.Intent
}

// keyed is the width before a name: mark, digit and letter, in cells.
const keyed = 6

// letters are the keys of the fields in the order in which CopyNext copies them;
// the address, which it does not copy, is last and has no digit.
const letters = "nevhsctzya"

// NewChooseField makes the dialog for a card.
func NewChooseField(t *theme.Theme, s *state.Store, keys *keymap.Map, card api.CardID) *ChooseField {
	c := &ChooseField{theme: t, store: s, keys: keys, card: card}
	for i, letter := range letters {
		f := secrets.Field(i)
		digit, name := fmt.Sprint(i+1), t.Words.T(f.String())
		if f == secrets.FieldAddress {
			digit, name = " ", t.Words.T("full address on one line")
		}
		c.rows = append(c.rows, fieldRow{digit, string(letter), name, secrets.CopyField{Card: card, Field: f}})
	}
	c.rows = append(c.rows, fieldRow{"0", "w", t.Words.T("full card, by the template"), secrets.CopyWhole{Card: card}})
	return c
}

// Sync makes the dialog read the store again.
func (c *ChooseField) Sync(s *state.Store, _ kernel.Topic) { c.store = s }

// Traits implements Dialog.
func (*ChooseField) Traits() dialog.Traits {
	return dialog.Traits{Public: true}
}

// Act copies the field under the cursor, or closes the dialog.
func (c *ChooseField) Act(a keymap.Action) dialog.Result {
	switch a {
	case keymap.Confirm:
		return c.copied(c.at)
	case keymap.Cancel:
		return dialog.Result{Close: true}
	default:
		return dialog.Result{}
	}
}

func (c *ChooseField) copied(row int) dialog.Result {
	return dialog.Result{Close: true, Intents: []kernel.Intent{c.rows[row].intent}}
}

// Type moves, or copies the field of a digit or letter.
func (c *ChooseField) Type(key, _ string) dialog.Result {
	if i := slices.IndexFunc(c.rows, func(r fieldRow) bool { return r.digit == key || r.letter == key }); i >= 0 {
		return c.copied(i)
	}
	switch act, _ := c.keys.Resolve(key, keymap.Card, keymap.Lists, keymap.Global); act {
	case keymap.Down:
		c.at = min(c.at+1, len(c.rows)-1)
	case keymap.Up:
		c.at = max(c.at-1, 0)
	case keymap.First:
		c.at = 0
	case keymap.Last:
		c.at = len(c.rows) - 1
	case keymap.CopyWhole:
		return c.copied(len(c.rows) - 1)
	case keymap.CopyField, keymap.Quit:
		return dialog.Result{Close: true}
	default:
	}
	return dialog.Result{}
}

// View draws the box.
func (c *ChooseField) View(w, h int) []string {
	t := c.theme
	w = min(w, 46)
	inner := w - 2
	visible := max(1, min(len(c.rows), h-3))
	top := max(0, min(c.at-visible/2, len(c.rows)-visible))
	lines := make([]string, 0, visible+1)
	for i := top; i < top+visible; i++ {
		r := c.rows[i]
		mark, key, style := "  ", t.Key, t.Text
		if i == c.at {
			mark, key, style = " ▸", t.Selection, t.Selection
		}
		lines = append(lines, widget.Spans(inner,
			widget.Span{Style: key, Text: mark + " " + r.digit + " " + r.letter},
			widget.Span{Style: style, Text: widget.Fit("  "+r.name, max(0, inner-keyed), widget.Left)}))
	}
	lines = append(lines, dialog.KeyLines(t, inner, "enter "+t.Words.T("copy"), "esc "+t.Words.T("back"))...)
	return dialog.Scrolled(t, t.Words.Tf("Copy from %s", c.store.Cards.Name(c.card)), lines, w, widget.Scroll{Total: len(c.rows), Visible: visible, Offset: top})
}
