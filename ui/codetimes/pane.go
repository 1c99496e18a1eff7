// Package codetimes is the pane that shows how long each code of the session
// took, part by part. It takes the place of the card list.
package codetimes

import (
	"fmt"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Pane lists the codes' times, the newest first.
type Pane struct {
	pane.List[codes.Time, api.ChallengeID]
}

var _ pane.Pane = (*Pane)(nil)

// New makes an empty pane.
func New(t *theme.Theme) *Pane {
	p := &Pane{}
	p.List = pane.NewList(t, pane.ListConfig[codes.Time, api.ChallengeID]{
		Name: lang.N("Code times"), Columns: columns(), Live: true, Key: func(c codes.Time) api.ChallengeID { return c.ID },
		List: func() []codes.Time { return p.Store.Codes.Times() }, Frame: p.frame, Empty: p.empty, Row: p.row,
		Above: p.above, Detail: p.detail, MostDetail: 1,
	})
	return p
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.CodeTimes }

// Reads returns the parts of the store that the pane shows.
func (p *Pane) Reads() kernel.Topic { return kernel.TopicCodes | kernel.TopicCards }

// Sync reads the store again.
func (p *Pane) Sync(s *state.Store, _ kernel.Topic) { p.Update(s) }

// Act moves the cursor or exports the list.
func (p *Pane) Act(a keymap.Action) []kernel.Intent {
	if p.Moves(a) || p.Store == nil || a != keymap.Export {
		return nil
	}
	return []kernel.Intent{pane.ExportRows{Rows: p.Store.Codes.TimeRows(p.Rows())}}
}

// Times are in milliseconds. Where there is little room the card is dropped
// first, then the clock.
func columns() []widget.Column {
	return []widget.Column{
		{Title: lang.Column("made"), Min: 8, Priority: 1},
		{Title: lang.Column("merchant"), Min: 6, Max: 24, Weight: 2},
		{Title: lang.Column("card"), Min: 12, Weight: 2, Priority: 2},
		{Title: "API", Min: 5, Align: widget.Right},
		{Title: lang.Column("poll"), Min: 5, Align: widget.Right},
		{Title: lang.Column("copied"), Min: 6, Align: widget.Right},
	}
}

func (p *Pane) frame(f *widget.Frame) {
	f.Title = append(f.Title, pane.Note(p.Theme, p.Theme.Words.Tf("%d · ms", len(p.Rows()))))
}

func (p *Pane) empty() string { return p.Theme.Words.T("no codes since the start") }

func (p *Pane) row(c codes.Time, w *widget.RowWriter) {
	t, copied := p.Theme, "–"
	if took, ok := c.Copied(); ok {
		copied = p.ms(took)
	}
	w.Cell(t.Faint, pane.Time(p.Theme.Words, c.CreatedAt, p.Store.ServerNow(), w.Width()))
	w.Cell(t.Text, p.Store.Privacy.Display().Merchant(c.Merchant))
	w.Cell(t.Muted, pane.Name(p.Store, c.Card, w.Width()))
	w.Cell(t.Text, p.ms(c.API))
	w.Cell(t.Text, p.ms(c.Poll))
	w.Cell(t.Muted, copied)
}

// totalFrom is the width from which a summary line has the total too.
const totalFrom = 60

// above sums the session up; nothing before there was a code.
func (p *Pane) above() []string {
	if p.Store == nil || p.W <= 2 {
		return nil
	}
	d := p.Store.Codes.Delays()
	if d.Seen.N == 0 {
		return nil
	}
	line := func(name string, of func(codes.Spread) time.Duration) string {
		w := p.Theme.Words
		parts := []string{"API " + p.ms(of(d.API)), w.Tf("poll %s", p.ms(of(d.Poll)))}
		if p.W >= totalFrom {
			parts = append([]string{w.Tf("total %s", p.ms(of(d.Seen)))}, parts...)
		}
		if d.Copied.N > 0 {
			parts = append(parts, w.Tf("copied %s", p.ms(of(d.Copied))))
		}
		return widget.Spans(p.W-2, widget.Span{Style: p.Theme.Muted, Text: " " + name + " "}, widget.Span{Style: p.Theme.Strong, Text: strings.Join(parts, " · ")})
	}
	return []string{
		line("p50", func(s codes.Spread) time.Duration { return s.P50 }),
		line("p95", func(s codes.Spread) time.Duration { return s.P95 }),
	}
}

// detail explains the parts of the one under the cursor.
func (p *Pane) detail(c codes.Time, w, _ int) []string {
	text := p.Theme.Words.Tf("%s ms: API %s, poll %s", p.ms(c.Here()), p.ms(c.API), p.ms(c.Poll))
	return []string{widget.Spans(w, widget.Span{Style: p.Theme.Faint, Text: " " + text})}
}

// ms is a duration in milliseconds.
func (p *Pane) ms(d time.Duration) string {
	n := d.Milliseconds()
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return p.Theme.Words.Number(fmt.Sprintf("%d,%03d", n/1000, n%1000))
}
