// Package requests is the pane of what was asked of the API lately: which
// route, how it ended, how long it took, what it cost. It takes the place of
// the card list.
package requests

import (
	"fmt"
	"strings"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/requestlog"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Pane lists the requests, the newest first.
type Pane struct {
	pane.List[requestlog.Request, uint64]

	failed int // of all
}

var _ interface {
	pane.Pane
	pane.Typist
	pane.Backer
} = (*Pane)(nil)

// New makes an empty pane.
func New(t *theme.Theme) *Pane {
	p := &Pane{}
	p.List = pane.NewList(t, pane.ListConfig[requestlog.Request, uint64]{
		Name: lang.N("Requests"), Columns: columns(), Filtered: true, Live: true, Key: func(r requestlog.Request) uint64 { return r.N },
		List: p.matching, Frame: p.frame, Empty: p.empty, Row: p.row, Detail: p.detail, MostDetail: 1,
	})
	return p
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.Calls }

// Reads returns the parts of the store that the pane shows.
func (p *Pane) Reads() kernel.Topic { return kernel.TopicRequests }

// Sync reads the store again.
func (p *Pane) Sync(s *state.Store, _ kernel.Topic) { p.Update(s) }

// Act moves the cursor, filters, exports what is shown, or copies the id of the
// request.
func (p *Pane) Act(a keymap.Action) []kernel.Intent {
	if p.Moves(a) {
		return nil
	}
	if a == keymap.Export {
		return []kernel.Intent{pane.ExportRows{Rows: requestlog.Rows(p.Rows())}}
	}
	r, ok := p.Picked()
	switch {
	case a == keymap.CopyRequestID:
		return []kernel.Intent{secrets.CopyText{What: p.Theme.Words.T("request id"), Text: string(r.ID)}}
	case a == keymap.CopyCurl && ok:
		return []kernel.Intent{secrets.CopyText{What: p.Theme.Words.T("the request as a curl command"), Text: r.Curl()}}
	}
	return nil
}

// matching lists the requests that match.
func (p *Pane) matching() []requestlog.Request {
	words := p.Filter.Words()
	out := p.Rows()[:0]
	p.failed = 0
	for i := range p.Store.Requests.All() {
		r := p.Store.Requests.At(i)
		if r.Failed() {
			p.failed++
		}
		if words.All() || words.Match(r.Text(p.Theme.Words)) {
			out = append(out, r)
		}
	}
	return out
}

// What is dropped first where there is little room: why it failed, the id, the cost, the
// time.
func columns() []widget.Column {
	return []widget.Column{
		{Title: lang.Column("time"), Min: 8, Priority: 1},
		{Title: lang.Column("what"), Min: 6},
		{Title: lang.Column("status"), Min: 6},
		{Title: lang.Column("route"), Min: 25, Max: 34, Weight: 3},
		{Title: lang.Column("ms"), Min: 5, Align: widget.Right},
		{Title: lang.Column("cost"), Min: 11, Priority: 2},
		{Title: lang.Column("request"), Min: 12, Max: 24, Weight: 1, Priority: 3},
		{Title: lang.Column("why"), Min: 20, Weight: 6, Priority: 4},
	}
}

func (p *Pane) frame(f *widget.Frame) { f.Title = append(f.Title, p.count()...) }

func (p *Pane) count() []widget.Span {
	text := fmt.Sprint(p.Store.Requests.All())
	if len(p.Rows()) < p.Store.Requests.All() {
		text = p.Theme.Words.Tf("%d of %s", len(p.Rows()), text)
	}
	spans := []widget.Span{pane.Note(p.Theme, text)}
	if p.failed > 0 {
		spans = append(spans, widget.Span{Style: p.Theme.Bad, Text: p.Theme.Words.Tf(" · %d failed", p.failed)})
	}
	if p.Live() {
		spans = append(spans, widget.Span{Style: p.Theme.Muted, Text: p.Theme.Words.T(" · live")})
	}
	return spans
}

func (p *Pane) empty() string {
	if p.Filter.On() {
		return p.Theme.Words.T("no request matches; esc clears the filter")
	}
	return p.Theme.Words.T("no requests yet")
}

func (p *Pane) row(r requestlog.Request, w *widget.RowWriter) {
	t := p.Theme
	style, text := t.Muted, t.Text
	status := r.Outcome(p.Theme.Words)
	if r.Failed() {
		style, text = t.Bad, t.Bad
		if r.Status == 0 {
			status = t.Words.Tc("request", "lost")
		}
		status = t.Glyphs.Cross + " " + status
	}
	w.Cell(t.Faint, pane.Time(t.Words, r.At, p.Store.Now(), w.Width()))
	w.Cell(style, r.Method)
	w.Cell(style, status)
	w.Cell(text, r.Route)
	w.Cell(t.Text, fmt.Sprint(r.Took.Milliseconds()))
	w.Cell(t.Faint, r.Cost())
	w.Cell(t.Faint, string(r.ID))
	if r.Failed() && w.Width() > 0 {
		w.Cell(text, errtext.Explain(p.Theme.Words, r.Err))
	}
}

// detail draws why the request under the cursor failed, or all of its id.
func (p *Pane) detail(r requestlog.Request, w, _ int) []string {
	parts, style := []string{r.At.Local().Format("2006-01-02 15:04:05.000")}, p.Theme.Faint
	if r.ID != "" {
		parts = append(parts, string(r.ID))
	}
	if r.Failed() {
		parts, style = append([]string{errtext.Explain(p.Theme.Words, r.Err)}, parts...), p.Theme.Bad
	}
	return []string{widget.Spans(w, widget.Span{Style: style, Text: " " + strings.Join(parts, " · ")})}
}
