package cards

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/display"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// View draws the list.
func (p *Pane) View(focused bool) []string {
	if !p.dirty && focused == p.focused {
		return p.lines
	}
	draw := p.table.Draw
	if p.moved {
		draw = p.table.DrawMoved
	}
	still := p.moved && p.drawnFrom == p.table.Offset()
	p.dirty, p.moved, p.focused, p.drawnFrom = false, false, focused, p.table.Offset()
	p.table.SetStyles(pane.Table(p.theme))
	var body []string
	if p.store != nil {
		p.marked = p.marks()
		_, p.whole24h = p.store.Insight.Spent24h()
		body = slices.Concat(p.tabLine(), draw(focused, p.row), p.preview())
	}
	f := pane.Frame(p.theme, "1", p.theme.Words.T("Cards"), focused)
	f.Title = append(f.Title, p.filter.Spans(p.theme, p.display(), p.w)...)
	f.Title = append(f.Title, p.title()...)
	if p.index.group.of != nil {
		f.Right = []widget.Span{{Style: p.theme.Muted, Text: p.theme.Words.Tf("by %s", p.theme.Words.T(p.index.group.about))}}
	}
	f.Scroll = p.table.Scroll()
	if p.store != nil {
		f.Foot = p.source()
		if !still {
			p.moving.Note(p.moves)
		}
	}
	p.lines = p.framing.Draw(f, body, p.w, p.h)
	return p.lines
}

// tabLine draws the tabs, where there are any.
func (p *Pane) tabLine() []string {
	if p.tabs.Lines(p.h) == 0 {
		return nil
	}
	p.tabs.Counts[0] = p.store.Cards.All().Len()
	for i, w := range p.index.watches {
		p.tabs.Counts[i+1] = w.count
	}
	return []string{p.tabs.Draw(p.theme, p.w-2, p.filter.Text())}
}

// markTabs marks the tabs that show a card with an alert nobody has seen.
func (p *Pane) markTabs() {
	if len(p.tabs.Alerts) == 0 {
		return
	}
	clear(p.tabs.Alerts)
	for _, a := range p.store.Alerts.All() {
		row, ok := p.index.row(a.Card)
		if !ok || a.Seen || p.store.Now().Before(a.Snoozed) {
			continue
		}
		p.tabs.Alerts[0] = true
		for i, w := range p.index.watches {
			p.tabs.Alerts[i+1] = p.tabs.Alerts[i+1] || w.matches[row]
		}
	}
}

// display is the way to the screen; before the first Sync there
// is nothing to hide.
func (p *Pane) display() display.Display {
	if p.store == nil {
		return display.Display{}
	}
	return p.store.Privacy.Display()
}

// title counts what the list shows and what it holds.
func (p *Pane) title() []widget.Span {
	if p.store == nil {
		return nil
	}
	if text := p.Summary(); text != "" {
		if p.selected.from != "" {
			text = p.theme.Words.Tf("range · %s", text)
		}
		return []widget.Span{{Style: p.theme.Mark, Text: "  " + text}}
	}
	w, all := p.theme.Words, p.store.Cards.All().Len()
	text := fmt.Sprint(all)
	if total, complete := p.store.Cards.Total(); !complete && total > all {
		text = w.Tf("%d of %d", all, total)
	}
	if len(p.index.order) < all {
		text = w.Tf("%d of %s", len(p.index.order), text)
	}
	if p.index.testing() {
		text += w.T(" · searching")
	}
	if all == 0 && p.unread() {
		return []widget.Span{pane.Note(p.theme, w.T("not read yet"))}
	}
	for _, s := range [...]struct {
		status uint8
		count  string
	}{{active, lang.N(" · %d active")}, {frozen, lang.N(" · %d frozen")}, {expired, lang.N(" · %d expired")}, {terminated, lang.N(" · %d terminated")}, {0, lang.N(" · %d other")}} {
		if n := p.index.counts[s.status]; n > 0 {
			text += w.Tf(s.count, n)
		}
	}
	return []widget.Span{pane.Note(p.theme, text)}
}

// unread reports whether nothing was read yet.
func (p *Pane) unread() bool { return p.store.Poll.Source(poll.Hot).OKAt.IsZero() }

// empty says why there is nothing to see and what to do.
func (p *Pane) empty() string {
	if p.store == nil {
		return ""
	}
	src := p.store.Poll.Source(poll.Hot)
	switch {
	case p.index.testing():
		return p.theme.Words.T("searching")
	case p.filter.On():
		return p.theme.Words.T("no card matches; esc clears the filter")
	case src.OKAt.IsZero():
		return pane.Unread(p.theme.Words, src, p.theme.Words.T("loading cards…"))
	}
	return pane.NoCards(p.keys, p.store)
}

func (p *Pane) row(i int, w *widget.RowWriter) {
	if g, ok := p.index.head(i); ok {
		p.headRow(g, w)
		return
	}
	if p.marked(i) {
		w.Mark()
	}
	card := p.store.Cards.All().At(int(p.index.lines[i]))
	for _, c := range p.columns {
		switch {
		case c.figure != nil:
			c.figureCell(p, &card, w)
		case c.aged != nil:
			w.Cell(p.theme.Faint, c.aged(p, &card))
		default:
			c.cell(p, &card, w)
		}
	}
}

// lowBalance is when a card's balance is drawn as a warning, USD.
const lowBalance = 10 * api.Dollar

func balanceStyle(d display.Display, t *theme.Theme, c *cardlist.Card) string {
	if c.Shown() == api.CardActive && isLow(d, c) {
		return t.Warn
	}
	if c.Status == api.CardTerminated {
		return t.Faint
	}
	return t.Text
}

// isLow reports whether a card's balance is low, unless its size is hidden.
func isLow(d display.Display, c *cardlist.Card) bool { return c.Balance < lowBalance && !d.Private() }

// status returns a card's state as a glyph, so that it needs no colour.
func status(d display.Display, t *theme.Theme, c *cardlist.Card) (glyph, style string) {
	if c.Shown() == api.CardActive && isLow(d, c) {
		return t.Glyphs.Alert, t.Warn
	}
	return pane.StatusGlyph(t, c.Shown())
}

// previewFrom is the height from which a line is spent on the card under the
// cursor.
const previewFrom = 12

func (p *Pane) previewLines() int {
	if p.h >= previewFrom {
		return 1
	}
	return 0
}

// preview draws of the card under the cursor what the list does not know,
// once its summary is read.
func (p *Pane) preview() []string {
	if p.previewLines() == 0 {
		return nil
	}
	w := p.w - 2
	sum, _, ok := p.store.Info.Summary(p.cursor)
	if !ok {
		return []string{widget.Spans(w)}
	}
	var parts []string
	d := p.store.Privacy.Display()
	words := p.theme.Words
	if sum.SpendingLimit != nil && *sum.SpendingLimit > 0 {
		parts = append(parts, words.Tf("limit %s per month", d.Dollars(*sum.SpendingLimit)))
	}
	if sum.TotalSpent != nil {
		parts = append(parts, words.Tf("spent %s total", d.Dollars(*sum.TotalSpent)))
	}
	if n := sum.TransactionCount; n != nil {
		parts = append(parts, words.Tn(*n, "%d transaction", "%d transactions"))
	}
	text := strings.Join(parts, " · ")
	for len(parts) > 1 && widget.Width(text) > w-1 { // The last says least.
		parts = parts[:len(parts)-1]
		text = strings.Join(parts, " · ")
	}
	return []string{widget.Spans(w, widget.Span{Style: p.theme.Faint, Text: " " + text})}
}
