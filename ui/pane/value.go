package pane

import (
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/display"
	"github.com/cardtop/cardtop/ui/widget"
)

// Value is a value of the API in words: those that are known in the language of the
// screen, another as it was sent.
func Value(w *lang.Words, value string) string {
	switch value {
	case "not_required":
		return w.Tc("value", "not required")
	case "authenticated":
		return w.Tc("value", "authenticated")
	case "failed":
		return w.Tc("value", "failed")
	case "authorized":
		return w.Tc("value", "authorized")
	case "settled":
		return w.Tc("value", "settled")
	case "refunded":
		return w.Tc("value", "refunded")
	case "declined":
		return w.Tc("value", "declined")
	case "advertising":
		return w.Tc("value", "advertising")
	case "everyday":
		return w.Tc("value", "everyday")
	}
	return strings.ReplaceAll(value, "_", " ")
}

// Dollars is an amount for the next column, without the sign of the currency where that
// has no room.
func Dollars(d display.Display, u api.USD, w *widget.RowWriter) string {
	if text := d.Dollars(u); widget.Width(text) <= w.Width() {
		return text
	}
	return d.Amount(u)
}
