// Package team is the pane of the team on a hub: what waits for a lead, what has no
// outcome, and who is there. It takes the place of the card list.
package team

import (
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/display"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/team"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// row is one of the three kinds: the others are nil.
type row struct {
	request   *team.Request
	operation *team.Operation
	person    *team.Person
}

// key identifies a row.
func (r row) key() string {
	switch {
	case r.request != nil:
		return "request " + r.request.ID
	case r.operation != nil:
		return "operation " + string(r.operation.ID)
	default:
		return "person " + string(r.person.Name)
	}
}

// card is the card of a row; empty for none.
func (r row) card() api.CardID {
	switch {
	case r.request != nil:
		return r.request.Card
	case r.operation != nil:
		return r.operation.Card
	default:
		return ""
	}
}

// Pane lists what waits, then what has no outcome, what was decided, and the people.
type Pane struct {
	pane.List[row, string]
	keys *keymap.Map
	// used is set once the user did something on the screen since it was opened.
	used bool
}

var _ pane.Pane = (*Pane)(nil)

// New makes an empty pane.
func New(t *theme.Theme, keys *keymap.Map) *Pane {
	p := &Pane{keys: keys}
	p.List = pane.NewList(t, pane.ListConfig[row, string]{
		Name: lang.N("Team"), Columns: columns(), Key: row.key,
		List: p.all, Frame: p.frame, Empty: p.empty, Row: p.row, Detail: p.detail, MostDetail: 3,
	})
	return p
}

func (p *Pane) all() []row {
	var waits, ended, out []row
	for _, r := range p.Store.Team.Requests() {
		if r.Waits() {
			waits = append(waits, row{request: &r})
		} else {
			ended = append(ended, row{request: &r})
		}
	}
	out = waits
	for _, o := range p.Store.Team.Operations() {
		out = append(out, row{operation: &o})
	}
	out = append(out, ended...)
	for _, who := range p.Store.Team.People() {
		out = append(out, row{person: &who})
	}
	return out
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.Team }

// Reads returns the parts of the store that the pane shows.
func (p *Pane) Reads() kernel.Topic { return kernel.TopicTeam | kernel.TopicCards | kernel.TopicClock }

// Sync reads the store again.
func (p *Pane) Sync(s *state.Store, _ kernel.Topic) {
	p.Update(s)
	// The lists come one after the other: until the user does something, the cursor is on the
	// first request that waits.
	if rows := p.Rows(); !p.used && len(rows) > 0 && rows[0].request != nil && rows[0].request.Waits() {
		p.Choose(rows[0].key())
	}
}

// Opened has the cursor go to the first request that waits.
func (p *Pane) Opened() { p.used = false }

// Click puts the cursor on a row.
func (p *Pane) Click(x, y int) []kernel.Intent {
	p.used = true
	return p.List.Click(x, y)
}

// Withholds are the keys that do nothing for the row or for the user's role.
func (p *Pane) Withholds() string {
	if p.Store == nil {
		return ""
	}
	r, _ := p.Picked()
	out := ""
	for _, is := range []struct {
		action keymap.Action
		may    bool
	}{
		{keymap.ApproveRequest, r.request != nil && p.Store.Team.WhyNot(nil, *r.request, true) == ""},
		{keymap.RefuseRequest, r.request != nil && p.Store.Team.WhyNot(nil, *r.request, false) == ""},
		{keymap.SettleOperation, r.operation != nil && p.Store.Team.May(team.Lead)},
	} {
		if !is.may {
			out += " " + string(is.action) + " "
		}
	}
	return out
}

// Act moves the cursor, or asks for a request to be decided or an operation to be settled.
func (p *Pane) Act(a keymap.Action) []kernel.Intent {
	p.used = true
	if p.Moves(a) || p.Store == nil {
		return nil
	}
	r, ok := p.Picked()
	switch {
	case a == keymap.Reload:
		return []kernel.Intent{state.WatchTeam{On: true}}
	case !ok:
		return nil
	case a == keymap.Inspect && r.card() == "":
		return []kernel.Intent{kernel.Say{Text: p.Theme.Words.T("no card here: go to a request or an operation")}}
	case a == keymap.Inspect:
		return []kernel.Intent{state.InspectCard{Card: r.card()}}
	case r.operation != nil && (a == keymap.SettleOperation || a == keymap.ApproveRequest):
		return []kernel.Intent{state.SettleOperation{ID: r.operation.ID}}
	case a == keymap.SettleOperation:
		return []kernel.Intent{kernel.Say{Text: p.Theme.Words.T("no operation here: go to one without outcome")}}
	case a != keymap.ApproveRequest && a != keymap.RefuseRequest:
		return nil
	case r.request == nil:
		return []kernel.Intent{kernel.Say{Text: p.Theme.Words.T("no request here: go to one that waits")}}
	case a == keymap.RefuseRequest:
		return []kernel.Intent{state.RefuseRequest{ID: r.request.ID}}
	}
	return []kernel.Intent{state.ApproveRequest{ID: r.request.ID, Amount: r.request.Amount, Label: string(r.request.Label)}}
}

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
