package team

import (
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/team"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

func columns() []widget.Column {
	return []widget.Column{
		{Min: 1, Max: 1},
		{Title: lang.Column("who"), Min: 6, Max: 16, Weight: 1},
		{Title: lang.Column("what"), Min: 6, Max: 11, Weight: 1},
		{Title: lang.Column("amount"), Min: 8, Max: 12, Align: widget.Right},
		{Title: lang.Column("card"), Min: 12, Max: 40, Weight: 3, Priority: 1},
		{Title: lang.Column("card holds"), Min: 22, Max: 26, Priority: 3},
		{Title: lang.Column("state"), Min: 10, Max: 24, Weight: 2},
		{Title: lang.Column("age"), Min: 4, Max: 5, Align: widget.Right, Priority: 2},
	}
}

func (p *Pane) frame(f *widget.Frame) {
	var parts []string
	count := func(n int, format string) {
		if n > 0 {
			parts = append(parts, p.Theme.Words.Tf(format, n))
		}
	}
	waits, here := 0, 0
	for _, r := range p.Store.Team.Requests() {
		if r.Waits() {
			waits++
		}
	}
	for _, who := range p.Store.Team.People() {
		here += min(1, who.Here)
	}
	count(waits, lang.N("%d waiting"))
	count(len(p.Store.Team.Operations()), lang.N("%d without outcome"))
	count(here, lang.N("%d here"))
	f.Title = append(f.Title, pane.Note(p.Theme, strings.Join(parts, " · ")))
	if at := p.Store.Team.ReadAt(team.People); !at.IsZero() {
		f.Foot = []widget.Span{{Style: p.Theme.Faint, Text: p.Theme.Words.Tf("read %s", p.Theme.Words.Ago(p.Store.Now().Sub(at)))}}
	}
	if p.err() != nil {
		f.Foot = []widget.Span{{Style: p.Theme.Bad, Text: p.Theme.Words.Tf("not loaded, %s", pane.Hint(p.keys, keymap.Team, keymap.Reload, p.Theme.Words.T("retries")))}}
	}
}

// err is why a list could not be read.
func (p *Pane) err() error {
	for _, list := range []team.Part{team.People, team.Requests, team.Operations} {
		if err := p.Store.Team.Err(list); err != nil {
			return err
		}
	}
	return nil
}

func (p *Pane) empty() string {
	if err := p.err(); err != nil {
		return pane.Hint(p.keys, keymap.Team, keymap.Reload, "retries") + ": " + errtext.Explain(p.Theme.Words, err)
	}
	return p.Theme.Words.T("loading the team…")
}

func (p *Pane) row(r row, w *widget.RowWriter) {
	switch {
	case r.request != nil:
		p.requestRow(r.request, w)
	case r.operation != nil:
		p.operationRow(r.operation, w)
	default:
		p.personRow(r.person, w)
	}
}

func (p *Pane) requestRow(r *team.Request, w *widget.RowWriter) {
	t, d := p.Theme, p.Store.Privacy.Display()
	text := t.Text
	if !r.Waits() {
		text = t.Muted
	}
	glyph, style, word := requestState(p.Store, t, r)
	w.Cell(style, glyph)
	w.Cell(text, d.Text(team.By(p.Theme.Words, r.By)))
	w.Cell(text, pane.OpName(t.Words, string(r.Operation)))
	w.Cell(pane.Tone(t, !r.Waits(), t.Gold), d.Amount(r.Amount))
	w.Cell(text, cardName(p.Store, r.Card, r.Label, w.Width()))
	holds := ""
	if r.CardBefore != nil && r.CardAfter != nil {
		holds = d.Amount(*r.CardBefore) + " " + t.Glyphs.Arrow + " " + d.Amount(*r.CardAfter)
	}
	w.Cell(t.Muted, holds)
	w.Cell(style, word)
	at := r.At
	if !r.Waits() {
		at = team.Ended(*r)
	}
	w.Cell(t.Faint, p.age(at))
}

// requestState is the state of a request: a sign, its style, and words.
func requestState(s *state.Store, t *theme.Theme, r *team.Request) (glyph, style, word string) {
	switch d, _ := s.Team.Decision(r.ID); {
	case d.Sending && d.Approve:
		return t.Glyphs.Pending, t.Warn, t.Words.T("approving…")
	case d.Sending:
		return t.Glyphs.Pending, t.Warn, t.Words.T("refusing…")
	}
	switch r.State {
	case team.Waiting:
		return t.Glyphs.Clock, t.Warn, t.Words.Tc("request", "waits")
	case team.Approved:
		return t.Glyphs.Check, t.Good, decided(s, t, r)
	case team.Refused:
		return t.Glyphs.Cross, t.Bad, decided(s, t, r)
	}
	return t.Glyphs.Closed, t.Muted, decided(s, t, r)
}

// decided says what became of a request, and who decided.
func decided(s *state.Store, t *theme.Theme, r *team.Request) string {
	word := string(r.State)
	switch r.State {
	case team.Approved:
		word = t.Words.Tc("request", "approved")
	case team.Refused:
		word = t.Words.Tc("request", "refused")
	case team.Expired:
		word = t.Words.Tc("request", "expired")
	}
	if r.DecidedBy == "" {
		return word
	}
	return t.Words.Tf("%s by %s", word, s.Privacy.Display().Text(string(r.DecidedBy)))
}

func (p *Pane) operationRow(o *team.Operation, w *widget.RowWriter) {
	t, d := p.Theme, p.Store.Privacy.Display()
	glyph, style, word := t.Glyphs.Unknown, t.Warn, t.Words.T("asked again")
	switch o.State {
	case "sending":
		glyph, style, word = t.Glyphs.Pending, t.Info, t.Words.Tc("operation", "sending")
	case "unsettled":
		glyph, style, word = t.Glyphs.Unknown, t.Bad, t.Words.T("UNCONFIRMED")
	}
	w.Cell(style, glyph)
	w.Cell(t.Text, d.Text(team.By(p.Theme.Words, o.By)))
	w.Cell(t.Text, pane.OpName(t.Words, string(o.Operation)))
	amount := ""
	if o.Amount != 0 {
		amount = d.Amount(o.Amount)
	}
	w.Cell(t.Gold, amount)
	w.Cell(t.Text, cardName(p.Store, o.Card, o.Label, w.Width()))
	holds := ""
	if o.Balance != nil {
		holds = d.Amount(*o.Balance)
	}
	w.Cell(t.Muted, holds)
	w.Cell(style, word)
	w.Cell(t.Faint, p.age(o.At))
}

func (p *Pane) personRow(who *team.Person, w *widget.RowWriter) {
	t, d := p.Theme, p.Store.Privacy.Display()
	glyph, style, text, word := t.Glyphs.Active, t.Good, t.Text, t.Words.Tc("person", "here")
	switch {
	case who.Here > 1:
		word = t.Words.Tf("here, %d open", who.Here)
	case who.Here == 0:
		glyph, style, text, word = t.Glyphs.Closed, t.Faint, t.Muted, t.Words.Tc("person", "away")
	}
	w.Cell(style, glyph)
	w.Cell(text, d.Text(string(who.Name)))
	w.Cell(t.Muted, roleText(t, string(who.Role)))
	w.Cell(t.Faint, "")
	w.Cell(t.Faint, "")
	w.Cell(t.Faint, "")
	w.Cell(style, word)
	age := ""
	if who.Seen != nil {
		age = p.age(*who.Seen)
	}
	w.Cell(t.Faint, age)
}

// roleText is a role in a word; one that is not known as it was sent.
func roleText(t *theme.Theme, role string) string {
	switch role {
	case "viewer":
		return t.Words.Tc("role", "viewer")
	case "buyer":
		return t.Words.Tc("role", "buyer")
	case "lead":
		return t.Words.Tc("role", "lead")
	case "admin":
		return t.Words.Tc("role", "admin")
	}
	return role
}

func (p *Pane) age(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return p.Theme.Words.AgeOfRow(max(0, p.Store.ServerNow().Sub(at)))
}

// cardName names the card of a row in n cells; one that is to be issued by its label.
func cardName(s *state.Store, id api.CardID, label api.Text, n int) string {
	if id != "" {
		return pane.Name(s, id, n)
	}
	if label == "" {
		return "–"
	}
	return widget.Truncate(s.Words().Tf("new %s", s.Privacy.Display().Text(string(label))), n)
}
