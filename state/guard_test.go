package state_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
)

func TestCapsOfLabelsHoldInTheStore(t *testing.T) {
	s := settled(t, guarded(guard.Guard{Labels: []guard.LabelCap{{Labels: "fb", MaxDay: 50 * dollar}}})) // Both cards have it.
	op := one[state.Do](t, do(t, s, state.Fund(first, 30*dollar))).Op
	if op.Label != "fb" {
		t.Fatalf("the operation has the label %q", op.Label)
	}
	want := "guardrail for fb: $30.00 of $50.00 a day used; $20.00 left"
	second := state.Fund("card_0002", 21*dollar)
	if got := reason(t, s, second); !strings.Contains(got, want) {
		t.Errorf("while one is under way: %q", got)
	}
	done := record(op.Key, state.OpFund, state.OpStatusDone, -2*time.Second)
	done.Label, done.Amount = "fb", 30*dollar
	apply(s, state.OpDone{Meta: meta(2 * time.Second), Op: op.ID, Record: &done})
	if got := reason(t, s, second); !strings.Contains(got, want) {
		t.Errorf("after it is done: %q", got)
	}
	issue := func(label string) kernel.Intent {
		return state.Issue(api.CreateCardRequest{BIN: "bin_1", Amount: 21 * dollar, Label: label})
	}
	if got := reason(t, s, issue("fb")); !strings.Contains(got, want) {
		t.Errorf("a new card of the label: %q", got)
	}
	if got := s.Check(issue("gg")).Reason; got != "" {
		t.Errorf("a new card of another: %q", got)
	}
	plan := s.Plan(state.Writes{Kind: state.BulkFund, Cards: []api.CardID{first, "card_0002"}, Amount: 15 * dollar})
	if !strings.Contains(plan.Blocked, want) || plan.Remedy == "" {
		t.Errorf("a plan: %q", plan.Blocked)
	}
	// What other dashboards moved counts by its label as well.
	apply(s, state.OperationsAdopted{Meta: meta(3 * time.Second), Moved: []guard.Moved{{Key: "other", At: at(0), Amount: 45 * dollar, Label: "fb"}, {Key: "third", At: at(0), Amount: 45 * dollar, Label: "gg"}}})
	if got := reason(t, s, state.Fund(first, 6*dollar)); !strings.Contains(got, "$45.00 of $50.00") {
		t.Errorf("beside another dashboard: %q", got)
	}
	// A change of the configuration holds at once.
	s.Reload(settings.Reloadable{Guard: guard.Guard{}})
	if got := s.Check(second).Reason; got != "" {
		t.Errorf("without the cap: %q", got)
	}
}

// TestACardWhoseLabelIsNotSaidIsNotFunded where guardrails go by labels: it could have any. A label that was
// said once stays.
func TestACardWhoseLabelIsNotSaidIsNotFunded(t *testing.T) {
	caps := guard.Guard{Labels: []guard.LabelCap{{Labels: "fb", MaxDay: 50 * dollar}}}
	known, unknown := item("card_0001", api.CardActive, 100*dollar), item("card_0009", api.CardActive, 100*dollar)
	known.Label, known.NoLabel = "", true
	unknown.Label, unknown.NoLabel = "", true
	list := func(s *state.Store, seconds int, items ...api.CardItem) {
		for _, e := range tick(s, time.Duration(seconds)*time.Second) {
			if f, ok := e.(state.FetchCards); ok {
				apply(s, state.CardsLoaded{FetchCards: f, Meta: meta(time.Duration(seconds) * time.Second), TotalPages: 1, Total: len(items), Items: items})
			}
		}
	}
	for _, by := range []guard.Guard{caps, {ConfirmLabels: []string{"fb*"}}} {
		s := settled(t, guarded(by))
		list(s, 60, known, unknown)
		fund := func(id api.CardID) string { return s.Check(state.Fund(id, 60*dollar)).Reason }
		if got := fund("card_0009"); !strings.Contains(got, "does not say the label of ••") {
			t.Errorf("%+v: %q", by, got)
		}
		if got := s.Check(state.Withdraw("card_0009", dollar)).Reason; got != "" {
			t.Errorf("what goes back: %q", got)
		}
		if got := card(t, s, "card_0001").Label; got != "fb" {
			t.Errorf("the label that was said is %q", got)
		}
		unknown := item("card_0009", api.CardActive, 100*dollar)
		unknown.Label = "gg"
		list(s, 120, known, unknown)
		if got := fund("card_0009"); got != "" {
			t.Errorf("once it is said: %q", got)
		}
	}
	s := settled(t)
	list(s, 60, known, unknown)
	if got := s.Check(state.Fund("card_0009", dollar)).Reason; got != "" {
		t.Errorf("without guardrails by label: %q", got)
	}
}

func record(key api.IdempotencyKey, kind state.OpKind, outcome state.OpStatus, ago time.Duration) state.Record {
	return state.Record{Key: key, Action: kind.Verb(), Outcome: outcome, At: at(0).Add(-ago), Amount: 10 * dollar}
}

func TestWhatCountsAsMoved(t *testing.T) {
	records := []state.Record{
		record("done", state.OpFund, state.OpStatusDone, time.Hour),
		record("issued", state.OpIssue, state.OpStatusDone, time.Hour),
		record("refused", state.OpFund, state.OpStatusRefused, time.Hour),
		record("not sent", state.OpFund, state.OpStatusNotSent, time.Hour),
		record("unknown", state.OpFund, state.OpStatusUnknown, 2*time.Hour),
		record("settled", state.OpFund, state.OpStatusUnknown, 2*time.Hour),
		record("settled", state.OpFund, state.OpStatusDone, time.Hour),
		record("not done", state.OpFund, state.OpStatusUnknown, time.Hour),
		record("not done", state.OpFund, state.OpStatusResolvedNotDone, time.Minute),
		record("judged", state.OpIssue, state.OpStatusResolvedDone, time.Minute),
		record("dismissed", state.OpFund, state.OpStatusDismissed, time.Minute),
		record("back", state.OpWithdraw, state.OpStatusDone, time.Hour),
		record("ended", state.OpTerminate, state.OpStatusDone, time.Hour),
		record("frozen", state.OpFreeze, state.OpStatusDone, time.Hour),
	}
	open := []state.Op{
		{Key: "open", Kind: state.OpFund, Amount: 5 * dollar, At: at(0)},
		{Key: "done", Kind: state.OpFund, Amount: 5 * dollar, At: at(0)},
		{Key: "coming back", Kind: state.OpWithdraw, Amount: 5 * dollar, At: at(0)},
	}
	var got []string
	sum := api.USD(0)
	for _, m := range state.MovedBy(records, open) {
		got = append(got, string(m.Key)+" "+at(0).Sub(m.At).String())
		sum += m.Amount
	}
	want := "settled 2h0m0s, unknown 2h0m0s, done 1h0m0s, issued 1h0m0s, dismissed 1m0s, judged 1m0s, open 0s"
	if strings.Join(got, ", ") != want || sum != 65*dollar {
		t.Errorf("%s: $%s", strings.Join(got, ", "), sum)
	}
}

// TestWhatIsLargerCounts, of what was asked for and what the answer says, for guardrails and
// rules. Records of earlier versions have one figure.
func TestWhatIsLargerCounts(t *testing.T) {
	for _, tt := range []struct{ asked, answered, want api.USD }{
		{60, 0, 60}, {60, 1, 60}, {60, -60, 60}, {60, 70, 70}, {0, 60, 60}, {0, -60, 0},
	} {
		r := record("a", state.OpFund, state.OpStatusDone, time.Hour)
		r.Asked, r.Amount, r.Rule = tt.asked*dollar, tt.answered*dollar, "top up"
		if got := state.MovedBy([]state.Record{r}, nil); len(got) != 1 || got[0].Amount != tt.want*dollar {
			t.Errorf("%+v: guardrails count %v", tt, got)
		}
		if got := state.DoneByRules([]state.Record{r}, nil); len(got) != 1 || got[0].Amount != tt.want*dollar {
			t.Errorf("%+v: rules count %v", tt, got)
		}
	}
}

func guarded(g guard.Guard) func(*settings.Config) { return func(c *settings.Config) { c.Guard = g } }

// reason is why a store would not do something; dispatching it agrees.
func reason(t *testing.T, s *state.Store, in kernel.Intent) string {
	t.Helper()
	v := s.Check(in)
	if v.Reason == "" {
		return ""
	}
	if _, effects, err := s.Dispatch(in); err == nil || err.Error() != v.Reason || len(effects) > 0 {
		t.Errorf("%T is checked as %q and dispatched: %v", in, v.Reason, err)
	}
	return v.Reason
}

func TestGuardrailsHoldInTheStore(t *testing.T) {
	s := settled(t, guarded(guard.Guard{MaxOperation: 60 * dollar, MaxDay: 100 * dollar}))
	for want, in := range map[string]kernel.Intent{
		"at most $60.00": state.Fund(first, 61*dollar),
		"in one":         state.Issue(api.CreateCardRequest{BIN: "bin_1", Amount: 61 * dollar}),
	} {
		if got := reason(t, s, in); !strings.Contains(got, want) {
			t.Errorf("%T: %q", in, got)
		}
	}
	if got := reason(t, s, state.Withdraw(first, 90*dollar)); got != "" {
		t.Errorf("what goes back is held up: %q", got)
	}
	// Under way counts, refused does not, done does.
	op := one[state.Do](t, do(t, s, state.Fund(first, 60*dollar))).Op
	next := state.Issue(api.CreateCardRequest{BIN: "bin_1", Amount: 41 * dollar})
	if got := reason(t, s, next); !strings.Contains(got, "$60.00 of $100.00 a day used; $40.00 left until") {
		t.Errorf("while one is under way: %q", got)
	}
	fail := record(op.Key, state.OpFund, state.OpStatusRefused, -2*time.Second)
	apply(s, state.OpFailed{Meta: meta(2 * time.Second), Op: op.ID, Err: refused(), Record: &fail})
	if got := reason(t, s, next); got != "" {
		t.Errorf("after a refusal: %q", got)
	}
	op = one[state.Do](t, do(t, s, state.Fund(first, 60*dollar))).Op
	done := record(op.Key, state.OpFund, state.OpStatusDone, -3*time.Second)
	done.Amount = 60 * dollar
	apply(s, state.OpDone{Meta: meta(3 * time.Second), Op: op.ID, Record: &done})
	if got := reason(t, s, next); !strings.Contains(got, "$40.00 left") {
		t.Errorf("after it is done: %q", got)
	}
	// A day later there is room again.
	tick(s, 25*time.Hour)
	if got := reason(t, s, next); got != "" {
		t.Errorf("a day later: %q", got)
	}
}

func TestWhatOtherDashboardsMovedCounts(t *testing.T) {
	s := settled(t, guarded(guard.Guard{MaxDay: 100 * dollar}))
	op := one[state.Do](t, do(t, s, state.Fund(first, 10*dollar))).Op
	done := record(op.Key, state.OpFund, state.OpStatusDone, -2*time.Second)
	apply(s, state.OpDone{Meta: meta(2 * time.Second), Op: op.ID, Record: &done})
	hear := func(d time.Duration, moved ...guard.Moved) {
		apply(s, state.OperationsAdopted{Meta: meta(d), Moved: moved})
	}
	want := func(when, left string) {
		t.Helper()
		if got := reason(t, s, state.Fund(first, 99*dollar)); left == "" && got != "" || !strings.Contains(got, left) {
			t.Errorf("%s: %q, want %s", when, got, left)
		}
	}
	want("alone", "$90.00 left")
	hear(time.Second, guard.Moved{Key: "other", At: at(0), Amount: 40 * dollar})
	want("told before its own was done", "$50.00 left")
	hear(5*time.Second, guard.Moved{Key: "other", At: at(0), Amount: 40 * dollar}, guard.Moved{Key: op.Key, At: at(0), Amount: 10 * dollar})
	want("told of its own as well", "$50.00 left")
	hear(35*time.Second, guard.Moved{Key: op.Key, At: at(0), Amount: 10 * dollar})
	want("the other's was refused", "$90.00 left")
	hear(36 * time.Second)
	want("its own was judged elsewhere", "")
}

func TestWhatIsConfirmedTwice(t *testing.T) {
	labels := guarded(guard.Guard{ConfirmLabels: []string{"gg/*", "FB"}})
	live := guarded(guard.Guard{Live: true, TypeTwice: 50 * dollar})
	fund := func(amount api.USD) kernel.Intent { return state.Fund(first, amount) }
	issue := func(label string) kernel.Intent {
		return state.Issue(api.CreateCardRequest{BIN: "bin_1", Amount: 5 * dollar, Label: label})
	}
	for _, tt := range []struct {
		name   string
		config func(*settings.Config)
		in     kernel.Intent
		again  string
		twice  bool
	}{
		{"nothing is set", guarded(guard.Guard{}), fund(500 * dollar), "", false},
		{"money on the label", labels, fund(dollar), "the label matches “FB”", false},
		{"an end on the label", labels, state.Terminate(first), "the label matches “FB”", false},
		{"a freeze on the label", labels, state.Freeze(first), "", false},
		{"a new card of a pattern", labels, issue("GG/brand/7"), "the label matches “gg/*”", false},
		{"a new card of none", labels, issue("gg"), "", false},
		{"live and large", live, fund(50 * dollar), "LIVE: amounts from $50.00 on are typed twice", true},
		{"live and small", live, fund(50*dollar - api.Cent), "", false},
		{"live, back to the wallet", live, state.Withdraw(first, 60*dollar), "LIVE", true},
		{"a test key", guarded(guard.Guard{TypeTwice: 50 * dollar}), fund(60 * dollar), "", false},
		{"always", guarded(guard.Guard{Live: true}), fund(dollar), "amounts from $0.00 on", true},
		{"both", guarded(guard.Guard{Live: true, ConfirmLabels: []string{"*"}}), fund(dollar), "the guardrails confirm twice; LIVE", true},
		{"refused anyway", live, fund(5001 * dollar), "", false},
		{"frozen", guarded(guard.Guard{}), state.Fund("card_0002", dollar), "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := settled(t, tt.config).Check(tt.in)
			if v.TypeTwice != tt.twice || !strings.Contains(v.Again, tt.again) || (tt.again == "") != (v.Again == "") {
				t.Errorf("%+v", v)
			}
		})
	}
}

// TestACardOfUnknownStatusTakesAWordMore: money on it and its end are confirmed twice, and
// plans and rules leave it out.
func TestACardOfUnknownStatusTakesAWordMore(t *testing.T) {
	s := settled(t)
	apply(s, state.CardsKnown{Meta: meta(2 * time.Second), Items: []api.CardItem{item(first, "ACTIVE", 100*dollar)}})
	want := "fb ••0001 has the unknown status “ACTIVE”"
	for _, in := range []kernel.Intent{
		state.Fund(first, dollar), state.Withdraw(first, dollar), state.Terminate(first),
	} {
		if v := s.Check(in); !strings.Contains(v.Again, want) || !strings.Contains(v.UnknownStatus, want) {
			t.Errorf("%T: %+v", in, v)
		}
	}
	for _, in := range []kernel.Intent{state.Freeze(first), state.Fund("card_0002", dollar)} {
		if v := s.Check(in); v.Again != "" || v.UnknownStatus != "" || v.Reason != "" {
			t.Errorf("%T: %+v", in, v)
		}
	}
	both := []api.CardID{first, "card_0002"}
	for _, in := range []state.Writes{
		{Kind: state.BulkFund, Cards: both, Amount: dollar},
		{Kind: state.BulkFund, Cards: both, Amount: 120 * dollar, Share: state.ShareLevel},
		{Kind: state.BulkFund, Cards: both, Amount: 10 * dollar, Share: state.ShareSplit},
		{Kind: state.BulkWithdraw, Cards: both, Amount: dollar},
		{Kind: state.BulkWithdraw, Cards: both, Share: state.ShareAll},
		{Kind: state.BulkTerminate, Cards: both},
	} {
		p := s.Plan(in)
		if !strings.Contains(p.Rows[0].Out, "unknown status “ACTIVE”") || !p.Rows[1].Runs() {
			t.Errorf("%T: %+v", in, p.Rows)
		}
	}
	if p := s.Plan(state.Writes{Kind: state.BulkFreeze, Cards: both}); !p.Rows[0].Runs() {
		t.Errorf("a freeze is left out: %+v", p.Rows)
	}
}
