// Package team is the pane of the team on a hub: what waits for a lead, what has no
// outcome, and who is there. It takes the place of the card list.
package team

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/team"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
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
