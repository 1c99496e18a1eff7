package txns

import (
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// besidesFoot is what the frame takes of its lowest line.
const besidesFoot = 6

// View draws the feed.
func (p *Pane) View(focused bool) []string {
	if !p.dirty && focused == p.focused {
		return p.lines
	}
	if focused != p.focused {
		p.bind(focused)
	}
	p.dirty, p.focused = false, focused
	f := pane.Frame(p.theme, "3", p.theme.Words.T("Transactions"), focused)
	p.table.SetStyles(pane.Table(p.theme))
	var body []string
	if p.store != nil {
		f.Title = append(f.Title, p.filter.Spans(p.theme, p.store.Privacy.Display(), p.w)...)
		f.Title = append(f.Title, p.mode()...)
		p.table.SetTail(p.tail())
		if p.tabs.Lines(p.h) > 0 {
			body = append(body, p.tabs.Draw(p.theme, p.w-2, p.filter.Text()))
		}
		p.fitColumns()
		body = append(body, p.table.Draw(focused, p.row)...)
		source := p.source()
		p.moving.Note(p.moves)
		f.Foot = append(p.searchNote(p.w-besidesFoot-widget.SpansWidth(source)), source...)
	}
	f.Scroll = p.table.Scroll()
	p.lines = p.framing.Draw(f, body, p.w, p.h)
	return p.lines
}

// mode says whether the list moves by itself. Only the newest first is live:
// sorted otherwise, what comes in goes to its place.
func (p *Pane) mode() []widget.Span {
	src, sorted := p.store.Poll.Source(poll.Feed), p.sorted()
	var spans []widget.Span
	if sorted != "" {
		spans = append(spans, pane.Note(p.theme, sorted))
	}
	switch {
	case p.paused:
		return append(spans, widget.Span{Style: p.theme.Warn, Text: p.theme.Words.Tf("  paused +%d waiting", p.waiting)})
	case p.table.Offset() > 0 && sorted == "":
		return append(spans, pane.Note(p.theme, p.theme.Words.T("paused, g: live")))
	case src.OKAt.IsZero():
		return append(spans, pane.Note(p.theme, p.theme.Words.T("not read yet")))
	case src.Cached:
		return append(spans, pane.Note(p.theme, p.theme.Words.T("from the last run")))
	case src.Stale(p.store.Now()), sorted != "":
		return spans // The foot says how old it is.
	}
	return append(spans, pane.Note(p.theme, p.theme.Words.T("live")))
}

// tail says how far back the list goes.
func (p *Pane) tail() string {
	if p.store.Poll.Source(poll.Feed).Cached {
		return ""
	}
	words, older := p.theme.Words, p.store.Past.State("")
	loading, none := words.T("loading older transactions…"), words.T("no older transactions")
	if p.searching() {
		if older = p.store.Past.Found().Older; p.search.Younger != 0 {
			loading, none = words.T("loading older results…"), words.T("no older results")
		}
	}
	return pane.Tail(p.theme.Words, older, loading, none, p.store.ServerNow())
}

func (p *Pane) empty() string {
	src := p.store.Poll.Source(poll.Feed)
	switch {
	case p.filter.On():
		return p.theme.Words.Tf("no transaction matches · %s · esc clears the filter", p.tail())
	case src.OKAt.IsZero():
		return pane.Unread(p.theme.Words, src, p.theme.Words.T("loading transactions…"))
	}
	return p.theme.Words.T("no transactions yet")
}
