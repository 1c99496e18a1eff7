package pane

import (
	"slices"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/widget"
)

// Column is one that a list can show.
type Column struct {
	// Name is what files and dialogs call it, About what it shows.
	Name, About string
	widget.Column
	// Spare says that it is shown only when it is chosen.
	Spare bool
}

// Arrange gives the places of the columns that are shown, in their order, and
// what the table needs to know of each. Names that no column has are passed
// over; where none is left the list's own are shown.
func Arrange(all []Column, chosen []state.ShownColumn) (places []int, table []widget.Column) {
	for _, c := range chosen {
		i := slices.IndexFunc(all, func(have Column) bool { return have.Name == c.Name })
		if i < 0 || slices.Contains(places, i) {
			continue
		}
		spec := all[i].Column
		if c.Width > 0 {
			spec.Min, spec.Max, spec.Weight = c.Width, c.Width, 0
		}
		places, table = append(places, i), append(table, spec)
	}
	if len(places) > 0 {
		return places, table
	}
	for i, c := range all {
		if !c.Spare {
			places, table = append(places, i), append(table, c.Column)
		}
	}
	return places, table
}

// ChooseColumns asks which columns are to be shown.
func ChooseColumns(list state.ListName, all []Column) []state.Intent {
	in := state.ChooseColumns{List: list}
	for _, c := range all {
		in.All = append(in.All, state.ColumnChoice{Name: c.Name, About: c.About, Width: c.Min, Spare: c.Spare})
	}
	return one(in)
}

// Names are what columns are called.
func Names(all []Column) []string {
	out := make([]string, 0, len(all))
	for _, c := range all {
		out = append(out, c.Name)
	}
	return out
}
