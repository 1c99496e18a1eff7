package dialog

import (
	"fmt"
	"slices"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// ChooseField asks which field of a card is copied. It shows their names and
// never what is in them.
type ChooseField struct {
	theme *theme.Theme
	store *state.Store
	keys  *keymap.Map
	card  state.CardID
	rows  []fieldRow
	at    int
}

// fieldRow is one line: its digit, its letter, its name, and what it asks for.
type fieldRow struct {
	digit, letter, name string
	intent              state.Intent
}

// keyed is how many cells stand before a name: the mark, the digit, the letter.
const keyed = 6

// letters are the fields' own, in the order of the ring; the address, which is
// not of it, has the last and no digit.
const letters = "nevhsctzya"

// NewChooseField makes the dialog for a card.
func NewChooseField(t *theme.Theme, s *state.Store, keys *keymap.Map, card state.CardID) *ChooseField {
	c := &ChooseField{theme: t, store: s, keys: keys, card: card}
	for i, letter := range letters {
		f := state.Field(i)
		digit, name := fmt.Sprint(i+1), f.String()
		if f == state.FieldAddress {
			digit, name = " ", "the whole address, in one line"
		}
		c.rows = append(c.rows, fieldRow{digit, string(letter), name, state.CopyField{Card: card, Field: f}})
	}
	c.rows = append(c.rows, fieldRow{"0", "w", "the whole card, by the template", state.CopyWhole{Card: card}})
	return c
}

// Sync makes the dialog look at the store again.
func (c *ChooseField) Sync(s *state.Store) { c.store = s }

// Act copies what the cursor is on, or closes the dialog.
func (c *ChooseField) Act(a keymap.Action) Result {
	switch a {
	case keymap.Confirm:
		return c.copied(c.at)
	case keymap.Cancel:
		return Result{Close: true}
	default:
		return Result{}
	}
}

func (c *ChooseField) copied(row int) Result {
	return Result{Close: true, Intents: []state.Intent{c.rows[row].intent}}
}

// Type moves, or copies the field of a digit or a letter.
func (c *ChooseField) Type(key, _ string) Result {
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
		return Result{Close: true}
	default:
	}
	return Result{}
}

// Question is false: a copy is not dangerous.
func (*ChooseField) Question() bool { return false }

// Paste does nothing.
func (*ChooseField) Paste(string) {}

// Bare is true: what it shows is nobody's.
func (*ChooseField) Bare() bool { return true }

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
	lines = append(lines, keyLines(t, inner, "enter copy", "esc back")...)
	return scrolled(t, "Copy of "+c.store.Cards.Name(c.card), lines, w, widget.Scroll{Total: len(c.rows), Visible: visible, Offset: top})
}
