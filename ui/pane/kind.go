package pane

import (
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// KindWord is the kind of a transaction in a word, as a filter has it; a kind that is
// not known is shown as sent.
func KindWord(t *state.Transaction) string {
	return query.KindWord(t.Type)
}

// KindText is KindWord on the screen.
func KindText(w *lang.Words, t *state.Transaction) string {
	switch t.Type {
	case state.Authorization:
		return w.Tc("kind", "hold")
	case state.Settlement:
		return w.Tc("kind", "settled")
	case state.Refund:
		return w.Tc("kind", "refund")
	case state.Decline:
		return w.Tc("kind", "declined")
	}
	return string(t.Type)
}

// Kind returns the glyph and the style of a transaction's kind.
func Kind(th *theme.Theme, t *state.Transaction) (glyph, style string) {
	switch t.Type {
	case state.Authorization:
		return th.Glyphs.Pending, th.Muted
	case state.Settlement:
		return th.Glyphs.Check, th.Good
	case state.Refund:
		return th.Glyphs.In, th.Info
	case state.Decline:
		return th.Glyphs.Cross, th.Bad
	}
	return "?", th.Warn
}

// Where is a text about a merchant for the next column; nothing when it is hidden
// and the column has no room for the mask.
func Where(d state.Display, text string, w *widget.RowWriter) string {
	if masked := d.Text(text); widget.Width(masked) <= w.Width() || !d.Private() {
		return masked
	}
	return ""
}

// AmountStyle is muted for money that did not move.
func AmountStyle(d state.Display, th *theme.Theme, t *state.Transaction) string {
	switch {
	case d.Private():
		return th.Muted
	case t.Type == state.Decline || t.Type == state.Authorization:
		return th.Muted
	case t.Sent() > 0:
		return th.Good
	}
	return th.Text
}
