package screen

// grid is what a terminal shows. A new one is blank.
type grid struct {
	w, h  int
	cells []cell
	lines []string // what the rows were read from
	// carets are where the rows have the caret; -1 where they have none.
	carets []int
}

func newGrid(w, h int) *grid {
	g := &grid{w: w, h: h, cells: make([]cell, w*h), lines: make([]string, h), carets: make([]int, h)}
	for y := range g.carets {
		g.carets[y] = -1
	}
	for i := range g.cells {
		g.cells[i] = blank
	}
	return g
}

func (g *grid) row(y int) []cell { return g.cells[y*g.w : (y+1)*g.w] }

// shift moves the rows from top to bottom, the last not included, up by n or
// down by -n; rows that come in are blank.
func (g *grid) shift(top, bottom, n int) {
	move := func(y, from int) {
		if from < top || from >= bottom {
			row := g.row(y)
			for x := range row {
				row[x] = blank
			}
			g.lines[y], g.carets[y] = "", -1
			return
		}
		copy(g.row(y), g.row(from))
		g.lines[y], g.carets[y] = g.lines[from], g.carets[from]
	}
	if n > 0 {
		for y := top; y < bottom; y++ {
			move(y, y+n)
		}
		return
	}
	for y := bottom - 1; y >= top; y-- {
		move(y, y+n)
	}
}
