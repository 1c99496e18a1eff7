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
