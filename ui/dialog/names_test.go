package dialog

import (
	"testing"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/ui/widget"
)

// TestNamesHaveRoomInEveryLanguage: one that fills its column would run into the value.
func TestNamesHaveRoomInEveryLanguage(t *testing.T) {
	t.Parallel()
	const narrow, readCells = 38, 14 // readCells are those of the export.
	for _, language := range lang.Names() {
		w := lang.Of(language)
		for most, names := range map[int][]string{
			NameCells + 1: {w.T("card"), w.T("wallet"), w.Tc("termination", "refund"), w.T("to send")}, readCells + 1: {w.T("read back to"), w.T("requested")},
			12: {w.T("amount  $"), w.T("up to   $"), w.T("down to $"), w.T("cart    $")},
			FactCells(narrow): {
				w.T("label"), w.T("limit"), w.T("categories"), w.T("auto-freeze"), w.T("metadata"), w.Tc("short", "unconfirmed"), w.T("sent"), w.T("key"),
				w.T("since then"), w.T("webhooks"), w.T("in the list"), w.T("asked by"), w.T("before"), w.T("now"), w.T("events"), w.T("amount"),
			},
		} {
			for _, name := range names {
				if widget.Width(name) >= most-1 {
					t.Errorf("%s: %q takes %d of %d cells", language, name, widget.Width(name), most)
				}
			}
		}
	}
}
