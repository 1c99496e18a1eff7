package team

import (
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/display"
	"github.com/cardtop/cardtop/state/team"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// detail describes the row under the cursor.
func (p *Pane) detail(r row, w, n int) []string {
	var lines []string
	switch {
	case r.request != nil:
		lines = p.aboutRequest(r.request)
	case r.operation != nil:
		lines = p.aboutOperation(r.operation)
	default:
		lines = p.aboutPerson(r.person)
	}
	out := make([]string, 0, n)
	for _, text := range lines[:min(n, len(lines))] {
		out = append(out, widget.Spans(w, widget.Span{Style: p.Theme.Muted, Text: " " + widget.Truncate(text, max(1, w-2))}))
	}
	return append(out, widget.Blank(w, n-len(out))...)
}

// change is, in a format, a balance before and after; empty while it is not known.
func change(d display.Display, t *theme.Theme, format string, before, after *api.USD) string {
	if before == nil || after == nil {
		return ""
	}
	return t.Words.Tf(format, d.Dollars(*before), d.Dollars(*after))
}

func join(parts ...string) string {
	var all []string
	for _, text := range parts {
		if text != "" {
			all = append(all, text)
		}
	}
	return strings.Join(all, " · ")
}

func (p *Pane) aboutRequest(r *team.Request) []string {
	d, t, now := p.Store.Privacy.Display(), p.Theme, p.Store.Now()
	asked := t.Words.Tf("%s asked %s", d.Text(team.By(p.Theme.Words, r.By)), pane.When(t.Words, r.At, now))
	if !r.Waits() {
		_, _, word := requestState(p.Store, t, r)
		if r.State == team.Refused && r.DecidedBy == "" { // No person did.
			word = t.Words.T("refused: who asked was removed from the team")
		}
		return []string{word + ", " + pane.When(t.Words, team.Ended(*r), now), asked}
	}
	status := ""
	if r.CardStatus != "" && r.CardStatus != api.CardActive {
		status = t.Words.Tf("the card is %s", pane.StatusWord(t.Words, r.CardStatus))
	}
	figures := join(status, change(d, t, lang.N("card %s → %s"), r.CardBefore, r.CardAfter), change(d, t, lang.N("wallet %s → %s"), r.WalletBefore, r.WalletAfter))
	if figures == "" {
		figures = t.Words.T("balances are not known yet")
	}
	does := pane.Hint(p.keys, keymap.Team, keymap.ApproveRequest, t.Words.T("approves")) + " · " + pane.Hint(p.keys, keymap.Team, keymap.RefuseRequest, t.Words.T("refuses"))
	if why := p.Store.Team.WhyNot(p.Theme.Words, *r, true); why != "" {
		does = why
	}
	if decision, ok := p.Store.Team.Decision(r.ID); ok && decision.Why != "" {
		does = decision.Why
	}
	return []string{figures, t.Words.Tf("%s, until %s", asked, pane.When(t.Words, r.Until, now)), d.Sentence(does)}
}

func (p *Pane) aboutOperation(o *team.Operation) []string {
	d, t, now := p.Store.Privacy.Display(), p.Theme, p.Store.Now()
	read := ""
	if o.Balance != nil {
		read = t.Words.Tf("card now %s", d.Dollars(*o.Balance))
	}
	if o.Suggests != "" {
		read = join(read, t.Words.Tf("the figures suggest: %s", suggested(t, string(o.Suggests))))
	}
	happened := change(d, t, lang.N("card %s → %s"), o.Before, o.After)
	if happened != "" {
		happened = t.Words.Tf("%s if it happened", happened)
	}
	lines := []string{join(read, happened, t.Words.Tf("%s asked %s", d.Text(team.By(p.Theme.Words, o.By)), pane.When(t.Words, o.At, now)))}
	if o.State == team.Unsettled {
		return append(lines, t.Words.Tf("nothing else moves its money until a lead settles it: %s", pane.Hint(p.keys, keymap.Team, keymap.SettleOperation, t.Words.T("settles"))))
	}
	return append(lines, t.Words.T("the hub asks for it again, with the same key"))
}

// suggested is what the figures say of an operation; what is not known as it was sent.
func suggested(t *theme.Theme, what string) string {
	switch what {
	case "done":
		return t.Words.Tc("operation", "done")
	case "not-done":
		return t.Words.Tc("operation", "not-done")
	}
	return what
}

func (p *Pane) aboutPerson(who *team.Person) []string {
	if who.Seen == nil {
		return []string{p.Theme.Words.T("not there since the hub was started")}
	}
	return []string{p.Theme.Words.Tf("last request %s", pane.When(p.Theme.Words, *who.Seen, p.Store.ServerNow()))}
}

// Request draws what is decided: who asks for what, and since when.
func Request(t *theme.Theme, s *state.Store, id string, w int) []string {
	r, ok := s.Team.Request(id)
	if !ok {
		return []string{widget.Spans(w, widget.Span{Style: t.Bad, Text: t.Words.T(" the request is not there any more")})}
	}
	d := s.Privacy.Display()
	what := pane.OpName(t.Words, string(r.Operation)) + " " + d.Dollars(r.Amount) + ", "
	asked := d.Text(team.By(t.Words, r.By)) + " asked " + t.Words.AgeCoarse(max(0, s.ServerNow().Sub(r.At))) + " ago"
	return []string{
		widget.Spans(w),
		widget.Spans(w, widget.Span{Style: t.Strong, Text: " " + what + cardName(s, r.Card, r.Label, max(1, w-2-widget.Width(what)))}),
		widget.Spans(w, widget.Span{Style: t.Text, Text: " " + widget.Truncate(asked, max(1, w-2))}),
	}
}
