package state_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
)

func writes() []kernel.Intent {
	return []kernel.Intent{
		state.Freeze(first),
		state.Unfreeze(second),
		state.Fund(first, 25*dollar),
		state.Withdraw(first, 25*dollar),
		issue("fb/new"),
		state.Terminate(first),
		state.Update(first, api.UpdateCardRequest{Label: new("gg")}),
	}
}

func TestADryRunShowsEveryWriteAndSendsNone(t *testing.T) {
	s := known(t)
	if f := one[state.SetDryRun](t, do(t, s, state.ToggleDryRun{})); !f.On || !s.Ops.DryRun() {
		t.Fatalf("%+v", f)
	}
	for _, in := range writes() {
		effects := do(t, s, in)
		none[state.Do](t, effects)
		shown := one[state.ShowRequest](t, effects)
		method, path, body := s.Request(in)
		if w := shown.Write; w.Method != method || w.Path != path || string(w.Body) != body || shown.Key == "" {
			t.Errorf("%T shows %s", in, w)
		}
		if s.Ops.PendingCount() != 0 {
			t.Fatalf("%T is under way", in)
		}
	}
	wantNoUndo(t, s, "nothing to undo")
	// It ends when the engine has heard of it, not before.
	one[state.SetDryRun](t, do(t, s, state.ToggleDryRun{}))
	none[state.Do](t, do(t, s, writes()[0]))
	apply(s, state.DryRunSet{Meta: meta(2 * time.Second), On: false})
	one[state.Do](t, do(t, s, writes()[0]))
	if v := s.Check(state.ToggleDryRun{}); !strings.Contains(v.Reason, "still under way") {
		t.Errorf("a dry run begins while a write is under way: %q", v.Reason)
	}
}

func TestAStartInADryRunResumesNothing(t *testing.T) {
	s := newStore(func(c *settings.Config) { c.DryRun = true })
	s.Resume([]state.Op{{Kind: state.OpFund, Card: first, Key: "old", At: at(0), Tries: 1, Write: &api.Write{}}}, at(0))
	for d := range 10 {
		none[state.Do](t, tick(s, time.Duration(d)*10*time.Second))
	}
	if op, ok := s.Ops.Pending(first); !ok || op.Phase != state.Unsettled || !s.Ops.DryRun() {
		t.Errorf("%+v %v", op, ok)
	}
}

func TestEveryProblemOfARequestIsToldAtItsField(t *testing.T) {
	s := known(t)
	r := issue(strings.Repeat("x", 65)).Request
	r.BIN, r.Amount, r.SpendingLimit, r.AutoFreezeAt = "gone", 0, new(-dollar), new(api.USD(5))
	r.AllowedCategories, r.Metadata = []string{"731"}, keys(21)
	got := make(map[string]string)
	for _, p := range s.Problems(state.Issue(*r)) {
		got[p.Field] = p.Reason
	}
	for field, want := range map[string]string{
		cardcsv.BIN: "not offered", cardcsv.Amount: "at least", cardcsv.Label: "65 characters", cardcsv.Limit: "below 0",
		cardcsv.Categories: "four digits", cardcsv.AutoFreeze: "two decimals", state.FieldMetadata: "21 keys",
	} {
		if !strings.Contains(got[field], want) {
			t.Errorf("%s: %q, want %q", field, got[field], want)
		}
	}
	ok := issue("fb/new")
	ok.Request.AllowedCategories = []string{"7311", "digital_goods", "Gas & fuel"}
	if p := s.Problems(ok); len(p) != 0 {
		t.Errorf("%+v", p)
	}
	for _, bad := range []string{"", "73111", "a;b", strings.Repeat("x", 41)} {
		ok.Request.AllowedCategories = []string{bad}
		if p := s.Problems(ok); len(p) != 1 {
			t.Errorf("%q: %+v", bad, p)
		}
	}
}

func TestMetadataIsCountedWithWhatIsThere(t *testing.T) {
	s := settled(t)
	f := one[state.FetchSummary](t, do(t, s, state.Refresh{Card: first}))
	has := api.Metadata{}
	for k := range keys(19) {
		has[api.Text(k)] = "v"
	}
	apply(s, state.SummaryLoaded{FetchSummary: f, Meta: meta(2 * time.Second), Summary: api.CardSummary{ID: first, Status: api.CardActive, Metadata: has}})
	change := func(m map[string]string) string {
		return s.Check(state.Update(first, api.UpdateCardRequest{Metadata: m})).Reason
	}
	if why := change(map[string]string{"new": "1", "k": "2"}); why != "" {
		t.Errorf("20 keys: %s", why)
	}
	if why := change(map[string]string{"new": "1", "newer": "2"}); !strings.Contains(why, "21 keys") {
		t.Errorf("21 keys: %q", why)
	}
}
