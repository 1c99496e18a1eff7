package pane

import (
	"maps"
	"slices"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/widget"
)

// Column is one that a list can show. A list embeds it in a type of its own,
// which knows the cells.
type Column struct {
	// Name is what files and dialogs call it, About what it shows.
	Name, About string
	widget.Column
	// Spare says that it is shown only when it is chosen, or when there is room
	// beside the others; the one of the lowest priority first.
	Spare bool
	// Enough is the width in cells at which it leaves room for spare ones; 0 is
	// its widest.
	Enough int
}

func (c Column) column() Column { return c }

// columned is what embeds a Column.
type columned interface{ column() Column }

// ColumnGap is how many cells stand between two columns of a list.
const ColumnGap = 2

// Arrange returns the columns that are shown in w cells, in their order, and what
// the table needs to know of each. Names that no column has are passed over;
// where none is left the list's own are shown.
func Arrange[C columned](all []C, chosen []settings.ShownColumn, w int) (shown []C, table []widget.Column) {
	for _, c := range chosen {
		named := func(have C) bool { return have.column().Name == c.Name }
		i := slices.IndexFunc(all, named)
		if i < 0 || slices.ContainsFunc(shown, named) {
			continue
		}
		spec := all[i].column().Column
		if c.Width > 0 { // It gives way before another is cut or dropped.
			spec.Min, spec.Want, spec.Max, spec.Weight = min(spec.Min, c.Width), c.Width, c.Width, 0
		}
		shown, table = append(shown, all[i]), append(table, spec)
	}
	if len(shown) > 0 {
		return shown, table
	}
	most := spares(all, w)
	for _, c := range all {
		if c := c.column(); c.Spare && c.Priority > most {
			continue
		}
		shown, table = append(shown, c), append(table, c.column().Column)
	}
	return shown, table
}

// spares returns the highest priority of the spare columns that have room.
func spares[C columned](all []C, w int) int {
	byPriority := make(map[int]int) // cells
	for _, c := range all {
		c := c.column()
		enough := c.Min
		if c.Enough > 0 {
			enough = c.Enough
		} else if c.Weight > 0 {
			enough = max(c.Min, c.Max)
		}
		if !c.Spare {
			c.Priority = 0
		}
		byPriority[c.Priority] += enough + ColumnGap
	}
	most, taken := 0, -ColumnGap
	for _, priority := range slices.Sorted(maps.Keys(byPriority)) {
		if taken += byPriority[priority]; taken > w {
			break
		}
		most = priority
	}
	return most
}

// ColumnsToChoose asks which columns are to be shown.
func ColumnsToChoose[C columned](w *lang.Words, list settings.ListName, all []C) []kernel.Intent {
	in := ChooseColumns{List: list}
	for _, c := range all {
		c := c.column()
		in.All = append(in.All, ColumnChoice{Name: c.Name, About: w.T(c.About), Width: c.Min, Spare: c.Spare})
	}
	return one(in)
}

// Names are what columns are called.
func Names[C columned](all []C) []string {
	out := make([]string, 0, len(all))
	for _, c := range all {
		out = append(out, c.column().Name)
	}
	return out
}

// Rows are what a list shows of its rows in some columns, for other programs.
// It keeps both slices.
func Rows[C columned, R any](what string, columns []C, items []R, cell func(*C, *R) rows.Cell) rows.Rows {
	return rows.Rows{
		What: what, Columns: Names(columns), N: len(items),
		Row: func(i int) []rows.Cell {
			out := make([]rows.Cell, len(columns))
			for at := range columns {
				out[at] = cell(&columns[at], &items[i])
			}
			return out
		},
	}
}
