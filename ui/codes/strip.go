package codes

import (
	"fmt"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// Strip draws the newest code in one line of w cells, for screens that have
// no room for the pane.
func (p *Pane) Strip(w int) string {
	if p.store == nil {
		return widget.Spans(w)
	}
	if problems := p.problems(); len(problems) > 0 && p.store.Codes.Checkout().Cart > 0 {
		return widget.Spans(w, append(problems, p.armedName()...)...)
	}
	c, ok := p.newest()
	if !ok {
		return widget.Spans(w, p.noCode()...)
	}
	return p.codeLine(c, w)
}

// newest is the code that is copied from anywhere, or one whose digits are on
// their way.
func (p *Pane) newest() (codes.Code, bool) {
	if c, ok := p.store.Codes.Newest(); ok {
		return c, true
	}
	for _, c := range p.store.Codes.All() {
		if !c.Replaced {
			return c, true
		}
	}
	return codes.Code{}, false
}

// noCode says that no code waits, or why none is known.
func (p *Pane) noCode() []widget.Span {
	t := p.theme
	if armed := p.armed(); len(armed) > 0 {
		return armed
	}
	if why := p.mayNot(); why != "" {
		return []widget.Span{{Style: t.Faint, Text: " " + why}}
	}
	if stale := p.stale(); stale != nil {
		return append(stale, widget.Span{Style: t.Faint, Text: t.Words.T("  no codes known")})
	}
	if src := p.store.Poll.Source(poll.Codes); src.OKAt.IsZero() {
		return []widget.Span{{Style: t.Warn, Text: t.Words.Tf(" codes: %s", pane.Unread(t.Words, src, t.Words.T("loading codes…")))}}
	}
	return []widget.Span{{Style: t.Faint, Text: " " + t.Words.T("no pending codes")}}
}

// stale says in the strip, which has no foot, that codes are not read any more, or not all
// of them.
func (p *Pane) stale() []widget.Span {
	src := p.store.Poll.Source(poll.Codes)
	if !src.Stale(p.store.Now()) && len(src.Unread) == 0 {
		return nil
	}
	return append([]widget.Span{{Text: " "}}, pane.Source(p.theme, src, p.store.Now())...)
}

// fullStrip is the width from which parts of the strip stand apart.
const fullStrip = 60

// stripForms are what the strip shows with less and less room: the warnings and
// the card stay to the last.
func stripForms() []stripForm {
	return []stripForm{
		{more: true, amount: true, words: true, least: 16},
		{amount: true, words: true, least: 8},
		{words: true, least: 3},
		{},
	}
}

type stripForm struct {
	more, amount, words bool
	least               int // cells left to the merchant
}

// codeLine draws a code with what it authorizes.
func (p *Pane) codeLine(c codes.Code, w int) string {
	for _, form := range stripForms() {
		head, tail := p.stripHead(c, w, form), p.stripTail(w, form)
		gap := stripGap(w)
		merchant, digits := string(c.Merchant), widget.Width(pane.Name(p.store, c.Card, 0))
		room := w - widget.SpansWidth(head) - widget.SpansWidth(tail) - 2*len(gap)
		if room < digits+min(form.least, widget.Width(merchant)) && form.words {
			continue
		}
		name := pane.Name(p.store, c.Card, max(digits, room-widget.Width(merchant)))
		merchant = widget.Truncate(merchant, max(0, room-widget.Width(name)))
		head = append(head, widget.Span{Style: p.theme.Text, Text: gap + merchant}, widget.Span{Style: p.theme.Muted, Text: gap + name})
		room = w - widget.SpansWidth(tail)
		return widget.Spans(room, head...) + widget.Spans(w-room, tail...)
	}
	return widget.Spans(w)
}

func stripGap(w int) string {
	if w < fullStrip {
		return " "
	}
	return "  "
}

// stripHead is the code, its time, its amount and what speaks against it.
func (p *Pane) stripHead(c codes.Code, w int, form stripForm) []widget.Span {
	t, gap := p.theme, stripGap(w)
	spans := []widget.Span{{Style: t.Code, Text: " " + p.digits(c) + gap[1:]}, {Text: " "}, pane.Left(t, c.Left(p.store.ServerNow()))}
	spans = append(spans, p.stale()...)
	if form.amount {
		spans = append(spans, widget.Span{Style: t.Text, Text: gap + pane.Amount(t.Words, p.store.Privacy.Display(), c)})
	}
	mark := pane.CodeMark(p.store, t, c)
	switch {
	case mark.Words == "":
	case form.words:
		spans = append(spans, widget.Span{Style: mark.Style, Text: gap + mark.Words})
	default:
		spans = append(spans, widget.Span{Style: mark.Style, Text: " " + mark.Signs})
	}
	return spans
}

// stripTail counts the codes that the strip has no room for.
func (p *Pane) stripTail(w int, form stripForm) []widget.Span {
	n := p.store.Codes.Waiting() - 1
	if n <= 0 || !form.more {
		return nil
	}
	text := p.theme.Words.Tf("  +%d more ", n)
	if w < fullStrip {
		text = fmt.Sprintf(" +%d", n)
	}
	return []widget.Span{{Style: p.theme.Faint, Text: text}}
}

// armed says which card's next code is waited for, and how long, and what stands in the
// way of paying its cart.
func (p *Pane) armed() []widget.Span { return append(p.armedName(), p.problems()...) }

// armedName is armed without what stands in the way.
func (p *Pane) armedName() []widget.Span {
	c := p.store.Codes.Checkout()
	if c.Card == "" {
		return nil
	}
	return []widget.Span{
		{Style: p.theme.Warn, Text: p.theme.Words.T("  armed ")},
		{Style: p.theme.Strong, Text: p.store.Cards.Name(c.Card)},
		{Style: p.theme.Warn, Text: " " + widget.Countdown(c.Until.Sub(p.store.Now()))},
	}
}

// problems say what stands in the way of paying the cart of the armed card.
func (p *Pane) problems() []widget.Span {
	cart, armed := p.store.Codes.ArmedCart()
	if !armed {
		return nil
	}
	var spans []widget.Span
	d := p.store.Privacy.Display()
	for _, problem := range cart.Problems(p.theme.Words) {
		spans = append(spans, widget.Span{Style: p.theme.Bad, Text: "  " + d.Sentence(problem)})
	}
	return spans
}

// endedShown is how many codes that ended stay in sight for a while below those
// that wait, also where there is little room.
const endedShown = 2

// Lines is how many lines the codes of a store take.
func Lines(s *state.Store) int { return len(s.Codes.All()) + min(endedShown, len(s.Codes.Ended())) }

// ended draws in n lines at most what became of the latest codes, as far as
// there is room. Their digits are gone.
func (p *Pane) ended(n int) []string {
	var lines []string
	for _, e := range p.store.Codes.Ended() {
		if len(lines) >= n {
			break
		}
		lines = append(lines, p.endedRow(e))
	}
	return lines
}

func (p *Pane) ago(e *codes.Ended) string {
	return p.theme.Words.Ago(max(0, p.store.ServerNow().Sub(e.EndedAt)))
}

func (p *Pane) endedRow(e codes.Ended) string {
	t, d := p.theme, p.store.Privacy.Display()
	sign, word, style := pane.CodeEnd(t, &e)
	amount := ""
	if e.AmountKnown {
		amount = " " + d.Dollars(e.Amount)
	}
	var outcome []widget.Span
	if txn, ok := p.likely[e.ID]; ok {
		outcome = append(outcome, widget.Span{Style: t.Faint, Text: t.Words.Tf("  likely %s %s", pane.KindText(t.Words, &txn), d.Size(&txn))})
	}
	outcome = append(outcome, widget.Span{Style: t.Faint, Text: "  " + p.ago(&e)})
	what := []widget.Span{
		{Style: style, Text: " " + sign + " " + word},
		{Style: t.Muted, Text: "  " + d.Merchant(e.Merchant) + amount + "  "},
	}
	// What became of it is read whole before the label is.
	room := p.w - 2 - widget.SpansWidth(what) - widget.SpansWidth(outcome)
	what = append(what, widget.Span{Style: t.Muted, Text: pane.Name(p.store, e.Card, room)})
	return widget.Spans(p.w-2, append(what, outcome...)...)
}
