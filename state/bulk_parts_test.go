package state_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
)

func atMost(n int) func(*settings.Config) {
	return func(c *settings.Config) { c.Guard.MaxBulk = n }
}

func TestFreezingIsNotHeldUpByTheNumberOfCards(t *testing.T) {
	items := cardsOf(1, 2, 3)
	s := with(t, items, atMost(2))
	in := state.Writes{Kind: state.BulkFreeze, Cards: cardIDs(items)}
	p := s.Plan(in)
	if why := s.Check(in).Reason; why != "" || p.Blocked != "" || p.Totals().Cards != 3 || p.Parts != 0 {
		t.Fatalf("%q, %q, %+v", why, p.Blocked, p.Totals())
	}
	l := newTill(t, s)
	b := l.start(p)
	if l.finish(); shown(b) != "DDD" {
		t.Error(shown(b))
	}
}

func TestMoreThanTheGuardrailAllowsGoesInParts(t *testing.T) {
	items := cardsOf(20, 20, 20, 20, 20)
	items[1].Status = api.CardTerminated
	s := with(t, items, atMost(2))
	p := s.Plan(state.Writes{Kind: state.BulkFund, Cards: cardIDs(items), Amount: 10 * dollar})
	if n := p.Totals(); p.Blocked != "" || n.Cards != 2 || n.Later != 2 || n.Out != 1 || n.Sum != 20*dollar || n.LaterSum != 20*dollar || p.Part != 1 || p.Parts != 2 {
		t.Fatalf("%q %+v, part %d of %d", p.Blocked, n, p.Part, p.Parts)
	}
	if p.WalletEnd != 980*dollar || p.Rows[3].Key != "" {
		t.Errorf("wallet ends at %s, a later row has key %q", p.WalletEnd, p.Rows[3].Key)
	}
	l := newTill(t, s)
	b := l.start(p)
	if shown(b) != ">->LL" || s.Bulk.NextPart(b) != 2 {
		t.Errorf("%s", shown(b))
	}
	l.finish()
	if got := shown(b); got != "D-DLL" {
		t.Fatal(got)
	}
	wantNotice(t, s, kernel.Good, "bulk fund: 2 of 2 done; 2 for the next part: J")
	if n := b.Undone(); n != 0 {
		t.Errorf("%d to try again", n)
	}
	if n := s.Bulk.Later(); n != 2 || !s.Busy() {
		t.Errorf("%d rows are for later, and to quit is asked: %t", n, s.Busy())
	}
	next := s.PlanNext(p.ID)
	if n := next.Totals(); n.Cards != 2 || n.Later != 0 || next.Part != 2 || next.Parts != 2 {
		t.Fatalf("%+v, part %d of %d", n, next.Part, next.Parts)
	}
	second := l.start(next)
	l.finish()
	if n := s.Bulk.Later(); n != 0 || s.Busy() {
		t.Errorf("after the last part %d rows are for later, and to quit is asked: %t", n, s.Busy())
	}
	if shown(second) != "DD" || b.Later() != 0 || l.wallet != 960*dollar {
		t.Errorf("%s, %d later, wallet %s", shown(second), b.Later(), l.wallet)
	}
	if again := s.PlanNext(p.ID); again.Blocked == "" {
		t.Error("the next part is planned twice")
	}
	if v := s.Check(state.RunPlan{Plan: next}); v.Reason == "" {
		t.Error("a part is carried out twice")
	}
}

func TestWhatMustNotBeDoneInPartIsNotBegunWithoutMoney(t *testing.T) {
	items := cardsOf(1, 1, 1, 1)
	s := with(t, items, atMost(2)) // 1,000 USD in the wallet.
	ids := cardIDs(items)
	for _, tt := range []struct {
		in   state.Writes
		want string
	}{
		{state.Writes{Kind: state.BulkFund, Cards: ids, Amount: 400 * dollar}, ""},
		{state.Writes{Kind: state.BulkFund, Cards: ids, Share: state.ShareSplit, Amount: 1600 * dollar}, "the wallet is $600.00 short"},
		{state.Writes{Kind: state.BulkFund, Cards: ids, Amount: 600 * dollar}, "the wallet is $200.00 short"},
	} {
		p := s.Plan(tt.in)
		v := s.Check(state.RunPlan{Plan: p})
		if p.Blocked != tt.want || v.Reason != tt.want {
			t.Errorf("%+v: %q, %q", tt.in, p.Blocked, v.Reason)
		}
	}
	// The caps of an hour and a day hold for a sum as a whole as well.
	s = with(t, items, atMost(2), func(c *settings.Config) { c.Guard.MaxDay = 30 * dollar })
	if p := s.Plan(state.Writes{Kind: state.BulkFund, Cards: ids, Share: state.ShareSplit, Amount: 40 * dollar}); !strings.Contains(p.Blocked, "a day used") {
		t.Errorf("%q", p.Blocked)
	}
}

func TestALowerLimitHoldsForAPlanThatIsShown(t *testing.T) {
	items := cardsOf(1, 2, 3)
	s := with(t, items, atMost(3))
	p := s.Plan(state.Writes{Kind: state.BulkFund, Cards: cardIDs(items), Amount: 5 * dollar})
	s.Reload(settings.Reloadable{Guard: guard.Guard{MaxBulk: 2}})
	v := s.Check(state.RunPlan{Plan: p})
	if v.Reason != "guardrail: 3 cards at once, and guardrails.max_bulk allows 2" || !strings.Contains(v.Remedy, "r refreshes") {
		t.Errorf("%+v", v)
	}
}

// TestTheNextPartCallsCardsAsTheFirstDid: those that are to be issued have no card to
// take the name of.
func TestTheNextPartCallsCardsAsTheFirstDid(t *testing.T) {
	s := with(t, cardsOf(1), atMost(1))
	p := s.Plan(state.Writes{Kind: state.BulkIssue, Rows: issues("a", "b")})
	l := newTill(t, s)
	l.start(p)
	l.finish()
	if next := s.PlanNext(p.ID); next.Blocked != "" || len(next.Rows) != 1 || next.Rows[0].Name != p.Rows[1].Name || next.Rows[0].Line != 3 {
		t.Errorf("%q %+v, want %q", next.Blocked, next.Rows, p.Rows[1].Name)
	}
}

// TestAPlanStaysOnDiskUntilItsNextPartIsThere: it is all that has the rows of that, whatever ends the program.
func TestAPlanStaysOnDiskUntilItsNextPartIsThere(t *testing.T) {
	items := cardsOf(20, 20, 20)
	s := with(t, items, atMost(2))
	l := newTill(t, s)
	b := l.start(s.Plan(state.Writes{Kind: state.BulkFund, Cards: cardIDs(items), Amount: 10 * dollar}))
	do(t, s, state.PauseBatch{ID: b.Plan.ID}) // Its last rows are under way.
	if l.finish(); b.Later() != 1 || len(l.dropped) > 0 || l.sends != 2 {
		t.Fatalf("%s: plans %v are dropped", shown(b), l.dropped)
	}
	// The next run finds it.
	found := with(t, items, atMost(2))
	found.Plan(state.Writes{Kind: state.BulkFund, Cards: cardIDs(items), Amount: dollar}) // It has an id of its own.
	statuses := make(map[api.IdempotencyKey]state.OpStatus)
	for key := range l.acted {
		statuses[key] = state.OpStatusDone
	}
	l.now += time.Second
	effects := apply(found, state.PlansFound{Meta: meta(l.now), Left: []state.LeftPlan{{Plan: b.Plan, Statuses: statuses}}})
	none[state.DropPlan](t, effects)
	wantNotice(t, found, kernel.Warn, "bulk fund: 2 of 2 done; 1 for the next part: J")
	// It goes once the next part is on disk.
	for _, run := range []*state.Store{s, found} {
		next := run.PlanNext(b.Plan.ID)
		if next.Totals().Cards != 1 {
			t.Errorf("%+v", next.Totals())
		}
		if drop := one[state.DropPlan](t, do(t, run, state.RunPlan{Plan: next})); drop.ID != b.Plan.ID {
			t.Errorf("%+v", drop)
		}
	}
}

// TestANextPartIsNotForgotten behind plans that came later, which are.
func TestANextPartIsNotForgotten(t *testing.T) {
	const later = 20
	items := cardsOf(slices.Repeat([]api.USD{20}, 3+later)...)
	s := with(t, items, atMost(2))
	l := newTill(t, s)
	l.start(s.Plan(state.Writes{Kind: state.BulkFund, Cards: cardIDs(items)[:3], Amount: 10 * dollar}))
	l.finish()
	for i := range later {
		l.start(s.Plan(state.Writes{Kind: state.BulkFund, Cards: cardIDs(items)[3+i : 4+i], Amount: 10 * dollar}))
		l.finish()
	}
	if n, all := s.Bulk.Later(), len(s.Bulk.All()); n != 1 || all > 10 {
		t.Errorf("%d rows are for later, of %d plans", n, all)
	}
}

// TestWhatIsLeftOfAPlanIsAskedAboutOnce it is over and the user did not stop it: before, the
// next start offers it, and a rule plans anew.
func TestWhatIsLeftOfAPlanIsAskedAboutOnce(t *testing.T) {
	for name, c := range map[string]struct {
		rule string
		stop bool
		want int
	}{"ended": {want: 1}, "of a rule": {rule: "topup"}, "stopped": {stop: true}} {
		items := cardsOf(20, 20, 20)
		s := with(t, items, atMost(2))
		p := s.Plan(state.Writes{Kind: state.BulkFund, Cards: cardIDs(items), Amount: 10 * dollar})
		p.Rule = c.rule
		l := newTill(t, s)
		b := l.start(p)
		if n := s.Bulk.Later(); n != 0 {
			t.Errorf("%s: %d rows are for later while the plan runs", name, n)
		}
		if c.stop {
			do(t, s, state.StopBatch{ID: b.Plan.ID})
		}
		l.finish()
		if n := s.Bulk.Later(); n != c.want || b.Later() != 1 {
			t.Errorf("%s: %d rows are for later, want %d", name, n, c.want)
		}
	}
}
