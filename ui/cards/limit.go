package cards

import (
	"fmt"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/widget"
)

// limitColumn is the column of how much of their limits the month has used.
const limitColumn = "limit"

// WatchesLimits reports whether the list shows it, or is sorted by it.
func (p *Pane) WatchesLimits() bool {
	return p.shown(limitColumn) >= 0 || p.index.by.Name == limitColumn
}

// limitRank orders cards by it, those that it is not known of last.
func limitRank(c *state.Card) int64 {
	percent, known := c.LimitUse()
	if !known {
		return -1
	}
	return int64(percent)
}

// limitValue is it for other programs, in percent.
func limitValue(c *state.Card) state.Cell {
	percent, known := c.LimitUse()
	if !known || c.Limit <= 0 {
		return state.Cell{}
	}
	return state.Cell{Text: fmt.Sprint(percent), Number: true}
}

// The parts of a limit in percent from which it is drawn as a warning and as
// used up.
const (
	limitWarn = 75
	limitFull = 100
)

// limitCell writes how much is used, marked as long as not all of the month was
// read.
func (p *Pane) limitCell(c *state.Card, w *widget.RowWriter) {
	percent, known := c.LimitUse()
	whole := p.store.Limits.MonthWhole(c.ID)
	if !known || !whole && c.Month <= 0 {
		w.Cell(p.theme.Faint, "–")
		return
	}
	text, style := fmt.Sprintf("%d %%", percent), p.muted(c)
	if !whole {
		text = fmt.Sprintf("≥%d %%", percent)
	}
	d := p.store.Privacy.Display()
	switch {
	case d.Private():
	case percent >= limitFull:
		style = p.theme.Bad
	case percent >= limitWarn:
		style = p.theme.Warn
	}
	w.Cell(style, d.Text(text))
}
