// Package checkout draws the code that an armed checkout brought, large
// enough to be read at a glance. It reads the code as it draws and keeps
// nothing.
package checkout

import (
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/display"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// largeFrom is the width from which the digits are drawn at full size.
const largeFrom = 72

// borders is what the frame takes of a panel's height.
const borders = 2

// Height is how many lines the panel takes at a width, borders included.
func Height(w int) int { return widget.BigRows(w >= largeFrom) + borders }

// Panel is drawn below the list while a code is large.
type Panel struct {
	theme *theme.Theme
	keys  *keymap.Map
}

// New makes a panel.
func New(t *theme.Theme, keys *keymap.Map) *Panel { return &Panel{theme: t, keys: keys} }

// View draws the panel in exactly w cells and Height lines; nil without a
// code. What it returns holds the code: it is drawn and not kept.
func (p *Panel) View(s *state.Store, w int) []string {
	c, ok := s.Codes.Caught()
	if !ok {
		return nil
	}
	t := p.theme
	f := pane.Frame(t, "", t.Words.T("Checkout"), true)
	f.Leave = []widget.Span{{Style: t.Muted, Text: t.Words.T("esc close")}}
	f.Title = append(f.Title, pane.NameNote(t, &f, s.Cards.Name(c.Card), w))
	left := pane.Left(t, c.Left(s.ServerNow()))
	f.Foot = []widget.Span{{Style: left.Style, Text: t.Words.Tf("%s left", left.Text)}}
	inner, height := w-borders, Height(w)-borders
	digits := p.digits(s.Privacy.Display(), c, w >= largeFrom)
	used := widget.LineWidth(digits[0])
	facts := p.facts(s, c, height)
	body := make([]string, 0, height)
	top := (height - len(digits)) / 2
	for y := range height {
		line := ""
		if i := y - top; i >= 0 && i < len(digits) {
			line = digits[i]
		}
		var spans []widget.Span
		if i := y - (height-len(facts))/2; i >= 0 && i < len(facts) {
			spans = facts[i]
		}
		body = append(body, widget.FitLine(line, used)+widget.Spans(max(0, inner-used), spans...))
	}
	return f.Draw(body, w, Height(w))
}

// digits draws the code; one that is not made of digits is drawn plainly.
func (p *Panel) digits(d display.Display, c codes.Code, large bool) []string {
	text := widget.Group(c.Shown(d), 3)
	lines, ok := widget.BigDigits(text, large)
	if !ok {
		lines = []string{text}
	}
	style := p.theme.Accent
	if c.Replaced {
		style = p.theme.Faint
	}
	out := make([]string, 0, len(lines))
	for _, l := range lines {
		out = append(out, widget.Spans(widget.Width(l)+3, widget.Span{Style: style, Text: " " + l}))
	}
	return out
}

// facts are what the code authorizes, on which card, what speaks against it,
// and whether the clipboard has it, in n lines at most.
func (p *Panel) facts(s *state.Store, c codes.Code, n int) [][]widget.Span {
	t := p.theme
	amount := widget.Span{Style: t.Strong, Text: pane.Amount(t.Words, s.Privacy.Display(), c)}
	merchant := widget.Span{Style: t.Text, Text: string(c.Merchant)}
	lines := [][]widget.Span{{amount}, {merchant}}
	if mark := pane.CodeMark(s, t, c); mark.Words != "" {
		lines = append(lines, []widget.Span{{Style: t.Warn, Text: mark.Words}})
	}
	if span := p.onClip(s, c); span.Text != "" {
		lines = append(lines, []widget.Span{span})
	}
	if len(lines) > n {
		lines = append([][]widget.Span{{amount, {Text: " "}, merchant}}, lines[2:]...)
	}
	return lines
}

// onClip says whether the clipboard has the code.
func (p *Panel) onClip(s *state.Store, c codes.Code) widget.Span {
	t, key := p.theme, p.keys.Key(keymap.CopyCode)
	if clip := s.Secrets.Clip(); clip.Challenge == c.ID {
		held := clip.State == secrets.ClipCopied || clip.State == secrets.ClipSent
		switch {
		case held && clip.Changed && key == "":
			return widget.Span{Style: t.Warn, Text: t.Words.T("changed since it was copied")}
		case held && clip.Changed:
			return widget.Span{Style: t.Warn, Text: t.Words.Tf("changed, press %s", key)}
		case clip.State == secrets.ClipCopied:
			return widget.Span{Style: t.Good, Text: t.Glyphs.Check + " " + t.Words.Tc("code", "copied")}
		case clip.State == secrets.ClipSent:
			return widget.Span{Style: t.Warn, Text: t.Words.T("sent to the terminal")}
		}
	}
	if s.Secrets.ClipMissing() {
		return widget.Span{Style: t.Muted, Text: t.Words.T("no clipboard")}
	}
	if key == "" || c.Replaced {
		return widget.Span{}
	}
	return widget.Span{Style: t.Muted, Text: t.Words.Tf("%s copies", key)}
}
