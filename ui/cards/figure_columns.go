package cards

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/burn"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// declinesColumn is the column of the rate of declines.
const declinesColumn = "declines"

// byHour is how many hours the column of spending shows: the present one and 24 before it.
const byHour = 25

// figureColumns are those that show what the ledger says of a card.
func (p *Pane) figureColumns() []column {
	return []column{
		{
			Column: pane.Column{Name: "24h", About: lang.N("spent by hour, 24 h"), Spare: true, Column: widget.Column{Title: lang.Column("24 h"), Min: 12, Max: byHour, Weight: 1, Priority: 9}}, desc: true,
			value:  p.hoursValue,
			number: func(c *cardlist.Card) int64 { return int64(c.Spent24h) }, sums: true,
			cell: (*Pane).hoursCell,
		},
		{
			Column: pane.Column{Name: "left", About: lang.N("how long the balance lasts"), Spare: true, Column: widget.Column{Title: lang.Column("left"), Min: 6, Max: 6, Align: widget.Right, Priority: 10}},
			value: func(c *cardlist.Card) rows.Cell {
				f := p.figure(c)
				if f.left == unknown || f.foreign { // At most is no number for another program.
					return rows.Cell{}
				}
				return rows.Cell{Text: fmt.Sprintf("%.1f", f.left.Hours()), Number: true}
			},
			figure: func(f *figure) int64 {
				if f.left == unknown { // The shortest are on top.
					return math.MaxInt64
				}
				return int64(f.left)
			},
			write: leftText, warns: func(_ *Pane, _ *cardlist.Card, f *figure) bool { return f.left != unknown && f.left < leftWarn },
		},
		{
			Column: pane.Column{Name: declinesColumn, About: lang.N("declined in 7 d"), Spare: true, Column: widget.Column{Title: lang.Column("declines"), Min: 12, Max: 13, Align: widget.Right, Priority: 11}}, desc: true,
			value: func(c *cardlist.Card) rows.Cell {
				f := p.figure(c)
				if f.attempts == 0 {
					return rows.Cell{}
				}
				return rows.Cell{Text: fmt.Sprintf("%.1f", 100*f.rate()), Number: true}
			},
			figure: func(f *figure) int64 { return int64(f.rate() * 1e6) },
			write:  (*Pane).declinesText, warns: (*Pane).declinesWarn,
		},
		{
			Column: pane.Column{Name: "burn", About: lang.N("spent an hour, USD"), Spare: true, Column: widget.Column{Title: lang.Column("burn/h"), Min: 8, Max: 10, Align: widget.Right, Priority: 12}}, desc: true,
			value: func(c *cardlist.Card) rows.Cell {
				if f := p.figure(c); f.burns {
					return rows.Money(f.burn)
				}
				return rows.Cell{}
			},
			figure: func(f *figure) int64 {
				if !f.burns {
					return -1
				}
				return int64(f.burn)
			},
			write: burnText,
		},
	}
}

// leftWarn is how long a balance lasts that is drawn as a warning.
const leftWarn = 24 * time.Hour

// declinesWarn reports whether so many payments were declined that it alerts.
func (p *Pane) declinesWarn(c *cardlist.Card, f *figure) bool {
	rules := p.store.Alerts.Rules()
	return decline.Reaches(int(f.declined), int(f.attempts), rules.OfCard(c).Rate) > 0
}

// rate is the part of the payments that were declined; -1 where there were none.
func (f *figure) rate() float64 {
	if f.attempts == 0 {
		return -1
	}
	return float64(f.declined) / float64(f.attempts)
}

// figure is what the ledger says of a card.
func (p *Pane) figure(c *cardlist.Card) figure {
	row, ok := p.index.row(c.ID)
	if !ok {
		return figure{left: unknown}
	}
	return p.index.figures.whole(p.store, row)
}

// figureCell writes a figure of a card.
func (c *column) figureCell(p *Pane, card *cardlist.Card, w *widget.RowWriter) {
	f := p.figure(card)
	text := c.write(p, &f)
	switch {
	case text == "":
		w.Cell(p.theme.Faint, none(true))
	case c.warns != nil && c.warns(p, card, &f) && !p.store.Privacy.Private() && card.Shown() == api.CardActive:
		w.Cell(p.theme.Warn, text)
	default:
		w.Cell(p.muted(card), text)
	}
}

func leftText(p *Pane, f *figure) string {
	if f.left == unknown {
		return ""
	}
	return p.store.Privacy.Display().Text(pane.Lasts(p.theme.Words, burn.Runway{Left: f.left, AtMost: f.foreign}))
}

func burnText(p *Pane, f *figure) string {
	if !f.burns {
		return ""
	}
	amount := p.store.Privacy.Display().Amount(f.burn)
	if f.foreign {
		return "≥" + amount
	}
	return amount
}

// declinesText is the rate and of how many payments it is, marked as long as not
// all of them were read.
func (p *Pane) declinesText(f *figure) string {
	whole := p.store.Insight.Ledger().Coverage(ledger.Last7d).Complete
	if f.attempts == 0 {
		return none(whole)
	}
	least := ""
	if !whole {
		least = "≥"
	}
	return p.store.Privacy.Display().Text(p.theme.Words.Tf("%.0f %% of %s%d", 100*f.rate(), least, f.attempts))
}

// hours are what a card spent in each hour, USD, oldest first.
func (p *Pane) hours(c *cardlist.Card) []float64 {
	out := make([]float64, 0, byHour)
	for _, b := range p.store.Insight.Ledger().Bars(ledger.OfCard(c.ID), ledger.Last24h) {
		out = append(out, float64(b.Spent())/float64(api.Dollar))
	}
	return out
}

func (p *Pane) hoursCell(c *cardlist.Card, w *widget.RowWriter) {
	if c.Spent24h == 0 || p.store.Privacy.Private() {
		w.Cell(p.theme.Faint, p.store.Privacy.Display().Text(none(p.store.Insight.Read24h())))
		return
	}
	w.Cell(pane.Tone(p.theme, c.Cached, p.theme.Spark), widget.Strip(widget.Sparkline(p.hours(c), min(w.Width(), byHour), "")))
}

// hoursValue is what was spent in each hour, oldest first, for other programs.
func (p *Pane) hoursValue(c *cardlist.Card) rows.Cell {
	if c.Spent24h == 0 {
		return rows.Cell{}
	}
	var hours []string
	for _, b := range p.store.Insight.Ledger().Bars(ledger.OfCard(c.ID), ledger.Last24h) {
		hours = append(hours, b.Spent().String())
	}
	return rows.Cell{Text: strings.Join(hours, " ")}
}
