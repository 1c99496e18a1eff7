package spending

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/burn"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// left is how long what is on the cards of a row lasts, known once it was asked
// for since the sums were read.
type left struct {
	burn.Runway
	known bool
}

// lasts returns how long what is on the cards of a row lasts; false where that is
// not known.
func (p *Pane) lasts(r *ledger.Row) (burn.Runway, bool) {
	if l, asked := p.table.left[r.Place]; asked {
		return l.Runway, l.known
	}
	name, _ := p.Store.Insight.Ledger().Name(p.by, r.Place)
	var l left
	switch p.by {
	case ledger.ByCard:
		l.Runway, l.known = p.Store.Insight.CardRunway(api.CardID(name))
	case ledger.ByCampaign:
		l.Runway, l.known = p.Store.Insight.CampaignRunway(name)
	default:
	}
	p.table.left[r.Place] = l
	return l.Runway, l.known
}

// exactRows is how many rows are put in order by what the store says they last now. The
// others are by what it said up to lastingEvery ago.
const exactRows = 64

// lastingEvery is for how long a reading of all rows holds: an order may be that old, the
// figures in it are not.
const lastingEvery = 10 * time.Second

// lasting is how long all rows last, by place, as the store said at a time.
type lasting struct {
	by   ledger.By
	read time.Time
	of   map[uint32]time.Duration
}

// readLasting asks the store how long all rows last.
func (p *Pane) readLasting() {
	now := p.Store.Now()
	if was := p.table.lasting; was != nil && was.by == p.by && now.Sub(was.read) < lastingEvery {
		return
	}
	l := p.Store.Insight.Ledger()
	all := &lasting{by: p.by, read: now, of: make(map[uint32]time.Duration)}
	switch p.by {
	case ledger.ByCard:
		p.Store.Insight.CardRunways(func(id api.CardID, r burn.Runway) {
			if place, ok := l.Place(ledger.OfCard(id)); ok {
				all.of[place] = r.Left
			}
		})
	case ledger.ByCampaign:
		for place := range uint32(l.Places(p.by)) {
			name, _ := l.Name(p.by, place)
			if r, ok := p.Store.Insight.CampaignRunway(name); ok {
				all.of[place] = r.Left
			}
		}
	default:
	}
	p.table.lasting = all
}

// lasted returns how long a row lasted when all were read; false where that is not known.
func (p *Pane) lasted(r *ledger.Row) (left float64, known bool) {
	d, known := p.table.lasting.of[r.Place]
	return float64(d), known
}

// byLeft puts the first rows in the order of what they last.
func (p *Pane) byLeft(rows []ledger.Row) {
	slices.SortStableFunc(rows[:min(len(rows), exactRows)], func(a, b ledger.Row) int {
		x, xok := p.lasts(&a)
		y, yok := p.lasts(&b)
		c := cmp.Compare(x.Left, y.Left)
		switch {
		case xok && !yok:
			return -1
		case yok && !xok:
			return 1
		case p.sort.desc:
			c = -c
		}
		return cmp.Or(c, cmp.Compare(a.Place, b.Place))
	})
}

// soon is how long money lasts that is drawn as a warning.
const soon = 24 * time.Hour

func (p *Pane) leftCell(r *ledger.Row, w *widget.RowWriter) {
	t := p.Theme
	l, known := p.lasts(r)
	text := "–"
	if known {
		text = pane.Lasts(t.Words, l)
	}
	switch {
	case p.Store.Privacy.Display().Private():
		w.Skip()
	case p.Store.Alerts.Level(alert.RunsOut, p.scope(r)) > 0:
		w.Cell(t.Bad, text+" "+t.Glyphs.Alert)
	case !known:
		w.Cell(t.Faint, p.marked(text))
	case l.Left < soon:
		w.Cell(t.Warn, p.marked(text))
	default:
		w.Cell(t.Muted, p.marked(text))
	}
}

// leftValue is it for other programs, in days; nothing where it is not known, or
// longer than can be told, and nothing where it is known only at most.
func (p *Pane) leftValue(r *ledger.Row) rows.Cell {
	l, known := p.lasts(r)
	if !known || l.AtMost || l.Left >= burn.Horizon {
		return rows.Text("")
	}
	return rows.Cell{Text: fmt.Sprintf("%.1f", l.Left.Hours()/24), Number: true}
}
