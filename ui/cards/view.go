package cards

import (
	"fmt"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

func columns() []widget.Column {
	return []widget.Column{
		colStatus:  {Title: "", Min: 1, Max: 1},
		colLabel:   {Title: "label", Min: 10, Weight: 3},
		colCard:    {Title: "card", Min: 9, Max: 9},
		colBalance: {Title: "balance", Min: 10, Max: 12, Align: widget.Right},
		colSpent:   {Title: "spent 24h", Min: 10, Max: 12, Align: widget.Right, Priority: 1},
		colLast:    {Title: "last", Min: 5, Max: 5, Align: widget.Right, Priority: 2},
	}
}

// View draws the list.
func (p *Pane) View(focused bool) []string {
	if !p.dirty && focused == p.focused {
		return p.lines
	}
	p.dirty, p.focused = false, focused
	p.table.SetStyles(pane.Table(p.theme))
	p.table.SetEmpty(p.empty())
	var body []string
	if p.store != nil {
		p.marked = p.marks()
		body = append(p.table.Draw(focused, p.row), p.preview()...)
	}
	f := pane.Frame(p.theme, "1", "Cards", focused)
	f.Title = append(f.Title, p.filter.Spans(p.theme)...)
	f.Title = append(f.Title, p.title()...)
	f.Scroll = p.table.Scroll()
	if p.store != nil {
		f.Foot = pane.Source(p.theme, p.store.Source(state.LaneHot), p.store.Now())
	}
	p.lines = f.Draw(body, p.w, p.h)
	return p.lines
}

// title counts what the list shows and what it holds.
func (p *Pane) title() []widget.Span {
	if p.store == nil {
		return nil
	}
	if text := p.Summary(); text != "" {
		if p.chosen.from != "" {
			text = "range · " + text
		}
		return []widget.Span{{Style: p.theme.Mark, Text: "  " + text}}
	}
	var active, frozen int
	all := p.store.Cards()
	for i := range all {
		switch all[i].Status {
		case state.CardActive:
			active++
		case state.CardFrozen:
			frozen++
		default:
		}
	}
	text := fmt.Sprint(len(all))
	if total, complete := p.store.CardsTotal(); !complete && total > len(all) {
		text = fmt.Sprintf("%d of %d", len(all), total)
	}
	if len(p.order) < len(all) {
		text = fmt.Sprintf("%d of %s", len(p.order), text)
	}
	return []widget.Span{pane.Note(p.theme, fmt.Sprintf("%s · %d active · %d frozen", text, active, frozen))}
}

// empty says why there is nothing to see and what to do.
func (p *Pane) empty() string {
	if p.store == nil {
		return ""
	}
	src := p.store.Source(state.LaneHot)
	switch {
	case p.filter.On():
		return "no card matches; esc clears the filter"
	case src.OKAt.IsZero() && src.Err != nil:
		return "no cards yet: the API does not answer; asking again"
	case src.OKAt.IsZero():
		return "loading cards…"
	}
	return "this account has no cards yet"
}

func (p *Pane) row(i int, w *widget.RowWriter) {
	t := p.theme
	c := &p.store.Cards()[p.order[i]]
	if p.marked(i) {
		w.Mark()
	}
	label, muted := t.Text, t.Muted
	if c.Status == state.CardTerminated {
		label, muted = t.Faint, t.Faint
	}
	label, muted = pane.Tone(t, c.Cached, label), pane.Tone(t, c.Cached, muted)
	glyph, style := status(t, c)
	w.Cell(pane.Tone(t, c.Cached, style), glyph)
	text := string(c.Label)
	if text == "" {
		text = "(no label)"
		label = t.Faint
	}
	if op, busy := p.store.Pending(c.ID); busy {
		mark := "  " + pane.Progress(op)
		w.Span(label, widget.Truncate(text, max(0, w.Width()-widget.Width(mark))))
		w.Span(t.Warn, mark)
		w.EndCell()
	} else {
		w.Cell(label, text)
	}
	w.Cell(muted, "•••• "+string(c.Last4))
	w.Cell(pane.Tone(t, c.Cached, balanceStyle(t, c)), c.Balance.Grouped())
	w.Cell(muted, c.Spent24h.Grouped())
	if c.LastUsed.IsZero() {
		w.Cell(t.Faint, "–")
	} else {
		w.Cell(t.Faint, widget.AgeCoarse(max(0, p.store.ServerNow().Sub(c.LastUsed))))
	}
}

// lowBalance is when a card's balance is drawn as a warning, USD.
const lowBalance = 10 * state.Dollar

func balanceStyle(t *theme.Theme, c *state.Card) string {
	if c.Status == state.CardActive && c.Balance < lowBalance {
		return t.Warn
	}
	if c.Status == state.CardTerminated {
		return t.Faint
	}
	return t.Text
}

// status gives a card's state as a glyph, so that it needs no colour.
func status(t *theme.Theme, c *state.Card) (glyph, style string) {
	switch {
	case c.Status == state.CardFrozen:
		return t.Glyphs.Frozen, t.Info
	case c.Status == state.CardTerminated:
		return t.Glyphs.Closed, t.Faint
	case c.Status != state.CardActive:
		return "?", t.Warn
	case c.Balance < lowBalance:
		return t.Glyphs.Alert, t.Warn
	}
	return t.Glyphs.Active, t.Good
}
