package txns

import (
	"strconv"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// place is where it stands among those that next and previous go through.
func (p *Detail) place() widget.Span {
	d := &p.shown
	if d.At == 0 || d.Of < 2 {
		return widget.Span{}
	}
	return pane.Note(p.theme, p.theme.Words.Tf("%d of %d", d.At, d.Of))
}

// text is all there is to say, in lines of w cells.
func (p *Detail) text(w int) []string {
	d := &p.shown
	s := writer{p: p, w: w}
	if !d.Known {
		s.note(p.theme.Muted, p.missing(d))
		return s.lines
	}
	s.known(&d.Row)
	s.declined()
	if d.Detail != nil {
		s.details(d.Detail)
	}
	s.link(&d.Row)
	s.fact("id", p.theme.Muted, string(d.Row.ID))
	if d.Detail == nil {
		s.gap()
		s.note(p.theme.Muted, p.missing(d))
		return s.lines
	}
	s.rest(d.Detail)
	return s.lines
}

// missing says why the rest is not there.
func (p *Detail) missing(d *txns.Detailed) string {
	if d.Err != nil {
		return "details not loaded: " + errtext.Explain(p.theme.Words, d.Err)
	}
	return p.theme.Words.T("loading details…")
}

// writer collects lines.
type writer struct {
	p     *Detail
	w     int
	lines []string
}

func (s *writer) gap() { s.lines = append(s.lines, widget.Spans(s.w)) }

func (s *writer) note(style, text string) {
	for _, part := range widget.Wrap(text, max(8, s.w-2)) {
		s.lines = append(s.lines, widget.Spans(s.w, widget.Span{Style: style, Text: " " + part}))
	}
}

// nameCells is the width of the names' column.
const nameCells = 11

// fact is a name and what it is, which goes on below where a line is too
// short. Nothing is left out because it is empty: then it is not told.
func (s *writer) fact(name, style, text string) {
	t := s.p.theme
	if text == "" {
		style, text = t.Faint, t.Words.T("not reported")
	}
	cells := max(nameCells, min(widget.Width(name)+1, s.names()+1))
	for _, part := range widget.Wrap(text, max(8, s.w-cells-2)) {
		s.lines = append(s.lines, widget.Spans(s.w,
			widget.Span{Style: t.Faint, Text: " " + widget.Fit(name, cells, widget.Left)}, widget.Span{Style: style, Text: part}))
		name = ""
	}
}

// names is the most that a name takes, in cells.
func (s *writer) names() int { return max(nameCells, s.w/3) - 1 }

// known writes the transaction's row.
func (s *writer) known(row *api.Transaction) {
	p, t := s.p, s.p.theme
	glyph, style := pane.Kind(t, row)
	s.fact(t.Words.T("what"), style, glyph+" "+pane.KindText(t.Words, row))
	amount := p.store.Privacy.Display().Transaction(row)
	if row.InUSD() {
		amount += " " + string(row.CurrencyCode())
	}
	s.fact(t.Words.T("amount"), pane.AmountStyle(p.store.Privacy.Display(), t, row), amount)
	if row.BalanceAfter != nil {
		s.fact(t.Words.T("balance"), t.Text, t.Words.Tf("%s on the card after it", p.store.Privacy.Display().Dollars(*row.BalanceAfter)))
	}
	m, d := row.Merchant, p.store.Privacy.Display()
	s.fact(t.Words.T("merchant"), t.Strong, d.Merchant(m.Name))
	var kind []string
	for _, part := range []string{d.Merchant(m.Category), d.Merchant(m.Country)} {
		if part != "" {
			kind = append(kind, part)
		}
	}
	if m.MCC != "" {
		kind = append(kind, "MCC "+d.Merchant(m.MCC))
	}
	s.fact("", t.Muted, strings.Join(kind, " · "))
	age := t.Words.AgeCoarse(max(0, p.store.ServerNow().Sub(row.CreatedAt)))
	s.fact(t.Words.T("time"), t.Text, t.Words.Tf("%s, %s ago", row.CreatedAt.Local().Format("2006-01-02 15:04:05"), age))
}

// link writes what it belongs to: its card, and the code that led to it.
func (s *writer) link(row *api.Transaction) {
	p, t := s.p, s.p.theme
	card := p.store.Cards.Name(row.CardID)
	if c, ok := p.store.Cards.Get(row.CardID); ok {
		card += "  " + pane.StatusWord(t.Words, c.Shown()) + "  " + p.store.Privacy.Display().Dollars(c.Balance)
	} else {
		card += " (" + string(row.CardID) + ")"
	}
	if words := pane.UnderWay(t, p.store, row.CardID); len(words) > 0 {
		card += "  " + words[0]
	}
	s.fact(t.Words.T("card"), t.Text, card)
	for _, l := range p.linked {
		s.fact(t.Words.T("linked"), t.Info, after(t.Words, pane.Linked(p.store, row, l), l.Row.CreatedAt.Sub(row.CreatedAt)))
	}
	if e := p.code; e != nil {
		text := t.Words.Tf("code of %s", pane.When(t.Words, e.CreatedAt, p.store.ServerNow()))
		if e.AmountKnown {
			text = t.Words.Tf("%s for %s", text, p.store.Privacy.Display().Dollars(e.Amount))
		}
		_, word, _ := pane.CodeEnd(t, e)
		s.fact(t.Words.T("3DS code"), t.Info, text+", "+word+" "+gap(t.Words, row.CreatedAt.Sub(e.EndedAt)))
	}
}

// gap is how long before or after something was.
func gap(w *lang.Words, d time.Duration) string {
	if d < 0 {
		return w.Tf("%s after it", w.AgeCoarse(-d))
	}
	return w.Tf("%s before it", w.AgeCoarse(d))
}

// after says of another transaction how long after this one it was, or before it.
func after(w *lang.Words, other string, d time.Duration) string {
	if d < 0 {
		return w.Tf("%s, %s before", other, w.AgeCoarse(-d))
	}
	return w.Tf("%s, %s after", other, w.AgeCoarse(d))
}

// details writes what only the details have.
func (s *writer) details(d *api.TransactionDetail) {
	t := s.p.theme
	if reason := string(d.DeclineReason); reason != "" && !strings.Contains(s.p.why.Evidence, reason) {
		s.fact(t.Words.T("reason"), t.Bad, strconv.Quote(reason)) // The cause has its own name.
	}
	if d.MCC != "" && d.MCC != d.Merchant.MCC {
		s.fact("MCC", t.Text, s.p.store.Privacy.Display().Merchant(d.MCC))
	}
	s.fact("3DS", t.Text, pane.Value(t.Words, string(d.ThreeDSStatus)))
}

// rest writes the steps it went through, those of the transaction's own day by
// the clock, and as it was found what this program
// has no name for.
func (s *writer) rest(d *api.TransactionDetail) {
	t := s.p.theme
	if len(d.Timeline) > 0 {
		s.gap()
		s.note(t.Header, t.Words.T("steps"))
		for i, step := range d.Timeline {
			after := ""
			if i > 0 {
				after = "  +" + t.Words.Age(max(0, step.At.Sub(d.Timeline[i-1].At)))
			}
			s.fact(pane.Time(t.Words, step.At, d.CreatedAt, s.names()), t.Text, pane.Value(t.Words, string(step.Status))+after)
		}
	}
	if len(d.Extra) > 0 {
		s.gap()
		s.note(t.Header, t.Words.T("other fields"))
		for _, f := range d.Extra {
			s.fact(string(f.Name), t.Muted, s.p.store.Privacy.Display().Text(string(f.Value)))
		}
	}
}
