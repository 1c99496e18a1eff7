package history

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// narrow is the width in cells below which a time is a clock alone, or a day.
const narrow = 60

// columns are those of a list w cells wide. Dropped first where there is little
// room: the result in words, the request's id, the user, the time, the amount.
// The smallest screen has room for all but the first three.
func columns(words *lang.Words, w int) []widget.Column {
	moment := widget.Column{Title: lang.Column("time"), Min: pane.TimeCells, Priority: 2}
	card := widget.Column{Title: lang.Column("card"), Min: 8, Want: 14, Max: 40, Weight: 9}
	action := widget.Column{Title: lang.Column("action"), Min: 9}
	outcome := widget.Column{Title: lang.Column("outcome"), Min: 11, Max: 13, Weight: 1}
	if w >= narrow { // Else there is no more room in any language.
		action.Min = max(action.Min, widget.Width(pane.OpName(words, state.OpUnfreeze.Verb())))
		outcome.Min = max(outcome.Min, widget.Width("? "+words.Tc("outcome", "unknown")))
	}
	if w < narrow {
		moment.Min, moment.Max, moment.Weight = len("Jan _2"), pane.TimeCells, 3
		card.Min = 6 // The digits.
	}
	return []widget.Column{
		moment,
		action,
		card,
		{Title: lang.Column("amount"), Min: 8, Want: 9, Max: 11, Weight: 1, Align: widget.Right, Priority: 1},
		outcome,
		{Title: lang.Column("who"), Min: 6, Max: 12, Weight: 1, Priority: 3},
		{Title: lang.Column("request"), Min: 18, Max: 24, Weight: 1, Priority: 4},
		{Title: lang.Column("result"), Min: 30, Weight: 9, Priority: 5},
	}
}

func (p *Pane) frame(f *widget.Frame) {
	f.Title = append(f.Title, pane.Note(p.Theme, p.count()))
}

func (p *Pane) count() string {
	words, all := p.Theme.Words, p.Store.History.Past()
	text := fmt.Sprint(len(all.Rows))
	if len(p.Rows()) < len(all.Rows) {
		text = words.Tf("%d of %s", len(p.Rows()), text)
	}
	switch {
	case all.Loading && !all.Known:
		text = words.T("loading")
	case all.Err != nil:
		text += words.T(" · this session only")
	case len(all.Rows) >= state.HistoryShown:
		text += words.T(", newest")
	}
	return text
}

func (p *Pane) empty() string {
	all := p.Store.History.Past()
	switch {
	case p.Filter.On():
		return p.Theme.Words.T("no record matches; esc clears the filter")
	case all.Err != nil:
		return p.Theme.Words.Tf("history not loaded: %s", all.Err.Error())
	case all.Loading:
		return p.Theme.Words.T("loading history…")
	}
	return p.Theme.Words.T("no operations from this machine yet")
}

func (p *Pane) row(r *state.Record, w *widget.RowWriter) {
	t := p.Theme
	w.Cell(t.Faint, pane.Time(t.Words, r.At, p.Store.Now(), w.Width()))
	w.Cell(t.Text, pane.OpName(t.Words, r.Action))
	w.Cell(t.Text, pane.CutName(p.called(r), w.Width()))
	amount := ""
	if r.Amount != 0 {
		amount = p.Store.Privacy.Display().Amount(r.Amount)
	}
	w.Cell(t.Text, amount)
	text, style := pane.Outcome(t, r.Outcome)
	if r.Tries > 1 {
		text += fmt.Sprintf(" ×%d", r.Tries)
	}
	w.Cell(style, text)
	w.Cell(t.Muted, r.User)
	w.Cell(t.Faint, string(r.RequestID))
	if w.Width() > 0 {
		came := p.came(r)
		w.Cell(came.Style, strings.TrimSpace(came.Text))
	}
}

// called is the card's name at that time, or its id.
func (p *Pane) called(r *state.Record) string {
	return p.Store.Cards.OnScreen(r.Card, cmp.Or(r.Name, string(r.Card)))
}

// detail draws what the row has no room for: why it was not done, or what the
// balances were, and how it went.
func (p *Pane) detail(r *state.Record, w, n int) []string {
	lines := []string{widget.Spans(w, p.came(r))}
	if n > 1 {
		lines = append(lines, widget.Spans(w, widget.Span{Style: p.Theme.Faint, Text: " " + strings.Join(manner(p.Theme.Words, r), " · ")}))
	}
	return lines
}

// came says why a record was not done, where its answer is not what was asked for, or what the
// balances were.
func (p *Pane) came(r *state.Record) widget.Span {
	if r.Err != "" {
		return widget.Span{Style: p.Theme.Bad, Text: " " + p.why(r.Outcome, p.Store.Privacy.Display().Sentence(r.Err))}
	}
	if r.Mismatch != "" {
		return widget.Span{Style: p.Theme.Warn, Text: " " + p.Store.Privacy.Display().Sentence(r.Mismatch)}
	}
	return widget.Span{Style: p.Theme.Faint, Text: " " + strings.Join(pane.Balances(p.Theme.Words, p.Store.Privacy.Display(), r), " · ")}
}

// why begins the reason of what was not done: that no answer said so has to be
// seen where the error speaks of a connection that was refused.
func (p *Pane) why(f state.OpStatus, err string) string {
	if f == state.OpStatusNotSent {
		return p.Theme.Words.Tf("not reached, not sent: %s", err)
	}
	return err
}

// keyShown is how much of an idempotency key identifies it.
const keyShown = 8

func manner(w *lang.Words, r *state.Record) []string {
	parts := []string{r.At.Local().Format(time.DateTime)}
	if r.Rule != "" {
		parts = append(parts, w.Tf("rule %s", r.Rule))
	}
	if r.RequestID != "" {
		parts = append(parts, string(r.RequestID))
	}
	if r.Took > 0 {
		parts = append(parts, r.Took.Round(time.Millisecond).String())
	}
	if r.Tries > 1 {
		parts = append(parts, w.Tn(r.Tries, "%d try", "%d tries"))
	}
	parts = append(parts, w.Tf("key %s", r.Key[:min(len(r.Key), keyShown)]))
	if r.User != "" {
		parts = append(parts, r.User)
	}
	return parts
}
