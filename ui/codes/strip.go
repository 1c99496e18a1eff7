package codes

import (
	"fmt"

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
