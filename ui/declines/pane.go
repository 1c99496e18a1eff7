// Package declines is the pane that shows why payments were declined in the last 24 hours, a row
// for each cause. It takes the place of the card list.
package declines

import (
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Pane lists the causes, that of the most declines first.
type Pane struct {
	pane.List[decline.Group, string]

	keys     *keymap.Map
	complete bool
	// declined is how many there are, unread how many of them are still to be read for their cause.
	declined, unread int
}

var _ pane.Pane = (*Pane)(nil)

// New makes an empty pane.
func New(t *theme.Theme, keys *keymap.Map) *Pane {
	p := &Pane{keys: keys}
	p.List = pane.NewList(t, pane.ListConfig[decline.Group, string]{
		Name: lang.N("Declines"), Columns: columns(), Key: func(g decline.Group) string { return g.Key },
		List: p.groups, Frame: p.frame, Empty: p.empty, Row: p.row, Detail: p.detail, MostDetail: mostDetail,
	})
	return p
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.Declines }

// Reads returns the parts of the store that the pane shows.
func (p *Pane) Reads() kernel.Topic {
	return kernel.TopicFeed | kernel.TopicCards | kernel.TopicBINs | kernel.TopicClock
}

// Sync reads the store again.
func (p *Pane) Sync(s *state.Store, _ kernel.Topic) { p.Update(s) }

func (p *Pane) groups() []decline.Group {
	groups := p.Store.Insight.DeclinesByCause()
	p.complete, p.declined, p.unread = p.Store.Insight.Read24h(), 0, 0
	for i := range groups {
		p.declined += len(groups[i].IDs)
		p.unread += groups[i].Unread
	}
	return groups
}

// Act moves the cursor, opens the declines of a cause or exports the list.
func (p *Pane) Act(a keymap.Action) []kernel.Intent {
	if p.Moves(a) || p.Store == nil {
		return nil
	}
	if a == keymap.Export {
		return []kernel.Intent{pane.ExportRows{Rows: p.Store.Insight.DeclineRows(p.Rows())}}
	}
	if g, ok := p.Picked(); ok && a == keymap.OpenTransaction {
		return []kernel.Intent{txns.Inspect{Transaction: g.IDs[0], Among: g.IDs}}
	}
	return nil
}

// Where there is little room the sum is dropped first, then the cards.
func columns() []widget.Column {
	return []widget.Column{
		{Title: lang.Column("cause"), Min: 14, Weight: 3},
		{Title: lang.Column("declines"), Min: 8, Align: widget.Right},
		{Title: lang.Column("amount"), Min: 11, Align: widget.Right, Priority: 2},
		{Title: lang.Column("cards"), Min: 5, Align: widget.Right, Priority: 1},
		{Title: lang.Column("last"), Min: 6, Align: widget.Right, Priority: 1},
	}
}

func (p *Pane) frame(f *widget.Frame) {
	text := p.Theme.Words.Tf("%d in 24 h", p.declined)
	if !p.complete {
		text = "≥" + text
	}
	if p.unread > 0 {
		text += p.Theme.Words.Tf(" · reading causes: %d of %d", p.declined-p.unread, p.declined)
	}
	f.Title = append(f.Title, pane.Note(p.Theme, text))
}

func (p *Pane) empty() string {
	if p.Store == nil || !p.complete {
		return p.Theme.Words.T("24h not read yet")
	}
	return p.Theme.Words.T("nothing was declined in the last 24 hours")
}

func (p *Pane) row(g decline.Group, w *widget.RowWriter) {
	t := p.Theme
	style := t.Text
	if g.Answer.Cause == decline.Unknown || g.Likely == len(g.IDs) {
		style = t.Muted
	}
	w.Cell(style, g.Words(t.Words))
	w.Cell(t.Text, p.atLeast(&g, strconv.Itoa(len(g.IDs))))
	w.Cell(t.Muted, p.sum(&g))
	w.Cell(t.Muted, strconv.Itoa(len(g.Cards)))
	w.Cell(t.Faint, t.Words.AgeOfRow(max(0, p.Store.ServerNow().Sub(g.Last))))
}

// atLeast marks a figure of a sure cause while others are read that may have the same. One of a guess may grow or
// shrink.
func (p *Pane) atLeast(g *decline.Group, text string) string {
	if p.unread > 0 && g.Answer.Cause != decline.Unknown && g.Likely == 0 {
		return "≥" + text
	}
	return text
}

// sum is what the payments came to, USD; at least, where some were in other currencies.
func (p *Pane) sum(g *decline.Group) string {
	text := p.Store.Privacy.Display().Amount(g.Sum)
	if g.Foreign > 0 {
		return "≥" + text
	}
	return p.atLeast(g, text)
}

// mostDetail is how many lines say more of a cause: two of them the evidence, which names all that was not known.
const mostDetail = 4

// detail says which keys help, the evidence, and the cards.
func (p *Pane) detail(g decline.Group, w, n int) []string {
	t, d := p.Theme, p.Store.Privacy.Display()
	line := func(style string, parts ...string) string {
		return widget.Spans(w, widget.Span{Style: style, Text: " " + strings.Join(parts, " · ")})
	}
	lines := []string{line(t.Text, p.press(&g)...)}
	if n > 1 {
		lines = append(lines, widget.Paragraph(t.Muted, t.Words.Tf("the last: %s", d.Text(g.Answer.Evidence)), w, n-2)...)
	}
	if len(lines) < n {
		names := make([]string, 0, len(g.Cards))
		for _, id := range g.Cards[:min(len(g.Cards), namedCards)] {
			names = append(names, pane.Name(p.Store, id, w))
		}
		lines = append(lines, line(t.Faint, names...))
	}
	return append(lines, widget.Blank(w, n-len(lines))...)
}

// namedCards is how many of the cards are named.
const namedCards = 5

// press says which keys do something about it: the first opens the last of the declines, with the
// others before and after it.
func (p *Pane) press(g *decline.Group) []string {
	words := p.Theme.Words
	parts := []string{words.Tf("%s opens them", p.keys.Key(keymap.OpenTransaction))}
	why := pane.StillHelps(p.Store, g.Cards[0], g.Answer)
	d := p.Store.Privacy.Display()
	if d.Private() {
		why.MCC = "" // It tells the merchant.
	}
	advice := why.Advice(words)
	if key, in := pane.Fix(p.Store, g.Cards[0], why); in != nil {
		advice = words.Tf("then %s: %s", p.keys.Key(key), advice)
	}
	if advice != "" {
		parts = append(parts, d.Sentence(advice))
	}
	return parts
}
