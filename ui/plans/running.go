package plans

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Batch shows the progress of a plan and the result of every row. Closing it
// stops nothing.
type Batch struct {
	theme *theme.Theme
	store *state.Store
	id    state.PlanID
	dialog.RowList
	// buttons ask before an interrupted plan goes on; nil while nothing is asked.
	// They are for left cards and sum USD, without the rows that other dashboards
	// settled meanwhile.
	buttons *dialog.Buttons
	left    int
	sum     api.USD
}

// NewBatch makes the dialog.
func NewBatch(t *theme.Theme, s *state.Store, id state.PlanID) *Batch {
	b := &Batch{theme: t, id: id, RowList: dialog.NewRowList()}
	b.Sync(s, kernel.TopicAll)
	return b
}

// batch returns the plan on screen; nil before the store has it.
func (b *Batch) batch() *state.Batch {
	batch, ok := b.store.Bulk.Get(b.id)
	if !ok {
		return nil
	}
	return batch
}

// Sync makes the dialog read the store again. Rows with a problem come first.
func (b *Batch) Sync(s *state.Store, changed kernel.Topic) {
	b.store = s
	batch := b.batch()
	if batch == nil {
		b.Order, b.buttons = nil, nil
		return
	}
	b.Order = b.Order[:0]
	for _, first := range []bool{true, false} {
		for i, r := range batch.Rows {
			if failed(r) == first {
				b.Order = append(b.Order, i)
			}
		}
	}
	left, sum := batch.Left()
	switch {
	case batch.Phase != state.BatchInterrupted:
		b.buttons = nil
	case b.buttons == nil || left != b.left || sum != b.sum:
		b.left, b.sum = left, sum
		b.buttons = b.ask(batch)
	}
	if b.buttons != nil {
		b.buttons.Sync(changed)
	}
}

// ask makes the buttons for the rows that are left.
func (b *Batch) ask(batch *state.Batch) *dialog.Buttons {
	a := dialog.NewButtons(b.theme, b.theme.Words.Tn(b.left, "Resume %d card", "Resume %d cards"), func() kernel.Verdict { return b.store.Check(b.resume()) })
	if b.sum > 0 {
		a.More = " " + b.theme.Words.Dollars(b.sum)
	}
	if batch.Plan.Kind.Danger() == kernel.Permanent {
		a.RequireNumber(b.theme.Words.T("number of cards"), b.left)
	}
	return a
}

func failed(r state.RowResult) bool {
	return r.State == state.RowRefused || r.State == state.RowUnsettled || r.State == state.RowUnconfirmed || r.Odd
}

// Paste confirms nothing.
func (b *Batch) Paste(string) {
	if b.buttons != nil {
		b.buttons.Paste()
	}
}

// Traits implements Dialog.
func (b *Batch) Traits() dialog.Traits {
	batch := b.batch()
	return dialog.Traits{
		Question: b.buttons != nil || batch != nil && batch.Active(),
		Typing:   b.typing(),
		Move:     b.Move,
	}
}

// Act closes the dialog, or resumes an interrupted plan.
func (b *Batch) Act(a keymap.Action) dialog.Result {
	if b.buttons == nil {
		return dialog.Result{Close: a == keymap.Cancel || a == keymap.Confirm}
	}
	switch b.buttons.Act(a) {
	case dialog.Cancelled:
		return dialog.Result{Close: true, Told: dialog.NothingSent(b.theme)}
	case dialog.Confirmed:
		if batch := b.batch(); batch == nil || b.buttons.Blocked() || b.buttons.Again(b.theme.Words.T("total again"), b.sum) {
			return dialog.Result{}
		}
		return dialog.Result{Intents: []kernel.Intent{b.resume()}}
	default:
	}
	return dialog.Result{}
}

func (b *Batch) resume() kernel.Intent { return state.ResumeBatch{ID: b.id} }

// Type pauses, stops or resumes the plan, or retries what was refused.
func (b *Batch) Type(key, text string) dialog.Result {
	batch := b.batch()
	switch {
	case b.buttons != nil && b.buttons.Key(key, text), batch == nil:
		return dialog.Result{}
	}
	switch key {
	case "p":
		if batch.Phase == state.BatchPaused {
			return b.want(b.resume())
		}
		return b.want(state.PauseBatch{ID: b.id})
	case "s":
		return b.want(state.StopBatch{ID: b.id})
	case "n":
		b.next()
	case "r":
		return b.retry(batch)
	case "space":
		if issued := batch.Issued(); len(issued) > 0 {
			return dialog.Result{Close: true, Select: issued}
		}
	case "b":
		return b.part(batch)
	}
	return dialog.Result{}
}

// part opens the plan of the next part, once this one has ended.
func (b *Batch) part(batch *state.Batch) dialog.Result {
	switch {
	case batch.Later() == 0:
		return dialog.Result{Told: b.theme.Words.T("there is no next part")}
	case batch.Active():
		return dialog.Result{Told: b.theme.Words.T("the plan is still running")}
	}
	return dialog.Result{Push: NewPlan(b.theme, b.store, 1, func(s *state.Store) *state.Plan { return s.PlanNext(b.id) })}
}

// retry opens a plan of the rows that were not done, once this one has ended.
func (b *Batch) retry(batch *state.Batch) dialog.Result {
	switch {
	case batch.Active():
		return dialog.Result{Told: b.theme.Words.T("the plan is still running")}
	case batch.Undone() == 0:
		return dialog.Result{Told: b.theme.Words.T("nothing to retry")}
	}
	return dialog.Result{Push: NewPlan(b.theme, b.store, 1, func(s *state.Store) *state.Plan { return s.PlanAgain(b.id) })}
}

// want returns an intent, or why it cannot be done now.
func (b *Batch) want(in kernel.Intent) dialog.Result {
	if why := b.store.Check(in).Reason; why != "" {
		return dialog.Result{Told: why}
	}
	return dialog.Result{Intents: []kernel.Intent{in}}
}

// next shows the next plan.
func (b *Batch) next() {
	all := b.store.Bulk.All()
	at := slices.IndexFunc(all, func(o *state.Batch) bool { return o.Plan.ID == b.id })
	b.id, b.buttons = all[(at+1)%len(all)].Plan.ID, nil
	b.Table.Home()
	b.Sync(b.store, kernel.TopicAll)
}

// View draws the box.
func (b *Batch) View(w, h int) []string {
	t := b.theme
	w = min(w, 96)
	inner := w - 2
	batch := b.batch()
	if batch == nil {
		return dialog.Box(t, t.Words.T("Bulk"), []string{widget.Spans(inner, widget.Span{Style: t.Muted, Text: " " + t.Words.T("the plan no longer exists")})}, w)
	}
	var foot []string
	if b.buttons != nil {
		foot = b.buttons.Lines(inner)
	}
	title := planTitle(t.Words, batch.Plan)
	if n := len(b.store.Bulk.All()); n > 1 {
		at := slices.IndexFunc(b.store.Bulk.All(), func(o *state.Batch) bool { return o.Plan.ID == b.id })
		title += "  (" + t.Words.Tf("%d of %d", at+1, n) + ")"
	}
	return b.Draw(t, title, w, h, b.head(batch, inner), foot, dialog.KeyLines(t, inner, b.hints(batch)...), b.row)
}

// head draws the progress of the plan.
func (b *Batch) head(batch *state.Batch, w int) []string {
	t := b.theme
	settled, total := batch.Progress()
	figure := fmt.Sprintf(" %d/%d ", settled, total)
	fraction := 1.0
	if total > 0 {
		fraction = float64(settled) / float64(total)
	}
	room := max(0, w-widget.Width(figure)-1)
	lines := []string{widget.JoinHorizontal(
		[]string{widget.Spans(w-room-1, widget.Span{Style: t.Strong, Text: figure})},
		[]string{widget.Bar(fraction, room, widget.BarStyles{Fill: t.Bar, Rest: t.BarRest})}, []string{" "})[0]}
	lines = append(lines, dialog.Paragraph(w, t.Text, b.summary(batch))...)
	if batch.Reason != "" {
		style := t.Bad
		if batch.Phase == state.BatchPaused || batch.Phase == state.BatchInterrupted {
			style = t.Warn
		}
		lines = append(lines, dialog.Paragraph(w, style, batch.Reason)...)
	}
	return lines
}

func (b *Batch) summary(batch *state.Batch) string {
	words := b.theme.Words
	parts := []string{batch.Outcome(words)}
	if batch.Active() {
		n := func(s state.RowState, format string) {
			if c := batch.Count(s); c > 0 {
				parts = append(parts, words.Tf(format, c))
			}
		}
		parts = []string{words.Tf("%d done", batch.Count(state.RowDone))}
		n(state.RowRefused, lang.N("%d refused"))
		n(state.RowUnsettled, lang.N("%d unconfirmed"))
		n(state.RowUnconfirmed, lang.N("%d retrying"))
		n(state.RowSkipped, lang.N("%d skipped"))
		n(state.RowReading, lang.N("%d reading"))
		n(state.RowSending, lang.N("%d sending"))
		n(state.RowWaiting, lang.N("%d left"))
	}
	if n := batch.Later(); n > 0 {
		parts = append(parts, words.Tf("%d in the next part", n))
	}
	if batch.Moved > 0 {
		parts = append(parts, words.Tf("%s moved", words.Dollars(batch.Moved)))
	}
	switch left := b.store.Bulk.TimeLeft(batch); {
	case left > 0:
		parts = append(parts, words.Tf("about %s", span(words, left)))
	case batch.Phase == state.BatchRunning && batch.Until.After(b.store.Now()):
		parts = append(parts, words.Tf("resumes in %s", span(words, batch.Until.Sub(b.store.Now()))))
	}
	return strings.Join(parts, " · ")
}

func (b *Batch) row(i int, w *widget.RowWriter) {
	batch := b.batch()
	if batch == nil {
		return
	}
	at := b.Order[i]
	r, plan := batch.Rows[at], &batch.Plan.Rows[at]
	t := b.theme
	glyph, style, text := t.Glyphs.Pending, t.Muted, r.Text
	planned := r.State == state.RowSending || r.State == state.RowReading || r.State == state.RowWaiting && text == ""
	switch r.State {
	case state.RowOut:
		glyph, style = "·", t.Faint
	case state.RowWaiting:
		glyph = " "
	case state.RowSending, state.RowReading:
		style = t.Text
	case state.RowUnconfirmed:
		style, text = t.Warn, t.Words.Tf("retrying with the same key: %s", text)
	case state.RowDone:
		glyph, style = t.Glyphs.Check, t.Good
		if r.Odd {
			glyph, style = t.Glyphs.Alert, t.Warn
		}
	case state.RowRefused:
		glyph, style = t.Glyphs.Cross, t.Bad
	case state.RowUnsettled:
		glyph, style = t.Glyphs.Alert, t.Bad
	default:
		glyph, style = "·", t.Muted
	}
	w.Cell(style, glyph)
	nameCell(w, t.Text, plan.Name)
	if planned {
		text = effect(t, plan, w.Width())
	}
	w.Cell(style, text)
}

func (b *Batch) typing() bool { return b.buttons != nil && b.buttons.Typing() }

func (b *Batch) hints(batch *state.Batch) []string {
	var hints []string
	switch batch.Phase {
	case state.BatchRunning:
		hints = []string{"p " + b.theme.Words.T("pause"), "s " + b.theme.Words.T("stop"), "esc " + b.theme.Words.T("close")}
	case state.BatchPaused:
		hints = []string{"p " + b.theme.Words.T("resume"), "s " + b.theme.Words.T("stop"), "esc " + b.theme.Words.T("back")}
	case state.BatchInterrupted:
		hints = []string{"tab " + b.theme.Words.T("switch"), "esc " + b.theme.Words.T("later")}
		if !b.typing() {
			hints = append(hints, "s "+b.theme.Words.T("discard the rest"))
		}
	case state.BatchOver:
		if n := len(batch.Issued()); n > 0 {
			hints = append(hints, "space "+b.theme.Words.Tf("select %d", n))
		}
		if n := batch.Undone(); n > 0 {
			hints = append(hints, "r "+b.theme.Words.Tf("retry %d", n))
		}
		if n := batch.Later(); n > 0 {
			hints = append(hints, "b "+b.theme.Words.Tf("next %d of %d", b.store.Bulk.NextPart(batch), n))
		}
		hints = append(hints, "esc "+b.theme.Words.T("close"))
	default:
		hints = []string{"esc " + b.theme.Words.T("close")}
	}
	if len(b.store.Bulk.All()) > 1 && !b.typing() {
		hints = append(hints, "n "+b.theme.Words.T("next plan"))
	}
	return hints
}
