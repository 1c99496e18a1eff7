package webhooks

import (
	"fmt"
	"strings"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

func columns() []widget.Column {
	return []widget.Column{
		{Title: "address", Min: 18, Weight: 4},
		{Title: "events", Min: 9, Max: 40, Weight: 3},
		{Title: "state", Min: 10},
		{Title: "age", Min: 4, Align: widget.Right, Priority: 1},
	}
}

// The heights from which one and three lines tell more of the webhook under
// the cursor.
const (
	oneLineFrom    = 7
	threeLinesFrom = 12
)

func (p *Pane) detailLines() int {
	switch {
	case p.h >= threeLinesFrom:
		return 3
	case p.h >= oneLineFrom:
		return 1
	}
	return 0
}

// View draws the webhooks.
func (p *Pane) View(focused bool) []string {
	if !p.dirty && focused == p.focused {
		return p.lines
	}
	p.dirty, p.focused = false, focused
	f := pane.Frame(p.theme, "1", "Webhooks", focused)
	p.table.SetStyles(pane.Table(p.theme))
	var body []string
	if p.store != nil {
		rows, read, err := p.store.Webhooks()
		if !read.IsZero() {
			f.Title = append(f.Title, pane.Note(p.theme, fmt.Sprint(len(rows))))
			f.Foot = []widget.Span{{Style: p.theme.Faint, Text: "read " + widget.AgeCoarse(max(0, p.store.Now().Sub(read))) + " ago"}}
		}
		if err != nil {
			f.Foot = []widget.Span{{Style: p.theme.Bad, Text: "not read, r asks again"}}
		}
		p.table.SetEmpty(p.empty())
		body = append(p.table.Draw(focused, p.row), p.detail()...)
	}
	f.Right = []widget.Span{{Style: p.theme.Muted, Text: "esc back"}}
	f.Scroll = p.table.Scroll()
	p.lines = f.Draw(body, p.w, p.h)
	return p.lines
}

func (p *Pane) empty() string {
	_, read, err := p.store.Webhooks()
	switch {
	case err != nil:
		return "r asks again: " + state.Explain(err)
	case read.IsZero():
		return "loading the webhooks…"
	}
	return "no webhook is registered; n registers one"
}

func (p *Pane) row(i int, w *widget.RowWriter) {
	t := p.theme
	rows, _, _ := p.store.Webhooks()
	hook := &rows[i]
	w.Cell(t.Text, p.store.Display().Text(strings.TrimPrefix(string(hook.URL), "https://")))
	w.Cell(t.Muted, events(hook))
	text, style := p.status(hook)
	w.Cell(style, text)
	age := "–"
	if !hook.CreatedAt.IsZero() {
		age = widget.AgeCoarse(max(0, p.store.ServerNow().Sub(hook.CreatedAt)))
	}
	w.Cell(t.Faint, age)
}

// status is what is done with it, or else whether events are sent there.
func (p *Pane) status(hook *state.Webhook) (text, style string) {
	t := p.theme
	op, busy := p.store.PendingWebhook(hook.ID)
	switch {
	case busy && op.Phase == state.Sending:
		return "deleting…", t.Warn
	case busy:
		return "deleted?", t.Warn
	case hook.Active == nil:
		return "not told", t.Faint
	case *hook.Active:
		return t.Glyphs.Active + " active", t.Good
	}
	return t.Glyphs.Closed + " off", t.Muted
}

// events are how many there are, or which where they are few.
func events(hook *state.Webhook) string {
	switch {
	case len(hook.Events) == 0:
		return "not told"
	case len(hook.Events) == 1 && hook.Events[0] == "*":
		return "all"
	case len(hook.Events) <= 2:
		return list(hook)
	}
	return fmt.Sprintf("%d kinds", len(hook.Events))
}

func list(hook *state.Webhook) string {
	names := make([]string, 0, len(hook.Events))
	for _, e := range hook.Events {
		names = append(names, string(e))
	}
	return strings.Join(names, ", ")
}

// detail tells of the webhook under the cursor what the columns have no room
// for.
func (p *Pane) detail() []string {
	n, w := p.detailLines(), p.w-2
	hook, ok := p.picked()
	if n == 0 {
		return nil
	}
	if !ok {
		return widget.Blank(w, n)
	}
	t := p.theme
	what := events(&hook)
	if what != "all" && what != "not told" {
		what = list(&hook)
	}
	lines := []string{widget.Spans(w, widget.Span{Style: t.Muted, Text: " events: " + what})}
	if n == 1 {
		return lines
	}
	about := string(hook.ID)
	if !hook.CreatedAt.IsZero() {
		about += " · registered " + hook.CreatedAt.Local().Format("2006-01-02 15:04")
	}
	return append([]string{widget.Spans(w, widget.Span{Style: t.Text, Text: " " + p.store.Display().Text(string(hook.URL))})}, append(lines,
		widget.Spans(w, widget.Span{Style: t.Faint, Text: " " + about + " · its secret was told when it was registered"}))...)
}
