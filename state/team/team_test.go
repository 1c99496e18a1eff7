package team_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/team"
)

func at(d time.Duration) time.Time {
	return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).Add(d)
}

func as(role team.Role) *team.Table {
	t := &team.Table{}
	t.Join(team.You{Name: "lea", Role: role, Cap: 500 * api.Dollar}, at(0))
	return t
}

func request(id, by, state string, dollars int64) team.Request {
	return team.Request{ID: id, By: api.Text(by), State: api.Text(state), Amount: api.USD(dollars) * api.Dollar, At: at(-time.Minute)}
}

func TestARoleMayWhatLesserOnesMay(t *testing.T) {
	t.Parallel()
	if !team.Lead.May(team.Buyer) || team.Buyer.May(team.Lead) || !team.RoleOf("owner").May(team.Admin) || team.RoleOf("lead") != team.Lead {
		t.Error("roles are not in order")
	}
}

// TestListsAreReadWhenTheyAreDue asks for each once at a time, and for those that are
// only looked at while somebody does.
func TestListsAreReadWhenTheyAreDue(t *testing.T) {
	t.Parallel()
	none := &team.Table{}
	none.Tell(at(0), team.Requests)
	if got := none.Due(at(0)); got != nil {
		t.Errorf("without a hub %v is read", got)
	}
	if got := as(team.Viewer).Due(at(0)); !slices.Equal(got, []team.Part{team.Leases}) {
		t.Errorf("a viewer reads %v", got)
	}
	l := as(team.Lead)
	if got := l.Due(at(0)); !slices.Equal(got, []team.Part{team.Requests, team.Leases}) {
		t.Errorf("a lead reads %v", got)
	}
	l.Tell(at(1), team.Requests, team.People)
	if got := l.Due(at(1)); got != nil {
		t.Errorf("%v is read while it is read", got)
	}
	l.SetRequests(nil, at(2))
	if got := l.Due(at(2)); !slices.Equal(got, []team.Part{team.Requests}) {
		t.Errorf("what was told of meanwhile: %v", got)
	}
	l.SetRequests(nil, at(3))
	l.SetLeases([]team.Lease{{Card: "card_1", By: "ann"}}, at(3))
	if got := l.Due(at(11 * time.Second)); !slices.Equal(got, []team.Part{team.Leases}) {
		t.Errorf("a lease that nobody ends is not read again: %v", got)
	}
	l.Failed(team.Leases, at(12*time.Second), errors.New("cut"))
	if l.Err(team.Leases) == nil || l.ReadAt(team.Leases) != at(3) {
		t.Error("the failure is not known")
	}
	l.Watch(true, at(13*time.Second))
	if got := l.Due(at(13 * time.Second)); !slices.Equal(got, []team.Part{team.People, team.Requests, team.Operations}) {
		t.Errorf("watched: %v", got)
	}
	l.Watch(false, at(14*time.Second))
	l.SetPeople(nil, at(14*time.Second))
	l.SetOperations(nil, at(14*time.Second))
	l.SetLeases(nil, at(14*time.Second))
	l.SetRequests(nil, at(14*time.Second))
	var wakes []time.Time
	l.Wakes(func(at time.Time) { wakes = append(wakes, at) })
	if !slices.Equal(wakes, []time.Time{at(74 * time.Second)}) {
		t.Errorf("nobody looks, and it wakes at %v", wakes)
	}
}

func TestNewsOfRequestsIsWhatTheUserMayDecideAndTheirOwn(t *testing.T) {
	t.Parallel()
	l := as(team.Lead)
	ids := func(rows []team.Request) (out []string) {
		for _, r := range rows {
			out = append(out, r.ID)
		}
		return out
	}
	first := []team.Request{request("a", "ann", team.Waiting, 400), request("b", "ann", team.Waiting, 600), request("c", "lea", team.Waiting, 400), request("d", "lea", team.Approved, 400)}
	n := l.SetRequests(first, at(0))
	if !slices.Equal(ids(n.Asked), []string{"a"}) || n.Ended != nil || l.ToDecide() != 1 {
		t.Errorf("at first %v ended %v", ids(n.Asked), ids(n.Ended))
	}
	second := slices.Clone(first)
	second[0].State, second[2].State, second[2].DecidedBy = team.Refused, team.Approved, "root"
	n = l.SetRequests(append(second, request("e", "bob", team.Waiting, 10)), at(1))
	if !slices.Equal(ids(n.Asked), []string{"e"}) || !slices.Equal(ids(n.Ended), []string{"c"}) {
		t.Errorf("then %v ended %v", ids(n.Asked), ids(n.Ended))
	}
	if got := ids(l.Requests()); !slices.Equal(got[:2], []string{"b", "e"}) {
		t.Errorf("listed %v: what waits is first", got)
	}
	for want, r := range map[string]team.Request{
		"": second[1], "you asked for it: another lead has to approve it": first[2], "it is refused already": second[0],
	} {
		if r.ID == "b" {
			want = "above your cap of $500.00: another lead has to approve it"
		}
		if got := l.WhyNot(nil, r, true); got != want {
			t.Errorf("%s: %q, want %q", r.ID, got, want)
		}
	}
	if l.WhyNot(nil, first[2], false) != "" {
		t.Error("who asked may take it back")
	}
	if got := as(team.Buyer).WhyNot(nil, first[0], true); got != "this needs the role lead: you are buyer" {
		t.Errorf("a buyer: %q", got)
	}
}

func TestALeaseOfTheUserIsNone(t *testing.T) {
	t.Parallel()
	l := as(team.Buyer)
	l.SetLeases([]team.Lease{{Card: "card_1", By: "lea"}, {Card: "card_2", By: "ann", Operation: "fund", State: "sending"}, {Card: "card_3", Operation: "withdrawal", State: "asking"}}, at(0))
	if _, ok := l.Lease("card_1"); ok {
		t.Error("the user's own")
	}
	if got, ok := l.Lease("card_2"); !ok || team.BusyText(nil, got) != "the fund by ann is still under way" {
		t.Errorf("%v %q", ok, team.BusyText(nil, got))
	}
	if got, _ := l.Lease("card_3"); team.BusyText(nil, got) != "the withdrawal by the hub is unconfirmed" {
		t.Errorf("%q", team.BusyText(nil, got))
	}
}
