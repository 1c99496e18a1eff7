package widget

import "slices"

// Column describes one column of a table.
type Column struct {
	// Title is translated where it is drawn.
	Title string
	// Min is the width in cells that the column needs to be worth showing.
	Min int
	// Want is the width that the column takes, where there is room for it,
	// before any grows further; 0 is Min.
	Want int
	// Max bounds the width a column grows to; 0 is no bound.
	Max int
	// Weight is the share of the free width; 0 keeps the column at Min.
	Weight int
	Align  Align
	// Priority 0 is never dropped; among others the highest goes first.
	Priority int
}

// Layout returns the width of each column for a total of w cells with gap
// cells between two; a dropped column is 0 wide. The sum with the gaps never
// exceeds w.
func Layout(columns []Column, w, gap int) []int {
	widths := make([]int, len(columns))
	for i, c := range columns {
		widths[i] = max(c.Min, 1)
	}
	for total(widths, gap) > w {
		drop, highest := 0, 0
		for i, c := range columns {
			if widths[i] > 0 && c.Priority > 0 && c.Priority >= highest {
				drop, highest = i, c.Priority
			}
		}
		if highest == 0 {
			break
		}
		widths[drop] = 0
	}
	for i := len(widths) - 1; i >= 0; i-- {
		if over := total(widths, gap) - w; over > 0 {
			widths[i] = max(widths[i]-over, 0)
		}
	}
	free := max(w-total(widths, gap), 0)
	wanted := slices.Clone(columns)
	for i, c := range columns {
		wanted[i].Max, wanted[i].Weight = max(c.Want, 1), max(c.Weight, 1)
	}
	grow(columns, widths, grow(wanted, widths, free))
	return widths
}

// grow shares free cells by weight until none is left or no column may grow, and returns those that are left.
func grow(columns []Column, widths []int, free int) int {
	for free > 0 {
		weights := 0
		for i, c := range columns {
			if c.canGrow(widths[i]) {
				weights += c.Weight
			}
		}
		if weights == 0 {
			break
		}
		share := free
		for i, c := range columns {
			if !c.canGrow(widths[i]) || free == 0 {
				continue
			}
			add := min(max(share*c.Weight/weights, 1), free)
			if c.Max > 0 {
				add = min(add, c.Max-widths[i])
			}
			widths[i] += add
			free -= add
		}
	}
	return free
}

func (c Column) canGrow(w int) bool {
	return w > 0 && c.Weight > 0 && (c.Max == 0 || w < c.Max)
}

// total returns the width of the shown columns and the gaps between them.
func total(widths []int, gap int) int {
	sum, shown := 0, 0
	for _, w := range widths {
		if w > 0 {
			sum += w
			shown++
		}
	}
	return sum + gap*max(shown-1, 0)
}
