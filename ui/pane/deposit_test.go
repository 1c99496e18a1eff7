package pane

import (
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/display"
)

func TestACutAmountOfCryptoIsSeenAsCutAndKeepsItsWholeUnits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		amount api.Crypto
		cells  int
		want   string
	}{
		{"1.936119354838709677", 20, "1.936119354838709677"},
		{"1.936119354838709677", 19, "1.9361193548387096…"},
		{"1.936119354838709677", 4, "1.9…"},
		{"1.936119354838709677", 3, "1.…"},
		{"1.936119354838709677", 2, "…"},
		{"5000", 4, "5000"},
		{"5000", 3, "…"},
		{"123456.7", 7, "…"},
		{"1.5e-18", 7, "1.5e-18"},
		{"1.5e-18", 6, "…"},
		{"0.5", 0, "…"},
	} {
		if got := Crypto(display.Display{}, c.amount, c.cells); got != c.want {
			t.Errorf("%s in %d cells: %q", c.amount, c.cells, got)
		}
	}
}
