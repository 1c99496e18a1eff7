package pane

import (
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
)

// DepositGlyph gives the glyph and the style of a deposit's state.
func DepositGlyph(t *theme.Theme, d *state.Deposit) (glyph, style string) {
	switch d.Status {
	case state.DepositPending:
		return t.Glyphs.Pending, t.Warn
	case state.DepositConfirmed:
		return t.Glyphs.Check, t.Good
	case state.DepositExpired:
		return t.Glyphs.Cross, t.Faint
	}
	return t.Glyphs.Unknown, t.Warn
}
