package feed

import (
	"cmp"
	"fmt"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// The columns whose width is that of what is in sight: the others have better use for
// it.
const (
	whatColumn     = "what"
	merchantColumn = "merchant"
	amountColumn   = "amount"
	whyColumn      = "why"
)

// amountCells is the width of nearly all amounts: -1,234.56.
const amountCells = 9

// shape is what is in sight that some columns are as wide as.
type shape struct {
	days bool // a row is of another day than today
	what int  // cells, where that is more than a word
	// amount is in cells, amountCells at least.
	amount int
	// merchant and card are the most cells of any row that was in sight in these columns: they do not move with each line.
	merchant, card int
	why            int // cells
	// figures reports whether the reasons have room for what a balance is short of.
	figures bool
	// caused reports whether a decline is called by its reason, for want of a column for it.
	caused bool
}

const (
	// whyBeside is how many cells the other columns have to have beside the reasons of
	// declines; more where merchants and cards need more, besides those of the rest.
	whyBeside    = 66
	othersBeside = 39
	// causedBeside is how many the other columns have to have where a decline is called
	// by its reason.
	causedBeside = 56
)

// makeShape fits the columns to the rows in sight.
func (p *Pane) makeShape() {
	s := shape{amount: amountCells, merchant: p.fitted.merchant, card: p.fitted.card}
	amounts := p.store.Privacy.Display()
	brief, full, caused := 0, 0, 0
	now := p.store.ServerNow()
	first, last := p.table.Range()
	for _, i := range p.order[first:last] {
		t := p.at(i)
		s.days = s.days || len(pane.Time(p.theme.Words, t.CreatedAt, now, pane.TimeCells)) > clockCells
		s.amount = max(s.amount, widget.Width(amounts.Transaction(t)))
		s.merchant = max(s.merchant, widget.Width(amounts.Text(string(t.Merchant.Name))))
		s.card = max(s.card, widget.Width(pane.Name(p.store, t.CardID, hidden)))
		if p.folded[t.ID] > 0 {
			s.what = max(s.what, widget.Width(p.called(t, false)))
		}
		if t.Type == state.Decline {
			brief, full = max(brief, widget.Width(p.brief(t))), max(full, widget.Width(p.why(t)))
			caused = max(caused, widget.Width(p.called(t, true)))
		}
	}
	room, beside := p.table.ColumnCells()-pane.ColumnGap, max(whyBeside, othersBeside+s.merchant+s.card)
	if s.days {
		beside += pane.TimeCells - clockCells
	}
	switch {
	case full <= room-beside:
		s.why, s.figures = full, true
	case brief <= room-beside:
		s.why = brief
	case caused <= room-causedBeside && len(p.view.Columns) == 0:
		s.what, s.caused = max(s.what, caused), true
	case brief <= room-whyBeside:
		s.why = brief
	}
	if s != p.fitted {
		p.fitted = s
		p.reshape()
	}
}

// reshape sets the columns as wide as what is in sight. Those that the user gave a
// width keep it.
func (p *Pane) reshape() {
	out := make([]widget.Column, len(p.shape))
	copy(out, p.shape)
	chosen := len(p.view.Columns) > 0
	for i := range out {
		switch name := p.columns[i].Name; {
		case name == timeColumn && out[i].Weight > 0:
			if p.fitted.days {
				out[i].Max = pane.TimeCells
			}
			out[i].Want = out[i].Max
		case name == whatColumn && out[i].Want == 0:
			out[i].Min = max(out[i].Min, p.fitted.what)
		case name == amountColumn && out[i].Want == 0:
			out[i].Min = max(out[i].Min, p.fitted.amount)
		case name == merchantColumn && out[i].Want == 0:
			out[i].Want = min(p.fitted.merchant, out[i].Max)
		case name == cardColumn && out[i].Want == 0:
			out[i].Want = min(p.fitted.card, out[i].Max)
		case name == whyColumn && out[i].Want == 0 && p.fitted.why > 0:
			out[i].Min = p.fitted.why
		case name == whyColumn && out[i].Want == 0 && !chosen:
			out[i].Min = hidden
		}
	}
	p.table.SetColumns(out)
}

// hidden is more than any table has: the column is dropped.
const hidden = 1 << 16

// what is the kind of a transaction, and how many retries the row stands for.
func (p *Pane) what(t *state.Transaction) string { return p.called(t, p.fitted.caused) }

// called is what. A decline may be called by its reason, where that is known: the sign before
// it says that it is one.
func (p *Pane) called(t *state.Transaction, caused bool) string {
	glyph, _ := pane.Kind(p.theme, t)
	name := pane.KindText(p.theme.Words, t)
	if caused && t.Type == state.Decline {
		answer, _ := p.store.Spend.Decline(t.ID)
		name = cmp.Or(answer.Short(p.theme.Words), name)
	}
	text := glyph + " " + name
	if n := p.folded[t.ID]; n > 0 {
		text += fmt.Sprintf(" ×%d", n)
	}
	return text
}

// why is why a transaction was declined; empty for the others.
func (p *Pane) why(t *state.Transaction) string {
	if t.Type != state.Decline {
		return ""
	}
	answer, _ := p.store.Spend.Decline(t.ID)
	return pane.Cause(p.store.Privacy.Display(), answer)
}

// brief is why, without figures.
func (p *Pane) brief(t *state.Transaction) string {
	if t.Type != state.Decline {
		return ""
	}
	answer, _ := p.store.Spend.Decline(t.ID)
	return answer.Brief(p.theme.Words)
}
