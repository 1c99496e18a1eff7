package pane

import (
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// OnCard returns what a key means for the card under the cursor. A
// card the list does not know yet can still be named by its id.
func OnCard(s *state.Store, id api.CardID, a keymap.Action) []kernel.Intent {
	switch a {
	case keymap.Inspect:
		return one(state.InspectCard{Card: id})
	case keymap.Reveal:
		return one(secrets.RevealCard{Card: id})
	case keymap.CopyNext:
		return one(secrets.CopyNext{Card: id})
	case keymap.CopyField:
		return one(secrets.ChooseField{Card: id})
	case keymap.CopyWhole:
		return one(secrets.CopyWhole{Card: id})
	case keymap.Freeze:
		if c, ok := s.Cards.Get(id); ok && c.Status == api.CardFrozen {
			return one(state.Unfreeze(id))
		}
		return one(state.Freeze(id))
	case keymap.Arm:
		return one(codes.Arm{Card: id})
	case keymap.Fund:
		return one(state.Fund(id, 0))
	case keymap.FillTo:
		return one(state.FillCard{Card: id})
	case keymap.Withdraw:
		return one(state.Withdraw(id, 0))
	case keymap.AlertLines:
		return one(EditAlerts{Card: id})
	case keymap.Edit:
		return one(state.Write{Kind: state.OpUpdate, Card: id})
	case keymap.Duplicate:
		return one(state.DuplicateCard{Card: id})
	case keymap.Terminate:
		return one(state.Terminate(id))
	case keymap.ResolveOp:
		return one(state.Examine{Card: id})
	default:
		return nil
	}
}

// NameCell writes a card's name as the next column.
func NameCell(s *state.Store, id api.CardID, w *widget.RowWriter, style string) {
	w.Cell(style, Name(s, id, w.Width()))
}

// Name is a card's label and last digits in at most n cells, though never less
// than the digits. The label is cut before they are: labels repeat, digits tell
// them apart.
func Name(s *state.Store, id api.CardID, n int) string {
	c, ok := s.Cards.Get(id)
	if !ok {
		return s.Cards.Name(id)
	}
	d := s.Privacy.Display()
	if d.Private() {
		return widget.Truncate(d.Label(c), n)
	}
	digits := "••" + d.Last4(c)
	room := n - 1 - widget.Width(digits)
	if label := d.Label(c); label != "" && (room > 1 || room == widget.Width(label)) { // More than the mark of a cut.
		return widget.Truncate(label, room) + " " + digits
	}
	return digits
}

// CutName is text that ends in a card's name, in at most n cells: what is before
// the digits is cut.
func CutName(text string, n int) string {
	at := strings.LastIndex(text, " ••")
	if at < 0 {
		return widget.Truncate(text, n)
	}
	digits := text[at:]
	if n < widget.Width(digits) {
		return widget.Truncate(digits[1:], n)
	}
	return widget.Truncate(text[:at], n-widget.Width(digits)) + digits
}

// StatusWord is a card's status in a word; one that is not known is shown as sent.
func StatusWord(w *lang.Words, s api.CardStatus) string {
	switch s {
	case api.CardActive:
		return w.T("active")
	case api.CardFrozen:
		return w.T("frozen")
	case api.CardTerminated:
		return w.T("terminated")
	case api.CardExpired:
		return w.T("expired")
	}
	return string(s)
}

// StatusGlyph returns the glyph and the style of a card's status, so that it
// needs no colour.
func StatusGlyph(t *theme.Theme, s api.CardStatus) (glyph, style string) {
	switch s {
	case api.CardActive:
		return t.Glyphs.Active, t.Good
	case api.CardFrozen:
		return t.Glyphs.Frozen, t.Info
	case api.CardTerminated:
		return t.Glyphs.Closed, t.Faint
	case api.CardExpired:
		return t.Glyphs.Stale, t.Bad
	}
	return t.Glyphs.Unknown, t.Warn
}

func one(in kernel.Intent) []kernel.Intent { return []kernel.Intent{in} }
