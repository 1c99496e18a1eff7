package state_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	people "github.com/cardtop/cardtop/state/team"
	"github.com/cardtop/cardtop/state/wallets"
	"github.com/cardtop/cardtop/state/webhooks"
)

// onHub is a store whose user is on a hub.
func onHub(t *testing.T, name api.Text, role people.Role) *state.Store {
	t.Helper()
	s := settled(t)
	got := all[state.FetchTeam](apply(s, state.HubJoined{Meta: meta(time.Second), You: people.You{Name: name, Role: role, Cap: 500 * dollar}}))
	if n := len(got); n == 0 || role == people.Viewer && n != 1 {
		t.Fatalf("%s reads %v", role, got)
	}
	for _, f := range got {
		apply(s, state.TeamLoaded{FetchTeam: f, Meta: meta(time.Second)})
	}
	return s
}

// wants is a request for $300 by ann, who waits.
func wants(id string) people.Request {
	return people.Request{
		ID: id, By: "ann", Operation: "fund", Card: first, Label: "fb", Amount: 300 * dollar, At: at(0), Until: at(24 * time.Hour), State: people.Waiting,
		HubFigures: api.HubFigures{CardBefore: new(100 * dollar), CardAfter: new(400 * dollar), WalletBefore: new(1000 * dollar), WalletAfter: new(700 * dollar)},
	}
}

func requests(s *state.Store, d time.Duration, rows ...people.Request) []kernel.Effect {
	apply(s, state.HubTold{Meta: meta(d), Lists: []people.Part{people.Requests}})
	return apply(s, state.TeamLoaded{FetchTeam: state.FetchTeam{List: people.Requests}, Meta: meta(d), Requests: rows})
}

func TestARoleIsToldBeforeAnythingIsSent(t *testing.T) {
	all := []kernel.Intent{
		state.Freeze(first),
		state.Fund(first, 5*dollar),
		secrets.RevealCard{Card: first},
		state.Withdraw(first, dollar),
		state.Terminate(first),
		state.Write{Kind: state.OpIssue},
		state.Writes{Kind: state.BulkFund, Cards: []api.CardID{first}},
		state.Writes{Kind: state.BulkTerminate, Cards: []api.CardID{first}},
		state.CreateWebhook{},
		webhooks.Load{},
		wallets.LoadAddresses{},
		state.ApproveRequest{ID: "a", Amount: dollar},
	}
	for role, may := range map[people.Role]int{people.Viewer: 0, people.Buyer: 4, people.Lead: 9, people.Admin: 12} {
		s, n := onHub(t, "lea", role), 0
		for _, in := range all {
			why := s.Ask(in).Reason
			if !strings.HasPrefix(why, "this needs the role ") {
				n++
				continue
			}
			if !strings.HasSuffix(why, ": you are "+role.String()) {
				t.Errorf("%T: %q", in, why)
			}
			if _, effects, err := s.Dispatch(in); err == nil || effects != nil {
				t.Errorf("%s: %T is sent", role, in)
			}
		}
		if n != may {
			t.Errorf("a %s may use %d of %d keys, want %d", role, n, len(all), may)
		}
	}
}

func TestTheLeaseOfAnotherIsShownAndRefused(t *testing.T) {
	s := onHub(t, "lea", people.Lead)
	apply(s, state.HubTold{Meta: meta(2 * time.Second), Lists: []people.Part{people.Leases}})
	lease := people.Lease{Card: first, By: "ann", Operation: "fund", State: "sending", At: at(0)}
	topics, _ := s.Apply(state.TeamLoaded{FetchTeam: state.FetchTeam{List: people.Leases}, Meta: meta(2 * time.Second), Leases: []people.Lease{lease}})
	if topics&kernel.TopicCards == 0 {
		t.Error("the rows of cards are not drawn anew")
	}
	const why = "fb ••0001: the fund by ann is still under way"
	for _, in := range []kernel.Intent{state.Fund(first, 5*dollar), state.Withdraw(first, 5*dollar), state.Terminate(first)} {
		if got := s.Check(in).Reason; got != why {
			t.Errorf("%T: %q", in, got)
		}
		none[state.Do](t, func() []kernel.Effect { _, e, _ := s.Dispatch(in); return e }())
	}
	for _, in := range []kernel.Intent{state.Freeze(first), state.Fund(second, 5*dollar)} {
		if got := s.Check(in).Reason; got != "" {
			t.Errorf("%T: %q", in, got)
		}
	}
	if got := all[state.FetchTeam](tick(s, 13*time.Second)); !slices.Contains(got, state.FetchTeam{List: people.Leases}) {
		t.Errorf("it is not read again: %v", got)
	}
	apply(s, state.TeamLoaded{FetchTeam: state.FetchTeam{List: people.Leases}, Meta: meta(13 * time.Second)})
	if got := s.Check(state.Terminate(first)).Reason; got != "" {
		t.Errorf("after it: %q", got)
	}
}

// TestAboveTheCapAnOperationWaitsAndIsNotSentAgain: the overlay ends and no form has a
// refusal to show.
func TestAboveTheCapAnOperationWaitsAndIsNotSentAgain(t *testing.T) {
	s := onHub(t, "ann", people.Buyer)
	op := sent(t, s, state.Fund(first, 900*dollar))
	waits := &api.Error{Status: 403, ID: api.HubApprovalRequired, Message: "apr_1 waits"}
	if got := (state.Op{Kind: state.OpFund, Tries: 3}).Outcome(waits); got != api.Refused {
		t.Errorf("told to a later try it is %v: the first answer was lost", got)
	}
	effects := fail(s, 2*time.Second, op, waits)
	if got := s.Notice().Text; got != "waits for a lead: fund $900.00, fb ••0001" {
		t.Errorf("notice %q", got)
	}
	if _, busy := s.Ops.Pending(first); busy {
		t.Error("the overlay stays")
	}
	if _, refused := s.Ops.Refused(op.ID); refused {
		t.Error("it counts as refused")
	}
	if got := one[state.FetchTeam](t, effects); got.List != people.Requests {
		t.Errorf("read %v", got)
	}
	for d := 3 * time.Second; d < 3*time.Minute; d += time.Second {
		none[state.Do](t, tick(s, d))
	}
}

func TestALeadIsToldOfRequestsAndABuyerOfTheirEnd(t *testing.T) {
	lea, ann := onHub(t, "lea", people.Lead), onHub(t, "ann", people.Buyer)
	requests(lea, 2*time.Second, wants("apr_1"))
	if got := lea.Notice().Text; got != "ann asks: fund $300.00, fb ••0001" {
		t.Errorf("lea reads %q", got)
	}
	if n := len(lea.News.Drain()); n != 1 || lea.Team.ToDecide() != 1 {
		t.Errorf("%d news, %d to decide", n, lea.Team.ToDecide())
	}
	requests(ann, 2*time.Second, wants("apr_1"))
	if n := len(ann.News.Drain()); n != 0 {
		t.Errorf("ann has %d news of her own request", n)
	}
	over := wants("apr_1")
	over.State, over.DecidedBy, over.DecidedAt = people.Approved, "lea", new(at(3*time.Second))
	requests(ann, 3*time.Second, over)
	last, n := ann.Lasting()
	if n != 1 || last.Text != "approved by lea: fund $300.00, fb ••0001" || len(ann.News.Drain()) != 1 {
		t.Errorf("ann reads %q, %d", last.Text, n)
	}
}

func TestAnApprovalSendsTheFiguresThatWereShown(t *testing.T) {
	s := onHub(t, "lea", people.Lead)
	requests(s, 2*time.Second, wants("apr_1"))
	in := state.ApproveRequest{ID: "apr_1", Amount: 300 * dollar, Label: "fb"}
	if p, ok := s.Preview(in); !ok || p.CardAfter != 400*dollar || p.WalletAfter != 700*dollar {
		t.Errorf("preview %+v %v", p, ok)
	}
	was, _ := s.Cards.Get(first)
	apply(s, state.CardsKnown{Meta: meta(2 * time.Second), Items: []api.CardItem{item(first, "suspended", was.Balance)}})
	if v := s.Check(in); !strings.Contains(v.Again, "has the unknown status “suspended”") {
		t.Errorf("an unknown status: %+v", v)
	}
	f := one[state.SendDecision](t, do(t, s, in))
	if !f.Approve || *f.Request.WalletAfter != 700*dollar {
		t.Errorf("sent %+v", f)
	}
	if got := s.Check(in).Reason; got != "the hub has not answered yet" {
		t.Errorf("again: %q", got)
	}
	apply(s, state.FetchFailed{Meta: meta(3 * time.Second), Effect: f, Err: &api.Error{Status: 409, ID: api.HubFiguresChanged, Message: "other"}})
	d, _ := s.Team.Decision("apr_1")
	if d.Sending || d.Why != "amount or balances changed: check them and press again" {
		t.Errorf("decision %+v", d)
	}
	if got := all[state.FetchTeam](tick(s, 3*time.Second)); !slices.Contains(got, state.FetchTeam{List: people.Requests}) {
		t.Errorf("not read again: %v", got)
	}
	f = one[state.SendDecision](t, do(t, s, in))
	apply(s, state.FetchFailed{Meta: meta(4 * time.Second), Effect: f, Err: errors.New("cut")})
	if d, _ = s.Team.Decision("apr_1"); !strings.HasPrefix(d.Why, "sent but unconfirmed") {
		t.Errorf("unknown: %+v", d)
	}
	f = one[state.SendDecision](t, do(t, s, in))
	apply(s, state.RequestDecided{SendDecision: f, Meta: meta(5 * time.Second)})
	if got := s.Notice().Text; got != "approved: fund $300.00, fb ••0001, asked by ann" {
		t.Errorf("notice %q", got)
	}
}

func TestWithoutAHubThereIsNoTeam(t *testing.T) {
	s := settled(t)
	if got := s.Ask(state.WatchTeam{On: true}).Reason; !strings.HasPrefix(got, "this account is not on a hub") {
		t.Errorf("%q", got)
	}
	none[state.FetchTeam](t, tick(s, time.Minute))
}

// TestWhatALeadSettlesEndsForWhoAsked: what the hub answers to the key of a fund without an
// outcome ends it as the lead said.
func TestWhatALeadSettlesEndsForWhoAsked(t *testing.T) {
	for id, want := range map[string]struct {
		status state.OpStatus
		level  kernel.Level
	}{
		api.HubSettledDone:    {state.OpStatusResolvedDone, kernel.Good},
		api.HubSettledNotDone: {state.OpStatusResolvedNotDone, kernel.Warn},
	} {
		s := onHub(t, "ann", people.Buyer)
		op := sent(t, s, state.Fund(first, 25*dollar))
		fail(s, 2*time.Second, op, cut())
		op, d := resent(t, s, 2*time.Second, 42*time.Second)
		forget := one[state.Forget](t, fail(s, d, op, &api.Error{Status: 504, ID: id, Message: "lea settled it as told"}))
		if forget.Status != want.status || forget.Why != "lea settled it as told" {
			t.Errorf("recorded as %+v", forget)
		}
		if _, ok := s.Ops.ByID(op.ID); ok {
			t.Error("it still locks its card")
		}
		wantNotice(t, s, want.level, "fund of fb ••0001: lea settled it as told")
	}
}

// outcome answers what the dashboard asks a hub of an operation.
func outcome(t *testing.T, s *state.Store, d time.Duration, effects []kernel.Effect, is, message string) []kernel.Effect {
	t.Helper()
	for _, f := range all[state.FetchTeam](effects) {
		if f.List == people.Outcomes {
			return apply(s, state.TeamLoaded{FetchTeam: f, Meta: meta(d), Outcome: api.HubOutcome{State: api.Text(is), Message: api.Text(message)}})
		}
	}
	t.Fatalf("the hub is not asked: %v", effects)
	return nil
}

// TestWhatTheHubHasIsForALeadToSettle, and what it never had for the user. Nothing is sent
// again whatever it says: only asked.
func TestWhatTheHubHasIsForALeadToSettle(t *testing.T) {
	for word, want := range map[string]state.OpStatus{api.HubDone: state.OpStatusResolvedDone, api.HubNotDone: state.OpStatusResolvedNotDone} {
		s := onHub(t, "ann", people.Buyer)
		op, d, effects := unsettled(t, s, state.Fund(first, 25*dollar))
		ask := func() string { return s.Ask(state.Resolve{Op: op.ID, Happened: true}).Reason }
		var told time.Duration
		tell := func(is, message string) []kernel.Effect {
			told += time.Second
			effects = apply(s, state.HubTold{Meta: meta(d + told), Lists: []people.Part{people.Leases}})
			return outcome(t, s, d+told, effects, is, message)
		}
		none[state.Do](t, outcome(t, s, d, effects, api.HubNone, ""))
		if why := ask(); why != "" {
			t.Errorf("cannot be settled here: %s", why)
		}
		none[state.Do](t, tell(api.HubOpen, ""))
		if why := ask(); !strings.Contains(why, "a lead settles it") {
			t.Errorf("may be settled here: %q", why)
		}
		wantNotice(t, s, kernel.Bad, "fund of fb ••0001 could not be confirmed: a lead settles it")
		// Another dashboard's work on the card is none of it.
		none[state.Do](t, tell(api.HubNone, ""))
		if why := ask(); why != "" {
			t.Errorf("cannot be settled here: %s", why)
		}
		ended := tell(word, "lea settled it")
		none[state.Do](t, ended)
		if f := one[state.Forget](t, ended); f.Status != want || f.Why != "lea settled it" {
			t.Errorf("recorded as %+v", f)
		}
		if _, ok := s.Ops.ByID(op.ID); ok {
			t.Error("it still locks its card")
		}
	}
}

// TestWhatIsToldDuringAnAnswerIsAskedForAgain: a lead may have settled it after the hub
// answered that it has no outcome.
func TestWhatIsToldDuringAnAnswerIsAskedForAgain(t *testing.T) {
	s := onHub(t, "ann", people.Buyer)
	op, d, effects := unsettled(t, s, state.Fund(first, 25*dollar))
	apply(s, state.HubTold{Meta: meta(d), Lists: []people.Part{people.Leases}})
	again := outcome(t, s, d, effects, api.HubOpen, "")
	outcome(t, s, d, again, api.HubDone, "lea settled it")
	if _, ok := s.Ops.ByID(op.ID); ok {
		t.Error("the word of the lead is lost")
	}
}

func TestTheHubIsAskedAgainAfterAFailure(t *testing.T) {
	for _, c := range []struct {
		err   error
		again bool
	}{{cut(), true}, {api.ErrNotFound, false}} {
		s := onHub(t, "ann", people.Buyer)
		_, d, effects := unsettled(t, s, state.Fund(first, 25*dollar))
		asks := func(effects []kernel.Effect) (f state.FetchTeam, ok bool) {
			i := slices.IndexFunc(all[state.FetchTeam](effects), func(f state.FetchTeam) bool { return f.List == people.Outcomes })
			if i < 0 {
				return f, false
			}
			return all[state.FetchTeam](effects)[i], true
		}
		f, ok := asks(effects)
		if !ok {
			t.Fatal("the hub is not asked")
		}
		apply(s, state.FetchFailed{Meta: meta(d), Effect: f, Err: c.err})
		if _, ok := asks(tick(s, d+11*time.Second)); ok != c.again {
			t.Errorf("%v: asked again: %t", c.err, ok)
		}
	}
}

func TestTheHistoryHasWhatBecameOfARequest(t *testing.T) {
	for outcome, want := range map[api.Text]state.Record{
		people.Approved: {Outcome: state.OpStatusApproved, Err: "approved by lea"},
		people.Refused:  {Outcome: state.OpStatusRefused, Err: "refused by lea"},
	} {
		s := onHub(t, "ann", people.Buyer)
		r := wants("apr_1")
		requests(s, 2*time.Second, r)
		r.State, r.DecidedBy = outcome, "lea"
		requests(s, 3*time.Second, r)
		want.Action, want.Card, want.Label, want.Amount, want.Name = "fund", first, "fb", 300*dollar, "fb ••0001"
		if got := one[state.NoteRequest](t, tick(s, 4*time.Second)).Record; got != want {
			t.Errorf("recorded %+v, want %+v", got, want)
		}
	}
}

// TestClaimsOfBeforeAreRead: what others took before the stream was there shows too, and
// not what the user took.
func TestClaimsOfBeforeAreRead(t *testing.T) {
	s := onHub(t, "ann", people.Buyer)
	listed(t, s, 2*time.Second, pendingCode("3ds_1", first, "111111", time.Second), pendingCode("3ds_2", first, "222222", time.Second))
	apply(s, state.HubTold{Meta: meta(2 * time.Second), Open: true, Lists: []people.Part{people.Claims}})
	apply(s, state.TeamLoaded{FetchTeam: state.FetchTeam{List: people.Claims}, Meta: meta(2 * time.Second), Claims: []people.Claim{
		{Challenge: "3ds_1", By: "bob", At: at(time.Second)}, {Challenge: "3ds_2", By: "ann", At: at(time.Second)},
	}})
	got := make(map[api.ChallengeID]api.Text)
	for _, c := range s.Codes.All() {
		got[c.ID] = c.TakenBy
	}
	if got["3ds_1"] != "bob" || got["3ds_2"] != "" {
		t.Errorf("taken by %v", got)
	}
}

// TestTheSameIsAskedForTwiceOnlyOnPurpose: a second request is confirmed twice.
func TestTheSameIsAskedForTwiceOnlyOnPurpose(t *testing.T) {
	s := onHub(t, "ann", people.Buyer)
	fund := state.Fund(first, 300*dollar)
	if why := s.Check(fund).Again; why != "" {
		t.Errorf("the first: %s", why)
	}
	requests(s, 2*time.Second, wants("apr_1"))
	if why := s.Check(fund).Again; why != "you asked for the same before: that waits for a lead" {
		t.Errorf("the second: %q", why)
	}
	fund.Amount++
	if why := s.Check(fund).Again; why != "" {
		t.Errorf("another amount: %s", why)
	}
}
