package pane

import (
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/display"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// DepositWord is a deposit's state in a word; one that is not known is shown as sent.
func DepositWord(w *lang.Words, d *api.Deposit) string {
	switch d.Status {
	case api.DepositPending:
		return w.Tc("deposit", "pending")
	case api.DepositConfirmed:
		return w.Tc("deposit", "confirmed")
	case api.DepositExpired:
		return w.Tc("deposit", "expired")
	}
	return string(d.Status)
}

// DepositGlyph returns the glyph and the style of a deposit's state.
func DepositGlyph(t *theme.Theme, d *api.Deposit) (glyph, style string) {
	switch d.Status {
	case api.DepositPending:
		return t.Glyphs.Pending, t.Warn
	case api.DepositConfirmed:
		return t.Glyphs.Check, t.Good
	case api.DepositExpired:
		return t.Glyphs.Cross, t.Faint
	}
	return t.Glyphs.Unknown, t.Warn
}

// Crypto is an amount in n cells. Where its decimals have no room it ends in an
// ellipsis, and where its whole units have none it is only that: what is there
// to read is never another amount.
func Crypto(d display.Display, amount api.Crypto, n int) string {
	text := d.Crypto(string(amount))
	if d.Private() || widget.Width(text) <= n {
		return text
	}
	whole, decimals, _ := strings.Cut(string(amount), ".")
	if strings.Trim(whole+decimals, "0123456789") != "" || len(whole)+len(".")+1 > n {
		return "…"
	}
	return widget.Truncate(text, n)
}
