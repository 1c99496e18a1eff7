package inspect

import (
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/display"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// row draws an entry of the timeline.
func (p *Pane) row(i int, w *widget.RowWriter) {
	m := &p.timeline[i]
	w.Cell(p.theme.Faint, pane.Time(p.theme.Words, m.At, p.store.ServerNow(), w.Width()))
	switch m.Kind {
	case state.TimelineTransaction:
		p.transaction(m.Transaction, w)
	case state.TimelineCode:
		p.code(m.Code, w)
	case state.TimelineEnded:
		p.ended(m.Ended, w)
	case state.TimelineStatus:
		glyph, style := pane.StatusGlyph(p.theme, m.Status.To)
		w.Cell(style, glyph+" "+pane.StatusWord(p.theme.Words, m.Status.To))
		w.Cell(p.theme.Muted, p.was(m))
	case state.TimelineRecord:
		p.record(m.Record, w)
	}
	if w.SkipTo(moreColumn); w.Width() > 0 {
		w.Cell(p.theme.Faint, strings.Join(p.more(i), " · "))
	}
}

// was says which status a card had.
func (p *Pane) was(m *state.TimelineEntry) string {
	return p.theme.Words.Tf("was %s", pane.StatusWord(p.theme.Words, m.Status.From))
}

// more is what the other columns do not show of an entry, by its place.
func (p *Pane) more(i int) []string {
	m := &p.timeline[i]
	switch t := m.Transaction; {
	case m.Status != nil:
		return p.describe(i)[1:]
	case t != nil:
		return nonEmpty(strings.ReplaceAll(p.store.Privacy.Display().Merchant(t.Merchant.Category), "_", " "), string(t.ID))
	}
	return p.describe(i)
}

// nonEmpty are the parts that are there.
func nonEmpty(parts ...string) []string {
	return slices.DeleteFunc(parts, func(part string) bool { return part == "" })
}

func (p *Pane) transaction(t *api.Transaction, w *widget.RowWriter) {
	th, d := p.theme, p.store.Privacy.Display()
	glyph, style := pane.Kind(th, t)
	w.Cell(style, glyph+" "+pane.KindText(p.theme.Words, t))
	w.Cell(th.Text, d.Merchant(t.Merchant.Name))
	w.Cell(pane.AmountStyle(d, th, t), d.Transaction(t))
	if t.BalanceAfter == nil {
		w.Cell(th.Faint, th.Words.T("unknown"))
	} else {
		w.Cell(th.Muted, d.Amount(*t.BalanceAfter))
	}
	w.Cell(th.Faint, pane.Where(d, string(t.Merchant.Country), w))
}

// code is a challenge that waits. It is read anew, because its code is not
// kept here.
func (p *Pane) code(id api.ChallengeID, w *widget.RowWriter) {
	t := p.theme
	for _, c := range p.store.Codes.All() {
		if c.ID != id {
			continue
		}
		style, word, text := t.Warn, t.Words.T("3DS code"), t.Text
		if c.Replaced {
			style, word, text = t.Faint, t.Words.T("replaced"), t.Faint
		}
		w.Cell(style, t.Glyphs.Pending+" "+word)
		w.Cell(text, string(c.Merchant))
		p.asked(c.AmountKnown, c.Amount, w)
		left := pane.Left(t, c.Left(p.store.ServerNow()))
		w.Cell(left.Style, t.Words.Tf("%s left", left.Text))
	}
}

func (p *Pane) ended(e *codes.Ended, w *widget.RowWriter) {
	sign, word, style := pane.CodeEnd(p.theme, e)
	if !e.Replaced { // That word leaves no room for more.
		word = p.theme.Words.Tf("3DS %s", word)
	}
	w.Cell(style, sign+" "+word)
	w.Cell(p.theme.Text, p.store.Privacy.Display().Merchant(e.Merchant))
	p.asked(e.AmountKnown, e.Amount, w)
}

// asked is the amount that a code authorizes, which moves nothing.
func (p *Pane) asked(known bool, amount api.USD, w *widget.RowWriter) {
	if !known {
		w.Cell(p.theme.Faint, p.theme.Words.T("unknown"))
		return
	}
	w.Cell(p.theme.Muted, p.store.Privacy.Display().Amount(amount))
}

// record is something that was done from this machine. The sign before an
// amount says that it moved, and which way.
func (p *Pane) record(r *state.Record, w *widget.RowWriter) {
	t, d := p.theme, p.store.Privacy.Display()
	outcome, style := pane.Outcome(t, r.Outcome)
	sign, word, _ := strings.Cut(outcome, " ")
	w.Cell(style, sign+" "+pane.OpName(t.Words, r.Action))
	if r.Outcome == state.OpStatusDone {
		word = t.Words.T("done here")
	}
	w.Cell(t.Text, word)
	amount := ""
	if r.Amount != 0 {
		amount = signOf(r) + d.Amount(r.Amount)
	}
	if signOf(r) == "" {
		style = t.Muted
	} else {
		style = t.Text
	}
	w.Cell(style, amount)
	if r.CardAfter != nil {
		w.Cell(t.Muted, d.Amount(*r.CardAfter))
	}
}

func (p *Pane) detailLines() int {
	if p.h >= roomyFrom {
		return 1
	}
	return 0
}

// detail draws of the row under the cursor what the columns have no room for.
func (p *Pane) detail() []string {
	if p.detailLines() == 0 {
		return nil
	}
	text := ""
	if at, ok := p.table.Cursor(); ok && at < len(p.timeline) {
		text = " " + strings.Join(p.describe(at), " · ")
	}
	return []string{widget.Spans(max(0, p.w-2), widget.Span{Style: p.theme.Faint, Text: text})}
}

// describe is an entry of the timeline in words, by its place. What a transaction belongs with is
// known of the one under the cursor only.
func (p *Pane) describe(i int) []string {
	m := &p.timeline[i]
	d, now, words := p.store.Privacy.Display(), p.store.ServerNow(), p.theme.Words
	var parts []string
	switch {
	case m.Transaction != nil:
		t := m.Transaction
		for _, l := range p.linked {
			parts = append(parts, pane.Linked(p.store, t, l))
		}
		parts = append(parts, d.Merchant(t.Merchant.Name), strings.ReplaceAll(d.Merchant(t.Merchant.Category), "_", " "), string(t.ID))
	case m.Code != "":
		parts = append(parts, words.T("pending code: see above and Codes"))
	case m.Ended != nil:
		parts = append(parts, words.Tf("code of %s", pane.When(words, m.Ended.CreatedAt, now)))
		if t, ok := p.likely[i]; ok {
			parts = append(parts, words.Tf("likely %s %s, enter opens", pane.KindText(words, &t), d.Size(&t)))
		}
	case m.Status != nil:
		parts = append(parts, p.was(m), words.Tf("seen %s", pane.When(words, m.Status.At, now)), words.T("not from this machine"))
		if m.Status.Away {
			parts[len(parts)-1] = words.T("changed since the last run")
		}
	case m.Record != nil:
		if m.Record.Err != "" {
			parts = append(parts, d.Sentence(m.Record.Err))
		}
		parts = append(parts, pane.Balances(p.theme.Words, d, m.Record)...)
		parts = append(parts, m.Record.User, string(m.Record.RequestID))
	}
	return nonEmpty(parts...)
}

// balances are what was on a card at the end of each day. Those of before the first
// known one are marked as partial.
type balances struct {
	values    []widget.BarValue
	low, high api.USD
	known     bool
}

// balancesOf reads what was on a card at the end of each of some days: what the entry
// of its timeline says that was the last by then.
func balancesOf(s *state.Store, card api.CardID, timeline []state.TimelineEntry, days []ledger.Bucket) balances {
	out := balances{values: make([]widget.BarValue, len(days))}
	c, ok := s.Cards.Get(card)
	at := 0 // in the timeline, which is newest first
	for i := len(days) - 1; i >= 0; i-- {
		balance, known := c.Balance, ok
		if i < len(days)-1 {
			balance, known = 0, false
			end := days[i+1].Start
			for ; at < len(timeline) && !known; at++ {
				if b := balanceAfter(&timeline[at]); b != nil && timeline[at].At.Before(end) {
					balance, known = *b, true
					break
				}
			}
		}
		out.values[i] = widget.BarValue{Value: float64(balance), Partial: !known}
		switch {
		case !known:
			continue
		case !out.known:
			out.low, out.high, out.known = balance, balance, true
		}
		out.low, out.high = min(out.low, balance), max(out.high, balance)
	}
	return out
}

// balanceAfter is what was on the card after an entry of its timeline; nil where it
// does not say.
func balanceAfter(e *state.TimelineEntry) *api.USD {
	switch {
	case e.Transaction != nil:
		return e.Transaction.BalanceAfter
	case e.Record != nil:
		return e.Record.CardAfter
	}
	return nil
}

// text is the lowest and the highest of them; empty where none is known.
func (b *balances) text(w *lang.Words, d display.Display) string {
	switch {
	case !b.known:
		return ""
	case b.low == b.high:
		return d.Dollars(b.low)
	}
	return w.Tf("%s to %s", d.Dollars(b.low), d.Dollars(b.high))
}

// movedShown bounds how many movements of a card are named.
const movedShown = 4

// moved names what was moved to and from a card from this machine, the newest
// first, by the history; empty when nothing was.
func moved(w *lang.Words, d display.Display, rows []state.Record, card api.CardID, now time.Time) string {
	var parts []string
	for i := len(rows) - 1; i >= 0; i-- {
		r := &rows[i]
		sign := signOf(r)
		if r.Card != card || sign == "" {
			continue
		}
		if len(parts) == movedShown {
			return strings.Join(append(parts, "…"), "  ")
		}
		parts = append(parts, sign+d.Dollars(r.Amount)+" "+pane.When(w, r.At, now))
	}
	return strings.Join(parts, "  ")
}

// signOf returns which way a record's amount went; empty when none moved.
func signOf(r *state.Record) string {
	switch {
	case r.Outcome != state.OpStatusDone && r.Outcome != state.OpStatusResolvedDone:
		return ""
	case r.Action == state.OpFund.Verb(), r.Action == state.OpIssue.Verb():
		return "+"
	case r.Action == state.OpWithdraw.Verb(), r.Action == state.OpTerminate.Verb():
		return "-"
	}
	return ""
}
