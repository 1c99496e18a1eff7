package spending

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/cardtop/cardtop/state"
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
	name, _ := p.Store.Spend.Ledger().Name(p.by, r.Place)
	var l left
	switch p.by {
	case ledger.ByCard:
		l.Runway, l.known = p.Store.Spend.CardRunway(state.CardID(name))
	case ledger.ByCampaign:
		l.Runway, l.known = p.Store.Spend.CampaignRunway(name)
	default:
	}
	p.table.left[r.Place] = l
	return l.Runway, l.known
}

// exactRows is how many rows are put in order by what the store says they last. The
// others are by an estimate, which is made of all rows at once and knows nothing of
// the hours of the day.
const exactRows = 64

// estimateEvery is for how long the estimates hold: an order may be that old, the
// figures in it are not.
const estimateEvery = 10 * time.Second

// estimates are what rows spend an hour.
type estimates struct {
	by    ledger.By
	read  time.Time
	of    []int32 // by place, where in burns; 0 for none
	burns []burn.Burn
}

// readBurns reads what all rows spend an hour.
func (p *Pane) readBurns() {
	now := p.Store.Now()
	if e := p.table.burns; e != nil && e.by == p.by && now.Sub(e.read) < estimateEvery {
		return
	}
	l := p.Store.Spend.Ledger()
	e := &estimates{by: p.by, read: now, of: make([]int32, l.Places(p.by)), burns: make([]burn.Burn, 1)}
	l.Traces(p.by, func(place uint32, trace *burn.Trace) {
		if b, ok := burn.Of(trace); ok {
			e.of[place] = int32(len(e.burns))
			e.burns = append(e.burns, b)
		}
	})
	p.table.burns = e
}

// estimate returns about how long what is on the cards of a row lasts; false as of
// lasts.
func (p *Pane) estimate(r *ledger.Row) (left float64, known bool) {
	of, at := p.table.burns.of, int32(0)
	if int(r.Place) < len(of) { // Else it is newer than the reading.
		at = of[r.Place]
	}
	if at == 0 || p.by == ledger.ByCard && p.table.listed.card(r.Place).row < 0 {
		return 0, false
	}
	return float64(p.table.burns.burns[at].Runway(p.sumOf(r).active - r.Open.USD).Left), true
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

// The styles of what lasts shorter than these.
const (
	soon = 24 * time.Hour
	near = 3 * soon
)

func (p *Pane) leftCell(r *ledger.Row, w *widget.RowWriter) {
	t := p.Theme
	l, known := p.lasts(r)
	switch {
	case p.Store.Privacy.Display().Private():
		w.Skip()
	case !known:
		w.Cell(t.Faint, p.marked("–"))
	case l.Left < soon:
		w.Cell(t.Bad, pane.Lasts(t.Words, l.Left)+" "+t.Glyphs.Alert)
	case l.Left < near:
		w.Cell(t.Warn, p.marked(pane.Lasts(t.Words, l.Left)))
	default:
		w.Cell(t.Muted, p.marked(pane.Lasts(t.Words, l.Left)))
	}
}

// leftValue is it for other programs, in days; nothing where it is not known, or
// longer than can be told.
func (p *Pane) leftValue(r *ledger.Row) state.Cell {
	l, known := p.lasts(r)
	if !known || l.Left >= burn.Horizon {
		return rows.Text("")
	}
	return state.Cell{Text: fmt.Sprintf("%.1f", l.Left.Hours()/24), Number: true}
}
