package pane

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/state/display"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// KindWord is the kind of a transaction in a word, as a filter has it; a kind that is
// not known is shown as sent.
func KindWord(t *api.Transaction) string {
	return query.KindWord(t.Type)
}

// KindText is KindWord on the screen.
func KindText(w *lang.Words, t *api.Transaction) string {
	switch t.Type {
	case api.TransactionAuthorization:
		return w.Tc("kind", "hold")
	case api.TransactionSettlement:
		return w.Tc("kind", "settled")
	case api.TransactionRefund:
		return w.Tc("kind", "refund")
	case api.TransactionDecline:
		return w.Tc("kind", "declined")
	}
	return string(t.Type)
}

// Kind returns the glyph and the style of a transaction's kind.
func Kind(th *theme.Theme, t *api.Transaction) (glyph, style string) {
	switch t.Type {
	case api.TransactionAuthorization:
		return th.Glyphs.Pending, th.Muted
	case api.TransactionSettlement:
		return th.Glyphs.Check, th.Good
	case api.TransactionRefund:
		return th.Glyphs.In, th.Info
	case api.TransactionDecline:
		return th.Glyphs.Cross, th.Bad
	}
	return "?", th.Warn
}

// Where is a text about a merchant for the next column; nothing when it is hidden
// and the column has no room for the mask.
func Where(d display.Display, text string, w *widget.RowWriter) string {
	if masked := d.Text(text); widget.Width(masked) <= w.Width() || !d.Private() {
		return masked
	}
	return ""
}

// AmountStyle is muted for money that did not move.
func AmountStyle(d display.Display, th *theme.Theme, t *api.Transaction) string {
	switch {
	case d.Private():
		return th.Muted
	case t.Type == api.TransactionDecline || t.Type == api.TransactionAuthorization:
		return th.Muted
	case t.Sent() > 0:
		return th.Good
	}
	return th.Text
}
