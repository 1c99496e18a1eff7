package otp

import (
	"fmt"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// View draws the list.
func (p *Pane) View(focused bool) []string {
	if !p.dirty && focused == p.focused {
		return p.lines
	}
	if focused != p.focused {
		p.bind(focused)
	}
	p.dirty, p.focused = false, focused
	f := pane.Frame(p.theme, "2", "Codes", focused)
	p.table.SetStyles(pane.Table(p.theme))
	var body []string
	if p.store != nil {
		n := len(p.store.Codes())
		if n > 0 {
			f.Title = append(f.Title, pane.Note(p.theme, fmt.Sprintf("%d waiting", n)))
		}
		f.Title = append(f.Title, p.armed()...)
		rows := max(1, min(p.h-2, n+p.titles()))
		p.table.SetHeader(p.titles() > 0)
		p.table.SetSize(p.w-2, rows)
		p.table.SetEmpty(p.empty())
		p.arrange()
		body = append(p.table.Draw(focused && p.at() >= 0, p.row), p.ended(p.h-2-rows)...)
		f.Foot = pane.Source(p.theme, p.store.Source(state.LaneCodes), p.store.Now())
	}
	f.Scroll = p.table.Scroll()
	p.lines = f.Draw(body, p.w, p.h)
	return p.lines
}

// titledFrom is how many lines there are inside from which one of them names the
// columns.
const titledFrom = 4

// titles is how many lines name the columns: none where a code, or what became
// of one, has more use for it.
func (p *Pane) titles() int {
	if inner := p.h - 2; inner < titledFrom || inner <= Lines(p.store) || len(p.store.Codes()) == 0 {
		return 0
	}
	return 1
}

func (p *Pane) empty() string {
	src := p.store.Source(state.LaneCodes)
	switch {
	case src.OKAt.IsZero():
		return pane.Unread(src, "the codes")
	case src.Stale(p.store.Now()):
		return "no code is known; they are asked for again and again"
	}
	return "no code is waiting; a new one shows here by itself"
}

func (p *Pane) row(i int, w *widget.RowWriter) {
	c := p.store.Codes()[i]
	t := p.theme
	code, text := t.Code, t.Text
	if c.Superseded {
		code, text = t.Faint, t.Faint
	}
	w.Cell(code, p.digits(c))
	w.Cell(text, string(c.Merchant))
	w.Cell(amountStyle(p.store, t, c, text), pane.Amount(p.store.Display(), c))
	style, card := p.card(c, w.Width())
	w.Cell(style, card)
	w.Cell(t.Faint, widget.AgeCoarse(max(0, p.store.ServerNow().Sub(c.CreatedAt))))
	left := pane.Left(t, c.Left(p.store.ServerNow()))
	w.Cell(left.Style, left.Text)
}

// digits groups a code for reading; the clipboard gets it without the blank.
func (p *Pane) digits(c state.Code) string {
	if c.OTP.IsZero() {
		return "fetching"
	}
	return widget.Group(p.store.Display().Code(c), 3)
}

func amountStyle(s *state.Store, t *theme.Theme, c state.Code, normal string) string {
	if card, ok := s.Card(c.Card); ok && card.Balance < c.Amount {
		return t.Warn
	}
	return normal
}

// stale says in the strip, which has no foot, that codes are not read any more.
func (p *Pane) stale() []widget.Span {
	src := p.store.Source(state.LaneCodes)
	if !src.Stale(p.store.Now()) {
		return nil
	}
	return append([]widget.Span{{Text: " "}}, pane.Source(p.theme, src, p.store.Now())...)
}

// fullStrip is the width from which the strip has room for whole words.
const fullStrip = 60

// Strip draws the newest code in one line of w cells, for screens that have
// no room for the pane.
func (p *Pane) Strip(w int) string {
	t := p.theme
	if p.store == nil {
		return widget.Spans(w)
	}
	c, ok := p.store.NewestCode()
	if !ok {
		if armed := p.armed(); len(armed) > 0 {
			return widget.Spans(w, armed...)
		}
		if stale := p.stale(); stale != nil {
			return widget.Spans(w, append(stale, widget.Span{Style: t.Faint, Text: "  no code is known"})...)
		}
		if src := p.store.Source(state.LaneCodes); src.OKAt.IsZero() {
			return widget.Spans(w, widget.Span{Style: t.Warn, Text: " codes: " + pane.Unread(src, "the codes")})
		}
		return widget.Spans(w, widget.Span{Style: t.Faint, Text: " no code is waiting"})
	}
	spans := []widget.Span{{Style: t.Code, Text: " " + p.digits(c) + " "}, {Text: " "}, pane.Left(t, c.Left(p.store.ServerNow()))}
	spans = append(spans, p.stale()...)
	spans = append(spans, widget.Span{Style: t.Text, Text: "  " + pane.Amount(p.store.Display(), c)})
	if note := pane.CodeWarning(p.store, c); note != "" {
		spans = append(spans, widget.Span{Style: t.Warn, Text: "  " + note})
	}
	spans = append(spans, widget.Span{Style: t.Text, Text: "  " + string(c.Merchant)}, widget.Span{Style: t.Muted, Text: "  " + p.store.Name(c.Card)})
	var more []widget.Span
	if n := len(p.store.Codes()) - 1; n > 0 {
		text := fmt.Sprintf("  +%d more ", n)
		if w < fullStrip {
			text = fmt.Sprintf(" +%d", n)
		}
		more = []widget.Span{{Style: t.Faint, Text: text}}
	}
	room := w - widget.SpansWidth(more)
	return widget.Spans(room, spans...) + widget.Spans(w-room, more...)
}
