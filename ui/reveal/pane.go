// Package reveal draws a card's number, expiry and CVV for the short time
// they are asked for. It reads them from the vault as it draws and keeps
// nothing.
package reveal

import (
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Height is how many lines the panel takes, borders included.
const Height = 5

// Panel is drawn below the list while a card is revealed.
type Panel struct {
	theme *theme.Theme
	vault secrets.Vault
}

// New makes a panel over a vault.
func New(t *theme.Theme, v secrets.Vault) *Panel { return &Panel{theme: t, vault: v} }

// View draws the panel in exactly w cells and Height lines. What it returns
// holds the number: it is drawn and not kept.
func (p *Panel) View(s *state.Store, w int) []string {
	r := s.Secrets.Reveal()
	t := p.theme
	f := pane.Frame(t, "", t.Words.T("Details"), true)
	f.Title = append(f.Title, pane.Note(t, s.Cards.Name(r.Card)))
	if r.Waiting {
		at, waits := s.Secrets.NextReveal()
		if !waits {
			return f.Draw([]string{"", widget.Spans(w-2, widget.Span{Style: t.Muted, Text: " " + t.Words.T("loading details…")})}, w, Height)
		}
		return f.Draw([]string{
			widget.Spans(w-2, widget.Span{Style: t.Warn, Text: t.Words.Tf(purpose(s), pane.Seconds(t, at.Sub(s.Now())))}),
			widget.Spans(w-2, widget.Span{Style: t.Muted, Text: t.Words.T(" at most 30 per minute; esc cancels")}),
		}, w, Height)
	}
	left, whole := r.Until.Sub(s.Now()), r.Until.Sub(r.From)
	f.Foot = []widget.Span{{Style: t.Muted, Text: t.Words.Tf("hides in %s", pane.Seconds(t, left))}}
	number, rest := p.number(r), p.expiry(r)
	body := []string{
		widget.Spans(w-2, append(number, rest...)...),
		widget.Spans(w-2, widget.Span{Style: t.Muted, Text: " " + p.read(r.Card, secrets.FieldName)}),
		p.bar(w-2, left, whole),
	}
	if widget.SpansWidth(number)+widget.SpansWidth(rest) > w-2 {
		body[0], body[1] = widget.Spans(w-2, number...), widget.Spans(w-2, rest...)
	}
	return f.Draw(body, w, Height)
}

// purpose says when the next card may be revealed.
func purpose(s *state.Store) string {
	if s.Secrets.CopyWaits() {
		return lang.N(" next reveal and copy in %s")
	}
	return lang.N(" next reveal in %s")
}

// bar shrinks as the time runs out, unless nothing is to move.
func (p *Panel) bar(w int, left, whole time.Duration) string {
	if p.theme.Still {
		return widget.Spans(w)
	}
	room := max(0, w-2)
	full := 0
	if whole > 0 {
		full = min(room, max(0, int(int64(room)*int64(left)/int64(whole))))
	}
	return widget.Spans(w,
		widget.Span{Text: " "},
		widget.Span{Style: p.theme.Bar, Text: strings.Repeat("━", full)},
		widget.Span{Style: p.theme.BarRest, Text: strings.Repeat("─", room-full)})
}

func (p *Panel) number(r secrets.Reveal) []widget.Span {
	return []widget.Span{
		{Text: " "},
		{Style: p.theme.Code, Text: " " + widget.Group(p.read(r.Card, secrets.FieldNumber), 4) + " "},
	}
}

func (p *Panel) expiry(r secrets.Reveal) []widget.Span {
	t := p.theme
	cvv := widget.Span{Style: t.Muted, Text: t.Words.T("•••  again for CVV")}
	if r.CVV {
		cvv = widget.Span{Style: t.Code, Text: " " + p.read(r.Card, secrets.FieldCVV) + " "}
	}
	return []widget.Span{
		{Style: t.Muted, Text: t.Words.T("  exp ")},
		{Style: t.Strong, Text: p.read(r.Card, secrets.FieldExpiry)},
		{Style: t.Muted, Text: "  CVV "},
		cvv,
	}
}

func (p *Panel) read(card api.CardID, f secrets.Field) string {
	secret, ok := p.vault.Read(card, f)
	if !ok {
		return p.theme.Words.T("not loaded")
	}
	defer secret.Wipe()
	return secret.Expose()
}
