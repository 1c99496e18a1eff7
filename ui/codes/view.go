package codes

import (
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/team"
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
	f := pane.Frame(p.theme, "2", p.theme.Words.T("Codes"), focused)
	p.table.SetStyles(pane.Table(p.theme))
	var body []string
	if p.store != nil {
		n := len(p.store.Codes.All())
		f.Title = append(f.Title, p.counts()...)
		f.Title = append(f.Title, p.armed()...)
		rows := max(1, min(p.h-2, n+p.titles()))
		p.table.SetHeader(p.titles() > 0)
		p.table.SetSize(p.w-2, rows)
		p.arrange()
		body = append(p.table.Draw(focused && p.at() >= 0, p.row), p.ended(p.h-2-rows)...)
		f.Foot = p.source()
		p.moving.Note(p.moves)
	}
	f.Scroll = p.table.Scroll()
	p.lines = p.framing.Draw(f, body, p.w, p.h)
	return p.lines
}

// titledFrom is how many lines there are inside from which one of them names the
// columns.
const titledFrom = 4

// titles is how many lines name the columns: none where a code, or what became
// of one, has more use for it.
func (p *Pane) titles() int {
	if inner := p.h - 2; inner < titledFrom || inner <= Lines(p.store) || len(p.store.Codes.All()) == 0 {
		return 0
	}
	return 1
}

// counts says how many codes wait, and how many of those that are listed were
// replaced.
func (p *Pane) counts() []widget.Span {
	n := p.store.Codes.Waiting()
	old := len(p.store.Codes.All()) - n
	if n+old == 0 {
		return nil
	}
	text := p.theme.Words.Tf("%d pending", n)
	if old > 0 {
		text = p.theme.Words.Tf("%d pending · %d replaced", n, old)
	}
	return []widget.Span{pane.Note(p.theme, text)}
}

func (p *Pane) empty() string {
	if why := p.mayNot(); why != "" {
		return why
	}
	src := p.store.Poll.Source(poll.Codes)
	switch {
	case src.OKAt.IsZero():
		return pane.Unread(p.theme.Words, src, p.theme.Words.T("loading codes…"))
	case src.Stale(p.store.Now()):
		return p.theme.Words.T("no codes known, retrying")
	case len(src.Unread) > 0:
		return p.theme.Words.T("no codes that can be read")
	}
	return p.theme.Words.T("no pending codes")
}

// mayNot says that the user's role on a hub reads no codes: none that are listed does not
// mean that none wait.
func (p *Pane) mayNot() string {
	if p.store.Team.May(team.Buyer) {
		return ""
	}
	you, _ := p.store.Team.You()
	return p.theme.Words.Tf("your role, %s, may not read codes", you.Role.String())
}

func (p *Pane) row(i int, w *widget.RowWriter) {
	c := p.store.Codes.All()[i]
	t := p.theme
	code, text := t.Code, t.Text
	if c.Replaced {
		code, text = t.Faint, t.Faint
	}
	w.Cell(code, p.digits(c))
	w.Cell(text, string(c.Merchant))
	w.Cell(amountStyle(p.store, t, c, text), pane.Amount(t.Words, p.store.Privacy.Display(), c))
	style, card := p.card(c, w.Width())
	w.Cell(style, card)
	w.Cell(t.Faint, t.Words.AgeCoarse(max(0, p.store.ServerNow().Sub(c.CreatedAt))))
	left := pane.Left(t, c.Left(p.store.ServerNow()))
	w.Cell(left.Style, left.Text)
}

// digits groups a code for reading; the clipboard gets it without the blank.
func (p *Pane) digits(c codes.Code) string {
	if c.OTP.IsZero() {
		return p.theme.Words.Tc("code", "fetching")
	}
	return widget.Group(c.Shown(p.store.Privacy.Display()), 3)
}

func amountStyle(s *state.Store, t *theme.Theme, c codes.Code, normal string) string {
	if card, ok := s.Cards.Get(c.Card); ok && card.Balance < c.Amount && !c.Replaced {
		return t.Warn
	}
	return normal
}
