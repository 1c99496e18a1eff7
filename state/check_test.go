package state_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
)

func TestCheckOfAnAmount(t *testing.T) {
	fund := func(amount api.USD) kernel.Intent { return state.Fund("card_0001", amount) }
	withdraw := func(amount api.USD) kernel.Intent { return state.Withdraw("card_0001", amount) }
	for _, tt := range []struct {
		name   string
		in     kernel.Intent
		reason string
	}{
		{"lowest", fund(dollar), ""},
		{"below the lowest", fund(dollar - api.Cent), "at least $1.00"},
		{"above the wallet", fund(1000*dollar + api.Cent), "the wallet is $0.01 short"},
		{"the whole wallet", fund(1000 * dollar), ""},
		{"above the highest", fund(5000*dollar + api.Cent), "at most $5,000.00"},
		{"three decimals", fund(dollar + api.Cent/10), "two decimals"},
		{"negative", fund(-5 * dollar), "more than 0"},
		{"not typed yet", fund(0), ""},
		{"withdraw a cent", withdraw(api.Cent), ""},
		{"withdraw all", withdraw(100 * dollar), ""},
		{"withdraw too much", withdraw(100*dollar + api.Cent), "the card is $0.01 short"},
		{"withdraw three decimals", withdraw(api.Cent / 10), "two decimals"},
		{"withdraw negative", withdraw(-dollar), "more than 0"},
		{"withdraw far too much", withdraw(1_000_000_000 * dollar), "short"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := settled(t)
			v := s.Check(tt.in)
			if tt.reason == "" && v.Reason != "" || !strings.Contains(v.Reason, tt.reason) {
				t.Errorf("reason %q, want %q", v.Reason, tt.reason)
			}
			if v.Danger != kernel.Money {
				t.Errorf("danger %d", v.Danger)
			}
			_, effects, err := s.Dispatch(tt.in)
			if wantErr := tt.reason != "" || tt.name == "not typed yet"; (err != nil) != wantErr || wantErr && len(effects) != 0 {
				t.Errorf("dispatch: %v, %v", effects, err)
			}
		})
	}
}

func TestPreview(t *testing.T) {
	s := settled(t)
	for _, tt := range []struct {
		in   kernel.Intent
		want state.Preview
		ok   bool
	}{
		{state.Fund("card_0001", 30*dollar), state.Preview{CardBefore: 100 * dollar, CardAfter: 130 * dollar, WalletBefore: 1000 * dollar, WalletAfter: 970 * dollar}, true},
		{state.Withdraw("card_0002", 20*dollar), state.Preview{CardBefore: 50 * dollar, CardAfter: 30 * dollar, WalletBefore: 1000 * dollar, WalletAfter: 1020 * dollar}, true},
		{state.Fund("card_9999", dollar), state.Preview{}, false},
		{state.Freeze("card_0001"), state.Preview{}, false},
	} {
		if p, ok := s.Preview(tt.in); p != tt.want || ok != tt.ok {
			t.Errorf("%+v: %+v %v", tt.in, p, ok)
		}
	}
}

func TestWhatCannotBeDoneSaysWhy(t *testing.T) {
	terminated := func(t *testing.T, s *state.Store) {
		t.Helper()
		hot, _ := pages(t, tick(s, 11*time.Second))
		apply(s, state.CardsLoaded{FetchCards: hot, Meta: meta(11 * time.Second), Items: []api.CardItem{item("card_0001", api.CardTerminated, 0)}})
	}
	busy := func(t *testing.T, s *state.Store) {
		t.Helper()
		do(t, s, state.Freeze("card_0001"))
	}
	unsure := func(t *testing.T, s *state.Store) {
		t.Helper()
		op := one[state.Do](t, do(t, s, state.Freeze("card_0001"))).Op
		apply(s, state.OpFailed{Meta: meta(2 * time.Second), Op: op.ID, Err: cut()})
	}
	for _, tt := range []struct {
		name    string
		prepare func(*testing.T, *state.Store)
		in      kernel.Intent
		reason  string
	}{
		{"unknown card", nil, state.Freeze("card_9999"), "no card"},
		{"unknown card's details", nil, secrets.RevealCard{}, "no card"},
		{"terminated", terminated, state.Unfreeze("card_0001"), "fb ••0001 is terminated"},
		{"terminated funds", terminated, state.Fund("card_0001", dollar), "terminated"},
		{"terminated details", terminated, secrets.CopyNext{Card: "card_0001"}, "terminated"},
		{"busy", busy, state.Fund("card_0001", dollar), "the freeze is still under way"},
		{"busy twice", busy, state.Freeze("card_0001"), "still under way"},
		{"unconfirmed", unsure, state.Unfreeze("card_0001"), "the freeze before is unconfirmed"},
		{"another card", busy, state.Unfreeze("card_0002"), ""},
		{"no code", nil, secrets.CopyCode{}, "no code"},
		{"nothing to look at", nil, state.Examine{Card: "card_0001"}, "nothing is unconfirmed"},
		{"nothing to judge", nil, state.Resolve{Op: 7}, "answered meanwhile"},
		{"not to judge yet", unsure, state.Resolve{Op: 1}, "still being asked for"},
		{"inspect", nil, state.InspectCard{Card: "card_0001"}, ""},
		{"hide", nil, secrets.Hide{}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := settled(t)
			if tt.prepare != nil {
				tt.prepare(t, s)
			}
			count := s.Ops.PendingCount()
			v := s.Check(tt.in)
			if tt.reason == "" && v.Reason != "" || !strings.Contains(v.Reason, tt.reason) {
				t.Fatalf("reason %q, want %q", v.Reason, tt.reason)
			}
			_, effects, err := s.Dispatch(tt.in)
			if (err != nil) != (tt.reason != "") {
				t.Errorf("dispatch: %v", err)
			}
			if err != nil && (len(effects) != 0 || s.Ops.PendingCount() != count) {
				t.Errorf("refused, but %v", effects)
			}
		})
	}
}

func TestReadOnlyRefusesEveryWrite(t *testing.T) {
	s := settled(t, readOnly)
	for _, in := range []kernel.Intent{
		state.Freeze("card_0001"),
		state.Unfreeze("card_0002"),
		state.Fund("card_0001", dollar),
		state.Withdraw("card_0001", dollar),
	} {
		if v := s.Check(in); !strings.Contains(v.Reason, "read-only") {
			t.Errorf("%T: %q", in, v.Reason)
		}
		if _, effects, err := s.Dispatch(in); err == nil || len(effects) != 0 {
			t.Errorf("%T: %v %v", in, effects, err)
		}
	}
	if !s.ReadOnly() {
		t.Error("it does not say so")
	}
	do(t, s, secrets.RevealCard{Card: "card_0001"})
}
