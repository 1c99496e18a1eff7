package inspect

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

func columns() []widget.Column {
	return []widget.Column{
		{Title: "time", Min: 11},
		{Title: "what", Min: 10},
		{Title: "merchant", Min: 8, Max: 30, Weight: 2},
		{Title: "amount", Min: 9, Max: 11, Weight: 1, Align: widget.Right},
		{Title: "balance", Min: 9, Max: 11, Weight: 1, Align: widget.Right, Priority: 1},
		{Title: "", Min: 2, Priority: 2},
	}
}

// View draws the card.
func (p *Pane) View(focused bool) []string {
	if !p.dirty && focused == p.focused {
		return p.lines
	}
	p.dirty, p.focused = false, focused
	f := pane.Frame(p.theme, "1", "Card", focused)
	p.table.SetStyles(pane.Table(p.theme))
	var body []string
	if p.store != nil {
		in := p.store.Inspected()
		f.Title = append(f.Title, pane.Note(p.theme, p.store.Name(in.Card)))
		f.Right = []widget.Span{{Style: p.theme.Muted, Text: "esc back"}}
		p.table.SetEmpty(p.empty(in))
		body = append(p.facts(), p.table.Draw(focused, p.row)...)
		f.Foot = pane.Source(p.theme, in.Source, p.store.Now())
	}
	f.Scroll = p.table.Scroll()
	p.lines = f.Draw(body, p.w, p.h)
	return p.lines
}

func (p *Pane) empty(in state.Inspected) string {
	switch {
	case in.Err != nil:
		return "cannot be read now: " + in.Why
	case !in.Loaded:
		return "loading its transactions…"
	}
	return "no transactions on this card yet"
}

// facts are the lines above the transactions: what the list knows at once,
// the rest when the summary is in.
func (p *Pane) facts() []string {
	if p.store == nil {
		return nil
	}
	in := p.store.Inspected()
	c, known := p.store.Card(in.Card)
	if !known && in.Summary == nil {
		return []string{p.fact("card", "not in the list yet", p.theme.Muted), ""}
	}
	t, d := p.theme, p.store.Display()
	status := string(c.Status)
	if op, busy := p.store.Pending(in.Card); busy {
		status += "  " + pane.Progress(d, op)
	}
	if c.Cached {
		status += "  from the last run"
	}
	lines := []string{
		p.fact("balance", d.Dollars(c.Balance)+"  "+status, pane.Tone(t, c.Cached, t.Strong)),
		p.fact("number", "•••• •••• •••• "+d.Last4(c)+"  "+string(c.Network)+"  BIN "+d.Text(string(c.BIN)), t.Text),
	}
	if text := moved(d, p.store.Past().Rows, in.Card, p.store.Now()); text != "" {
		lines = append(lines, p.fact("moved", text, t.Text))
	}
	lines = append(lines, p.summary(in, c)...)
	// Where there is little room the transactions get half of it.
	if room := max(2, (p.h-2)/2); len(lines) > room {
		lines = lines[:room]
	}
	return append(lines, "")
}

func (p *Pane) summary(in state.Inspected, c state.Card) []string {
	t, d := p.theme, p.store.Display()
	if in.Summary == nil {
		text := "loading the summary…"
		if in.Err != nil {
			text = "cannot be read now: " + in.Why
		}
		return []string{p.fact("spent", text, t.Muted), p.fact("dates", "created "+day(c.CreatedAt), t.Muted)}
	}
	s := in.Summary
	spent := "unknown"
	if s.TotalSpent != nil {
		spent = d.Dollars(*s.TotalSpent)
	}
	if s.SpendingLimit != nil {
		spent += "  monthly limit " + d.Dollars(*s.SpendingLimit)
	}
	if s.TransactionCount != nil {
		spent += fmt.Sprintf("  in %d transactions", *s.TransactionCount)
	}
	dates := "created " + day(s.CreatedAt) + "  expires " + day(s.ExpiresAt)
	if s.LastUsedAt.IsZero() {
		dates += "  never used"
	} else {
		dates += "  used " + widget.AgeCoarse(max(0, p.store.ServerNow().Sub(s.LastUsedAt))) + " ago"
	}
	lines := []string{p.fact("spent", spent, t.Text), p.fact("dates", dates, t.Muted)}
	if len(s.Metadata) > 0 {
		pairs := make([]string, 0, len(s.Metadata))
		for k, v := range s.Metadata {
			pairs = append(pairs, string(k)+"="+string(v))
		}
		slices.Sort(pairs)
		lines = append(lines, p.fact("metadata", d.Text(strings.Join(pairs, "  ")), t.Muted))
	}
	return lines
}

func (p *Pane) fact(name, text, style string) string {
	return widget.Spans(max(0, p.w-2),
		widget.Span{Style: p.theme.Faint, Text: fmt.Sprintf(" %-9s", name)},
		widget.Span{Style: style, Text: text})
}

func day(t time.Time) string {
	if t.IsZero() {
		return "unknown"
	}
	return t.Format("2006-01-02")
}

func (p *Pane) row(i int, w *widget.RowWriter) {
	t := &p.store.Inspected().Transactions[i]
	th, d := p.theme, p.store.Display()
	glyph, style := pane.Kind(th, t)
	w.Cell(th.Faint, t.CreatedAt.Local().Format("01-02 15:04"))
	w.Cell(style, glyph+" "+pane.KindWord(t))
	w.Cell(th.Text, string(t.Merchant.Name))
	w.Cell(pane.AmountStyle(d, th, t), d.Amount(t.Amount))
	if t.BalanceAfter == nil {
		w.Cell(th.Faint, "unknown")
	} else {
		w.Cell(th.Muted, d.Amount(*t.BalanceAfter))
	}
	w.Cell(th.Faint, string(t.Merchant.Country))
}
