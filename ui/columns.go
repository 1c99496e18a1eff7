package ui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/cards"
	"github.com/cardtop/cardtop/ui/feed"
)

// CheckColumns tells which of the columns that a list is to show there are
// not.
func CheckColumns(list state.ListName, chosen []state.ShownColumn) error {
	names := cards.ColumnNames()
	if list == state.FeedList {
		names = feed.ColumnNames()
	}
	for _, c := range chosen {
		if !slices.Contains(names, c.Name) {
			return fmt.Errorf("columns.%s: no column %q; there are %s", list, c.Name, strings.Join(names, ", "))
		}
	}
	return nil
}
