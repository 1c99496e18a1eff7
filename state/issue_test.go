package state_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/kernel"
)

func issue(label string) state.Write {
	return state.Issue(api.CreateCardRequest{BIN: "bin_1", Amount: 25 * dollar, Label: label})
}

// known gives a store that has read its BINs.
func known(t *testing.T) *state.Store {
	t.Helper()
	s := settled(t)
	one[bins.Fetch](t, do(t, s, bins.Load{}))
	none[bins.Fetch](t, do(t, s, bins.Load{})) // One at a time.
	apply(s, bins.Loaded{Meta: meta(time.Second), Items: []api.BIN{{ID: "bin_1", MaxMonthly: new(1000 * dollar)}}})
	return s
}

func TestBINsAreReadAgainAfterTenMinutes(t *testing.T) {
	s := known(t)
	none[bins.Fetch](t, do(t, s, bins.Load{}))
	tick(s, 11*time.Minute)
	f := one[bins.Fetch](t, do(t, s, bins.Load{}))
	apply(s, state.FetchFailed{Meta: meta(11 * time.Minute), Effect: f, Err: unreachable()})
	rows, ok, err := s.BINs.All()
	if len(rows) != 1 || !ok || err == nil {
		t.Errorf("%d BINs, %v, %v", len(rows), ok, err)
	}
	one[bins.Fetch](t, do(t, s, bins.Load{}))
}

func TestWhatCannotBeIssuedSaysWhy(t *testing.T) {
	long := strings.Repeat("я", 65)
	for want, change := range map[string]func(*api.CreateCardRequest){
		"choose a BIN":                func(r *api.CreateCardRequest) { r.BIN = "" },
		"BIN bin_gone is not offered": func(r *api.CreateCardRequest) { r.BIN = "bin_gone" },
		"at least $1.00":              func(r *api.CreateCardRequest) { r.Amount = 0 },
		"at most $5,000.00":           func(r *api.CreateCardRequest) { r.Amount = 5001 * dollar },
		"at most two decimals":        func(r *api.CreateCardRequest) { r.Amount = dollar + 1 },
		"the wallet is $1.00":         func(r *api.CreateCardRequest) { r.Amount = 1001 * dollar },
		"has 65 characters":           func(r *api.CreateCardRequest) { r.Label = long },
		"control character":           func(r *api.CreateCardRequest) { r.Label = "a\x1b[2J" },
		"above the BIN's":             func(r *api.CreateCardRequest) { r.SpendingLimit = new(1001 * dollar) },
		"metadata has 21 keys":        func(r *api.CreateCardRequest) { r.Metadata = keys(21) },
		"freeze is below 0":           func(r *api.CreateCardRequest) { r.AutoFreezeAt = new(-dollar) },
	} {
		in := issue("fb/1")
		change(in.Request)
		s := known(t)
		if v := s.Check(in); !strings.Contains(v.Reason, want) {
			t.Errorf("%q, want %q", v.Reason, want)
		}
		if _, _, err := s.Dispatch(in); err == nil {
			t.Errorf("%s: dispatched", want)
		}
	}
}

func keys(n int) map[string]string {
	m := make(map[string]string)
	for i := range n {
		m[strings.Repeat("k", i+1)] = "v"
	}
	return m
}

func TestACardIsIssued(t *testing.T) {
	s := known(t)
	in := issue("fb/new")
	if p, ok := s.Preview(in); !ok || p.WalletAfter != p.WalletBefore-25*dollar || p.CardAfter != 25*dollar {
		t.Errorf("preview %+v %v", p, ok)
	}
	if m, path, body := s.Request(in); m != "POST" || path != "/cards" || body != `{"bin_id":"bin_1","amount":25,"label":"fb/new"}` {
		t.Errorf("%s %s %s", m, path, body)
	}
	op := sent(t, s, in)
	if op.Kind != state.OpIssue || op.Card != "" || op.Amount != 25*dollar {
		t.Errorf("%+v", op)
	}
	if v := s.Check(in); !strings.Contains(v.Reason, "still under way") {
		t.Errorf("the same again: %q", v.Reason)
	}
	if v := s.Check(issue("fb/other")); v.Reason != "" {
		t.Errorf("another: %q", v.Reason)
	}
	made := api.Card{ID: "card_9", BIN: "bin_1", Label: "fb/new", Last4: "0009", Status: api.CardActive, Balance: 25 * dollar, AutoFreezeAt: new(5 * dollar)}
	apply(s, state.OpDone{Meta: meta(2 * time.Second), Op: op.ID, Card: "card_9", Status: api.CardActive, CardBalance: new(25 * dollar), Returned: &made})
	if c := card(t, s, "card_9"); c.Label != "fb/new" || c.Balance != 25*dollar {
		t.Errorf("%+v", c)
	}
	if got, ok := s.Info.Written("card_9"); !ok || *got.AutoFreezeAt != 5*dollar {
		t.Errorf("settings %+v %v", got, ok)
	}
	if !strings.Contains(s.Notice().Text, "fb/new ••0009 is issued with $25.00") {
		t.Error(s.Notice().Text)
	}
}

func TestOnlyWhatChangedIsSent(t *testing.T) {
	s := known(t)
	in := state.Update(first, api.UpdateCardRequest{Label: new("gg/2"), AutoFreezeAt: new(api.USD(0))})
	if _, _, body := s.Request(in); body != `{"label":"gg/2","auto_freeze_at":0}` {
		t.Error(body)
	}
	if v := s.Check(in); v.Reason != "" || v.Danger != kernel.Reversible {
		t.Errorf("%+v", v)
	}
	if v := s.Check(state.Write{Kind: state.OpUpdate, Card: first}); v.Reason == "" {
		t.Error("a change of nothing is sent")
	}
	op := sent(t, s, in)
	back := api.Card{ID: first, Label: "gg/2", Last4: "0001", Status: api.CardActive, Balance: 100 * dollar}
	apply(s, state.OpDone{Meta: meta(2 * time.Second), Op: op.ID, Card: first, Status: api.CardActive, CardBalance: new(100 * dollar), Returned: &back})
	if c := card(t, s, first); c.Label != "gg/2" {
		t.Errorf("%+v", c)
	}
}

func TestTerminateShowsTheRefund(t *testing.T) {
	s := settled(t)
	in := state.Terminate(first)
	if v := s.Check(in); v.Danger != kernel.Permanent || v.Reason != "" {
		t.Errorf("%+v", v)
	}
	if p, ok := s.Preview(in); !ok || p.CardAfter != 0 || p.WalletAfter != p.WalletBefore+100*dollar {
		t.Errorf("%+v", p)
	}
	op := sent(t, s, in)
	apply(s, state.OpDone{Meta: meta(2 * time.Second), Op: op.ID, Card: first, Status: api.CardTerminated, Moved: new(90 * dollar)})
	if c := card(t, s, first); c.Status != api.CardTerminated {
		t.Errorf("%+v", c)
	}
	if text := s.Notice().Text; !strings.Contains(text, "$90.00 went back to the wallet") || !strings.Contains(text, "but the card held $100.00") {
		t.Error(text)
	}
	if v := s.Check(in); !strings.Contains(v.Reason, "is terminated") {
		t.Errorf("again: %+v", v)
	}
}
