package requests

import (
	"fmt"
	"strings"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// What is dropped first where there is little room: the id, the cost, the
// time.
func columns() []widget.Column {
	return []widget.Column{
		{Title: "time", Min: 8, Priority: 1},
		{Title: "what", Min: 6},
		{Title: "route", Min: 25, Max: 34, Weight: 3},
		{Title: "status", Min: 6},
		{Title: "ms", Min: 5, Align: widget.Right},
		{Title: "cost", Min: 11, Priority: 2},
		{Title: "request", Min: 12, Max: 24, Weight: 1, Priority: 3},
	}
}

// detailFrom is the height from which a line tells more of the request under
// the cursor.
const detailFrom = 7

func (p *Pane) detailLines() int {
	if p.h >= detailFrom {
		return 1
	}
	return 0
}

// View draws the requests.
func (p *Pane) View(focused bool) []string {
	if !p.dirty && focused == p.focused {
		return p.lines
	}
	p.dirty, p.focused = false, focused
	f := pane.Frame(p.theme, "1", "Requests", focused)
	p.table.SetStyles(pane.Table(p.theme))
	var body []string
	if p.store != nil {
		f.Title = append(f.Title, p.filter.Spans(p.theme, p.store.Display(), p.w)...)
		f.Title = append(f.Title, p.count()...)
		p.table.SetEmpty(p.empty())
		body = append(p.table.Draw(focused, p.row), p.detail()...)
	}
	f.Right = []widget.Span{{Style: p.theme.Muted, Text: "esc back"}}
	f.Scroll = p.table.Scroll()
	p.lines = f.Draw(body, p.w, p.h)
	return p.lines
}

func (p *Pane) count() []widget.Span {
	text := fmt.Sprint(p.store.Requests())
	if len(p.rows) < p.store.Requests() {
		text = fmt.Sprintf("%d of %s", len(p.rows), text)
	}
	spans := []widget.Span{pane.Note(p.theme, text)}
	if p.failed > 0 {
		spans = append(spans, widget.Span{Style: p.theme.Bad, Text: fmt.Sprintf(" · %d failed", p.failed)})
	}
	if p.cursor == 0 {
		spans = append(spans, widget.Span{Style: p.theme.Muted, Text: " · live"})
	}
	return spans
}

func (p *Pane) empty() string {
	if p.filter.On() {
		return "no request matches; esc clears the filter"
	}
	return "no request was sent yet"
}

func (p *Pane) row(i int, w *widget.RowWriter) {
	t, r := p.theme, &p.rows[i]
	style, text := t.Muted, t.Text
	status := r.Outcome()
	if r.Failed() {
		style, text = t.Bad, t.Bad
		if r.Status == 0 {
			status = "lost"
		}
		status = t.Glyphs.Cross + " " + status
	}
	w.Cell(t.Faint, r.At.Local().Format("15:04:05"))
	w.Cell(style, r.Method)
	w.Cell(text, r.Route)
	w.Cell(style, status)
	w.Cell(t.Text, fmt.Sprint(r.Took.Milliseconds()))
	w.Cell(t.Faint, r.Cost())
	w.Cell(t.Faint, string(r.ID))
}

// detail tells why the request under the cursor failed, or all of its id.
func (p *Pane) detail() []string {
	n, w := p.detailLines(), p.w-2
	r, ok := p.picked()
	if n == 0 {
		return nil
	}
	if !ok {
		return widget.Blank(w, n)
	}
	parts, style := []string{r.At.UTC().Format("15:04:05.000 UTC")}, p.theme.Faint
	if r.ID != "" {
		parts = append(parts, string(r.ID))
	}
	if r.Failed() {
		parts, style = append([]string{state.Explain(r.Err)}, parts...), p.theme.Bad
	}
	return []string{widget.Spans(w, widget.Span{Style: style, Text: " " + strings.Join(parts, " · ")})}
}
