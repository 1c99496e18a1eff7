package pane

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/widget"
)

// TestColumnsComeInByPriority widens a list: what is shown only grows, and
// leaves the others room.
func TestColumnsComeInByPriority(t *testing.T) {
	all := []Column{
		{Name: "label", Enough: 30, Column: widget.Column{Min: 10, Max: 56, Weight: 3}},
		{Name: "id", Spare: true, Column: widget.Column{Min: 10, Max: 30, Weight: 1, Priority: 5}},
		{Name: "balance", Column: widget.Column{Min: 10, Max: 12, Priority: 9}},
		{Name: "state", Spare: true, Column: widget.Column{Min: 8, Priority: 3}},
	}
	names := func(w int, chosen ...settings.ShownColumn) string {
		shown, table := Arrange(all, chosen, w)
		if len(shown) != len(table) {
			t.Fatalf("%d columns, %d in the table", len(shown), len(table))
		}
		return strings.Join(Names(shown), " ")
	}
	for w, want := range map[int]string{
		0: "label balance", 30 + 2 + 10: "label balance",
		30 + 2 + 10 + 2 + 7: "label balance", 30 + 2 + 10 + 2 + 8: "label balance state",
		52 + 2 + 29: "label balance state", 52 + 2 + 30: "label id balance state", 400: "label id balance state",
	} {
		if got := names(w); got != want {
			t.Errorf("%d cells: %s, not %s", w, got, want)
		}
	}
	if got := names(400, settings.ShownColumn{Name: "balance"}); got != "balance" {
		t.Errorf("chosen: %s", got)
	}
}

// TestASetWidthGivesWayBeforeOthersAreCut narrows a list whose first column has
// a set width: it shrinks to its least, then others go whole, the one of the
// highest priority first.
func TestASetWidthGivesWayBeforeOthersAreCut(t *testing.T) {
	all := []Column{
		{Name: "label", Column: widget.Column{Min: 10, Max: 56, Weight: 3}},
		{Name: "balance", Column: widget.Column{Min: 10, Max: 12}},
		{Name: "bin", Spare: true, Column: widget.Column{Min: 6, Max: 14, Weight: 1, Priority: 5}},
	}
	for w, want := range map[int]string{
		22: "[10 10 0]", 29: "[17 10 0]", 30: "[10 10 6]", 40: "[20 10 6]", 50: "[30 10 6]", 54: "[30 10 10]", 90: "[30 10 14]",
	} {
		_, table := Arrange(all, []settings.ShownColumn{{Name: "label", Width: 30}, {Name: "balance"}, {Name: "bin"}}, w)
		if got := fmt.Sprint(widget.Layout(table, w, ColumnGap)); got != want {
			t.Errorf("%d cells: %s, not %s", w, got, want)
		}
	}
	_, table := Arrange(all, []settings.ShownColumn{{Name: "label", Width: 4}, {Name: "balance"}}, 80)
	if got := fmt.Sprint(widget.Layout(table, 80, ColumnGap)); got != "[4 10]" {
		t.Errorf("a width below the least: %s", got)
	}
}
