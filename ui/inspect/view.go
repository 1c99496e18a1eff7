package inspect

import (
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// columns are those of the timeline; a narrow one has the shortest times.
func columns(narrow bool) []widget.Column {
	clock, name := pane.TimeCells, 8
	if narrow {
		clock, name = len("Jan _2"), 6
	}
	return []widget.Column{
		{Title: lang.Column("time"), Min: clock},
		{Title: lang.Column("what"), Min: 10, Max: 13, Weight: 1},
		{Title: lang.Column("who"), Min: name, Want: 22, Max: 30, Weight: 4},
		{Title: lang.Column("amount"), Min: 9, Max: 11, Weight: 1, Align: widget.Right},
		{Title: lang.Column("balance"), Min: 9, Max: 11, Weight: 1, Align: widget.Right, Priority: 1},
		{Title: "", Min: 2, Priority: 2},
		{Title: "", Min: 46, Weight: 4, Priority: 3}, // moreColumn
	}
}

// moreColumn is the place of the column for what the others have no room
// for, where there is much room.
const moreColumn = 6

// View draws the card.
func (p *Pane) View(focused bool) []string {
	if !p.dirty && focused == p.focused {
		return p.lines
	}
	p.dirty, p.focused = false, focused
	f := pane.Frame(p.theme, "1", p.theme.Words.T("Card"), focused)
	p.table.SetStyles(pane.Table(p.theme))
	var body []string
	if p.store != nil {
		in := p.store.Info.Inspected()
		f.Leave = []widget.Span{{Style: p.theme.Muted, Text: p.theme.Words.T("esc back")}}
		f.Title = append(f.Title, pane.NameNote(p.theme, &f, p.store.Cards.Name(in.Card), p.w))
		p.table.SetTail(pane.Tail(p.theme.Words, p.store.Past.State(in.Card), p.theme.Words.T("loading older activity…"), p.theme.Words.T("no older activity"), p.store.ServerNow()))
		body = append(p.facts(), p.table.Draw(focused, p.row)...)
		body = append(body, p.detail()...)
		f.Foot = pane.Source(p.theme, in.Source, p.store.Now())
		if p.below > 0 {
			f.Foot = append([]widget.Span{{Style: p.theme.Muted, Text: p.theme.Words.Tf("↓ %d more · ", p.below)}}, f.Foot...)
		}
	}
	f.Scroll = p.table.Scroll()
	f.Scroll.Offset += p.above
	f.Scroll.Total += p.above + p.below
	p.lines = p.framing.Draw(f, body, p.w, p.h)
	return p.lines
}

func (p *Pane) empty() string {
	switch in := p.store.Info.Inspected(); {
	case in.Err != nil:
		return p.theme.Words.Tf("not loaded: %s", in.Why)
	case !in.Loaded:
		return p.theme.Words.T("loading transactions…")
	}
	return p.theme.Words.T("no activity yet")
}
