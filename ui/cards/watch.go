package cards

import (
	"fmt"
	"math"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/ui/widget"
)

// watch counts the cards that match a filter which is not active.
type watch struct {
	query   query.Query[*subject]
	matches []bool
	count   int
}

// watchEvery is how often filters that change with the time are counted anew.
const watchEvery = 10 * time.Second

// watchAll counts other filters from now on.
func (x *index) watchAll(queries []query.Query[*subject]) {
	x.watches = make([]watch, len(queries))
	for i := range x.watches {
		x.watches[i].query = queries[i]
	}
	x.recount(false)
}

// recount asks the watched filters of every card, or only those that change
// with the time.
func (x *index) recount(timed bool) {
	if x.store == nil {
		return
	}
	x.asking()
	x.counted = x.asked.now
	for i := range x.watches {
		w := &x.watches[i]
		if timed && !w.query.Timed() {
			continue
		}
		w.matches, w.count = make([]bool, len(x.entries)), 0
		for row := range x.entries {
			x.watched(w, int32(row))
		}
	}
}

// watched asks a watched filter of a card anew.
func (x *index) watched(w *watch, row int32) {
	match := w.query.Match(x.asked.about(row))
	switch was := w.matches[row]; {
	case match && !was:
		w.count++
	case !match && was:
		w.count--
	}
	w.matches[row] = match
}

// watchChanged takes the cards that changed into the counts.
func (x *index) watchChanged(changed []int32) {
	for i := range x.watches {
		w := &x.watches[i]
		w.matches = append(w.matches, make([]bool, len(x.entries)-len(w.matches))...)
		for _, row := range changed {
			x.watched(w, row)
		}
	}
}

// tick counts anew what the time changed.
func (x *index) tick(now time.Time) (changed bool) {
	if now.Sub(x.counted) < watchEvery {
		return false
	}
	for i := range x.watches {
		if x.watches[i].query.Timed() {
			x.recount(true)
			return true
		}
	}
	return false
}

// limitColumn is the column of how much of their limits the month has used.
const limitColumn = "limit"

// expiresColumn is the column of how long until a card expires.
const expiresColumn = "expires"

// Watches returns which of what is read card by card the list shows, is sorted or filtered
// by.
func (p *Pane) Watches() state.WatchLimits {
	has := func(column string) bool { return p.shown(column) >= 0 || p.index.by.Name == column }
	return state.WatchLimits{Shown: has(limitColumn), Expiries: has(expiresColumn) || p.index.query.Asked(query.ExpiresField)}
}

// expiryRank orders cards by when they expire, those of which it is not known last.
func expiryRank(c *cardlist.Card) int64 {
	if c.ExpiresAt.IsZero() {
		return math.MaxInt64
	}
	return c.ExpiresAt.UnixNano()
}

// expiryWarn is how long before its end a card's expiry is drawn as a warning.
const expiryWarn = 30 * 24 * time.Hour

// expiresCell writes how long until a card expires.
func (p *Pane) expiresCell(c *cardlist.Card, w *widget.RowWriter) {
	left, known := c.ExpiresIn(p.store.ServerNow())
	switch {
	case !known:
		w.Cell(p.theme.Faint, none(c.Status == api.CardTerminated || p.store.Limits.HasNoDate(c.ID)))
	case left <= 0:
		w.Cell(p.theme.Bad, p.theme.Words.T("expired"))
	case left <= expiryWarn:
		w.Cell(p.theme.Warn, p.theme.Words.AgeOfRow(left))
	default:
		w.Cell(p.muted(c), p.theme.Words.AgeOfRow(left))
	}
}

// limitRank orders cards by it, those that it is not known of last.
func limitRank(c *cardlist.Card) int64 {
	percent, known := c.LimitUse()
	if !known {
		return -1
	}
	return int64(percent)
}

// limitValue is it for other programs, in percent.
func limitValue(c *cardlist.Card) rows.Cell {
	percent, known := c.LimitUse()
	if !known || c.Limit <= 0 {
		return rows.Cell{}
	}
	return rows.Cell{Text: fmt.Sprint(percent), Number: true}
}

// The parts of a limit in percent from which it is drawn as a warning and as
// used up.
const (
	limitWarn = 75
	limitFull = 100
)

// limitCell writes how much is used, marked as long as not all of the month was
// read. A card has none where its limit was read and is none.
func (p *Pane) limitCell(c *cardlist.Card, w *widget.RowWriter) {
	percent, known := c.LimitUse()
	whole := p.store.Limits.MonthWhole(c.ID)
	if read := p.store.Limits.MonthRead(); !known || !read && c.Month <= 0 {
		w.Cell(p.theme.Faint, none(c.Status == api.CardTerminated || !known && p.store.Limits.LimitRead(c.ID)))
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
