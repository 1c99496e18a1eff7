package team_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	people "github.com/cardtop/cardtop/state/team"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/pane/panetest"
	"github.com/cardtop/cardtop/ui/team"
)

// account is one on a hub, as a role, with a request that waits, one that was decided, an
// operation without an outcome and two people.
func account(t *testing.T, name api.Text, role people.Role) *panetest.Account {
	t.Helper()
	a := panetest.New(t)
	a.Wallet.Balance = 1000 * api.Dollar
	a.Cards = []api.CardItem{panetest.Card("card_1", "fb/1", 5*api.Dollar), panetest.Card("card_2", "fb/2", 15*api.Dollar)}
	a.Wait(0)
	a.Apply(state.HubJoined{Meta: a.Meta(), You: people.You{Name: name, Role: role}})
	a.Do(state.WatchTeam{On: true})
	load := func(list people.Part, ev state.TeamLoaded) {
		ev.FetchTeam, ev.Meta = state.FetchTeam{List: list}, a.Meta()
		a.Apply(ev)
	}
	load(people.Requests, state.TeamLoaded{Requests: []people.Request{
		{
			ID: "apr_1", By: "bob", Operation: "fund", Card: "card_1", Amount: 300 * api.Dollar, State: people.Waiting, At: panetest.At(-3 * time.Minute), Until: panetest.At(24 * time.Hour),
			HubFigures: api.HubFigures{CardStatus: api.CardFrozen, CardBefore: new(5 * api.Dollar), CardAfter: new(305 * api.Dollar), WalletBefore: new(1000 * api.Dollar), WalletAfter: new(700 * api.Dollar)},
		},
		{ID: "apr_2", By: "bob", Operation: "issue", Label: "gg/new", Amount: 40 * api.Dollar, State: people.Refused, At: panetest.At(-2 * time.Hour), DecidedBy: "root", DecidedAt: new(panetest.At(-time.Hour))},
	}})
	load(people.Operations, state.TeamLoaded{Operations: []people.Operation{
		{ID: "hub-1", By: "bob", Operation: "withdrawal", Card: "card_2", Amount: 7 * api.Dollar, At: panetest.At(-time.Minute), State: "unsettled", Suggests: "done", Balance: new(8 * api.Dollar)},
	}})
	load(people.People, state.TeamLoaded{People: []people.Person{
		{Name: "lea", Role: "lead", Here: 2, Seen: new(panetest.At(0))}, {Name: "max", Role: "viewer"},
	}})
	return a
}

func open(t *testing.T, a *panetest.Account, w, h int) *panetest.Screen {
	t.Helper()
	return panetest.Open(t, a, team.New(panetest.Theme(t), panetest.Keys()), w, h)
}

func TestTheTeamIsListedWithWhatWaitsFirst(t *testing.T) {
	t.Parallel()
	s := open(t, account(t, "lea", people.Lead), 130, 16)
	s.See("1 Team  1 waiting · 1 without outcome · 1 here", "the card is frozen · card $5.00 → $305.00 · wallet $1,000.00 → $700.00", "bob asked", "enter approves · x refuses")
	panetest.See(t, s.Line("waits"), "bob", "fund", "300.00", "fb/1 ••rd_1", "5.00 → 305.00", "3m")
	panetest.See(t, s.Line("UNCONFIRMED"), "bob", "withdrawal", "7.00", "8.00")
	panetest.See(t, s.Line("refused by root"), "issue", "40.00", "new gg/new", "1h")
	panetest.See(t, s.Line("here, 2 open"), "lea", "lead", "now")
	panetest.See(t, s.Line("away"), "max", "viewer")
	s.Asks(keymap.ApproveRequest, state.ApproveRequest{ID: "apr_1", Amount: 300 * api.Dollar})
	s.Asks(keymap.RefuseRequest, state.RefuseRequest{ID: "apr_1"})
	s.Asks(keymap.Inspect, state.InspectCard{Card: "card_1"})
	s.Act(keymap.Down)
	s.See("card now $8.00 · the figures suggest: done", "s settles")
	s.Asks(keymap.ApproveRequest, state.SettleOperation{ID: "hub-1"})
	s.Asks(keymap.SettleOperation, state.SettleOperation{ID: "hub-1"})
	s.Act(keymap.Last)
	s.Asks(keymap.ApproveRequest, kernel.Say{Text: "no request here: go to one that waits"})
	s.Asks(keymap.SettleOperation, kernel.Say{Text: "no operation here: go to one without outcome"})
	s.See("not there since the hub was started")
	s.Fits()
}

// TestTheCursorIsOnWhatWaitsWhenTheScreenOpens, also when the people were read first.
func TestTheCursorIsOnWhatWaitsWhenTheScreenOpens(t *testing.T) {
	t.Parallel()
	a := account(t, "lea", people.Lead)
	requests := a.Store.Team.Requests()
	load := func(rows []people.Request) {
		a.Apply(state.TeamLoaded{FetchTeam: state.FetchTeam{List: people.Requests}, Meta: a.Meta(), Requests: rows})
	}
	load(nil)
	p := team.New(panetest.Theme(t), panetest.Keys())
	s := panetest.Open(t, a, p, 130, 16)
	load(requests)
	s.Look()
	s.Asks(keymap.RefuseRequest, state.RefuseRequest{ID: "apr_1"})
	s.Act(keymap.Last)
	s.Look()
	s.Asks(keymap.RefuseRequest, kernel.Say{Text: "no request here: go to one that waits"})
	p.Opened()
	s.Look()
	s.Asks(keymap.RefuseRequest, state.RefuseRequest{ID: "apr_1"})
}

// TestOnlyWhatMayBeDoneIsOffered to the row and the role.
func TestOnlyWhatMayBeDoneIsOffered(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name      string
		role      people.Role
		down      int
		withholds string
	}{
		{"lea", people.Lead, 0, " settle-operation "},
		{"lea", people.Lead, 1, " approve-request  refuse-request "},
		{"lea", people.Lead, 2, " approve-request  refuse-request  settle-operation "}, // It was decided.
		{"bob", people.Lead, 0, " approve-request  settle-operation "},                 // Their own.
		{"bob", people.Buyer, 0, " approve-request  refuse-request  settle-operation "},
	} {
		p := team.New(panetest.Theme(t), panetest.Keys())
		s := panetest.Open(t, account(t, api.Text(tt.name), tt.role), p, 130, 16)
		for range tt.down {
			s.Act(keymap.Down)
		}
		if got := p.Withholds(); got != tt.withholds {
			t.Errorf("%s, %s, row %d: %q, want %q", tt.name, tt.role, tt.down, got, tt.withholds)
		}
	}
}

// TestARequestOfSomebodyRemovedSaysSo, which nobody decided.
func TestARequestOfSomebodyRemovedSaysSo(t *testing.T) {
	t.Parallel()
	a := account(t, "lea", people.Lead)
	a.Apply(state.TeamLoaded{FetchTeam: state.FetchTeam{List: people.Requests}, Meta: a.Meta(), Requests: []people.Request{
		{ID: "apr_3", By: "ann", Operation: "fund", Card: "card_1", Amount: 300 * api.Dollar, State: people.Refused, At: panetest.At(-time.Hour), DecidedAt: new(panetest.At(0))},
	}})
	s := open(t, a, 130, 16)
	s.Act(keymap.First)
	for range 4 {
		if !strings.Contains(s.Text(), "who asked was removed") {
			s.Act(keymap.Down)
		}
	}
	s.See("refused: who asked was removed from the team")
}

// TestABuyerSeesTheirOwnAndWhyTheyDoNotDecide in the line of the request.
func TestABuyerSeesTheirOwnAndWhyTheyDoNotDecide(t *testing.T) {
	t.Parallel()
	open(t, account(t, "bob", people.Buyer), 130, 16).See("this needs the role lead: you are buyer")
	open(t, account(t, "bob", people.Lead), 130, 16).See("you asked for it: another lead has to approve it")
}

func TestADecisionUnderWayShowsOnItsRow(t *testing.T) {
	t.Parallel()
	a := account(t, "lea", people.Lead)
	s := open(t, a, 130, 16)
	a.Begin(state.ApproveRequest{ID: "apr_1", Amount: 300 * api.Dollar})
	s.Look()
	panetest.See(t, s.Line("approving…"), "bob", "300.00")
}

func TestAPrivateTeamShowsNoNamesAndAmounts(t *testing.T) {
	t.Parallel()
	a := account(t, "lea", people.Lead)
	s := open(t, a, 130, 16)
	a.Do(kernel.TogglePrivacy{})
	s.Look()
	s.SeeNot("bob", "root", "300.00", "305.00", "gg/new")
	panetest.See(t, panetest.Text(team.Request(panetest.Theme(t), a.Store, "apr_1", 60)), "fund", "3m ago")
}

func TestATeamThatWasNotReadSaysSo(t *testing.T) {
	t.Parallel()
	a := panetest.New(t)
	a.Wait(0)
	a.Silent = true
	a.Apply(state.HubJoined{Meta: a.Meta(), You: people.You{Name: "lea", Role: people.Lead}})
	a.Do(state.WatchTeam{On: true})
	s := open(t, a, 80, 12)
	s.See("loading the team…")
	a.Apply(state.FetchFailed{Meta: a.Meta(), Effect: state.FetchTeam{List: people.People}, Err: errors.New("cut")})
	s.Look()
	s.See("r retries: cut", "not loaded, r retries")
}

// TestACardUnderWayElsewhereSaysWhoOnItsRow in words that fit.
func TestACardUnderWayElsewhereSaysWhoOnItsRow(t *testing.T) {
	t.Parallel()
	a := account(t, "lea", people.Lead)
	lease := people.Lease{Card: "card_1", By: "ann", Operation: "fund", State: "sending"}
	a.Apply(state.TeamLoaded{FetchTeam: state.FetchTeam{List: people.Leases}, Meta: a.Meta(), Leases: []people.Lease{lease}})
	if got := pane.UnderWay(panetest.Theme(t), a.Store, "card_1"); len(got) != 3 || got[0] != "ann: funding…" || got[1] != panetest.Theme(t).Glyphs.Pending+" ann" {
		t.Errorf("%q", got)
	}
	lease.Operation, lease.State = "termination", "asking"
	a.Apply(state.TeamLoaded{FetchTeam: state.FetchTeam{List: people.Leases}, Meta: a.Meta(), Leases: []people.Lease{lease}})
	if got := pane.UnderWay(panetest.Theme(t), a.Store, "card_1"); got[0] != "ann: unconfirmed termination" || got[2] != panetest.Theme(t).Glyphs.Unknown {
		t.Errorf("%q", got)
	}
	if got := pane.UnderWay(panetest.Theme(t), a.Store, "card_2"); got != nil {
		t.Errorf("%q", got)
	}
}
