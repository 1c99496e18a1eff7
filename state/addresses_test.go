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
	"github.com/cardtop/cardtop/state/wallets"
)

// whereTo answers what the store asks for about addresses: the API's are
// given, and what was seen before.
func whereTo(t *testing.T, s *state.Store, btc api.Text, seen []wallets.Pin, pinsErr error) []kernel.Effect {
	t.Helper()
	_, effects, err := s.Dispatch(wallets.LoadAddresses{})
	if err != nil {
		t.Fatal(err)
	}
	var out []kernel.Effect
	for _, e := range effects {
		switch e := e.(type) {
		case wallets.FetchAddresses:
			_, more := s.Apply(wallets.AddressesLoaded{FetchAddresses: e, Meta: meta(time.Second), Addresses: api.DepositAddresses{
				Addresses:  map[api.Currency]api.Text{"btc": btc, "sol": "So1", "eth": ""},
				Networks:   map[api.Currency]api.Text{"btc": "bitcoin", "sol": "solana"},
				MinDeposit: map[api.Currency]api.Crypto{"btc": "0.0001"},
			}})
			out = append(out, more...)
		case wallets.FetchPins:
			_, more := s.Apply(wallets.PinsLoaded{Meta: meta(time.Second), Pins: seen, Err: pinsErr})
			out = append(out, more...)
		default:
		}
	}
	return out
}

func address(t *testing.T, s *state.Store, c api.Currency) wallets.Address {
	t.Helper()
	a, ok := s.Wallets.Address(c)
	if !ok {
		t.Fatalf("no address of %s", c)
	}
	return a
}

func TestAddressesAreKeptWhenTheyAreFirstSeen(t *testing.T) {
	s := newStore()
	s.Tick(at(0))
	effects := whereTo(t, s, "bc1a", nil, nil)
	if a := address(t, s, "btc"); a.Trust != wallets.TrustNew || a.Address != "bc1a" || a.Network != "bitcoin" || a.Min != "0.0001" {
		t.Errorf("address %+v", a)
	}
	if _, ok := s.Wallets.Address("eth"); ok {
		t.Error("a currency without an address has one")
	}
	if len(effects) != 1 {
		t.Fatalf("effects %+v", effects)
	}
	keep, ok := effects[0].(wallets.SavePins)
	if !ok || keep.Trusted || len(keep.Pins) != 2 || !slices.ContainsFunc(keep.Pins, func(p wallets.Pin) bool { return p.Address == "bc1a" && !p.Since.IsZero() }) {
		t.Errorf("effects %+v", effects)
	}
}

func TestAnAddressThatChangedStops(t *testing.T) {
	s := newStore()
	s.Tick(at(0))
	seen := []wallets.Pin{
		{Currency: "btc", Address: "bc1old", Network: "bitcoin", Since: at(-time.Hour)},
		{Currency: "sol", Address: "So1", Network: "solana", Since: at(-time.Hour)},
	}
	if effects := whereTo(t, s, "bc1new", seen, nil); len(effects) != 0 {
		t.Errorf("a changed address is kept: %+v", effects)
	}
	if a := address(t, s, "sol"); a.Trust != wallets.TrustSame || !a.Since.Equal(at(-time.Hour)) {
		t.Errorf("what did not change: %+v", a)
	}
	a := address(t, s, "btc")
	if a.Trust != wallets.TrustChanged || a.Before.Address != "bc1old" {
		t.Fatalf("what changed: %+v", a)
	}
	if _, _, err := s.Dispatch(secrets.CopyAddress{Currency: "btc"}); err == nil || !strings.Contains(err.Error(), "changed") {
		t.Errorf("it is copied: %v", err)
	}
	// Only the one that was shown can be taken for right.
	other := a.Pin
	other.Address = "bc1evil"
	if v := s.Check(wallets.TrustAddress{Pin: other}); v.Reason == "" {
		t.Error("another address is taken for right")
	}
	if v := s.Check(wallets.TrustAddress{Pin: a.Pin}); v.Reason != "" || v.Danger != kernel.Permanent {
		t.Errorf("verdict %+v", v)
	}
	_, effects, err := s.Dispatch(wallets.TrustAddress{Pin: a.Pin})
	if err != nil || len(effects) != 1 {
		t.Fatalf("%+v, %v", effects, err)
	}
	if keep, ok := effects[0].(wallets.SavePins); !ok || !keep.Trusted || keep.Pins[0].Address != "bc1new" {
		t.Errorf("effects %+v", effects)
	}
	if a := address(t, s, "btc"); a.Trust != wallets.TrustSame {
		t.Errorf("afterwards %+v", a)
	}
	if _, effects, err := s.Dispatch(secrets.CopyAddress{Currency: "btc"}); err != nil || len(effects) != 1 {
		t.Errorf("it is not copied: %+v, %v", effects, err)
	}
}

func TestAnAddressThatAnotherDashboardSawBeforeIsNotNew(t *testing.T) {
	s := newStore()
	s.Tick(at(0))
	whereTo(t, s, "bc1evil", nil, nil)
	s.Apply(wallets.PinsSaved{Meta: meta(time.Second), Stay: []wallets.Pin{{Currency: "btc", Address: "bc1a", Network: "bitcoin", Since: at(-time.Minute)}}})
	if a := address(t, s, "btc"); a.Trust != wallets.TrustChanged || a.Before.Address != "bc1a" {
		t.Errorf("address %+v", a)
	}
	if a := address(t, s, "sol"); a.Trust != wallets.TrustNew {
		t.Errorf("what nobody else saw: %+v", a)
	}
}

func TestAnotherNetworkIsAnotherAddress(t *testing.T) {
	s := newStore()
	s.Tick(at(0))
	whereTo(t, s, "bc1a", []wallets.Pin{{Currency: "btc", Address: "bc1a", Network: "liquid"}}, nil)
	if a := address(t, s, "btc"); a.Trust != wallets.TrustChanged {
		t.Errorf("address %+v", a)
	}
}

func TestWhatCannotBeReadIsNotReplaced(t *testing.T) {
	s := newStore()
	s.Tick(at(0))
	if effects := whereTo(t, s, "bc1a", nil, errors.New("damaged")); len(effects) != 0 {
		t.Errorf("effects %+v", effects)
	}
	if a := address(t, s, "btc"); a.Trust != wallets.TrustUnknown || s.Wallets.AddressesErr() == nil {
		t.Errorf("address %+v", a)
	}
	// Asked again it may be readable.
	whereTo(t, s, "bc1a", []wallets.Pin{{Currency: "btc", Address: "bc1a", Network: "bitcoin"}}, nil)
	if a := address(t, s, "btc"); a.Trust != wallets.TrustSame {
		t.Errorf("address %+v", a)
	}
}

func TestALateAnswerAboutAddressesIsDropped(t *testing.T) {
	s := newStore()
	s.Tick(at(0))
	_, effects, err := s.Dispatch(wallets.LoadAddresses{})
	if err != nil {
		t.Fatal(err)
	}
	var first wallets.FetchAddresses
	for _, e := range effects {
		if f, ok := e.(wallets.FetchAddresses); ok {
			first = f
		}
	}
	s.Apply(state.FetchFailed{Meta: meta(time.Second), Effect: first, Err: errors.New("gone")})
	if _, known, err := s.Wallets.Addresses(); known || err == nil {
		t.Errorf("known %v, %v", known, err)
	}
	s.Apply(wallets.AddressesLoaded{FetchAddresses: first, Meta: meta(2 * time.Second), Addresses: api.DepositAddresses{
		Addresses: map[api.Currency]api.Text{"btc": "bc1a"},
	}})
	if list, _, _ := s.Wallets.Addresses(); len(list) != 0 {
		t.Errorf("a late answer counts: %+v", list)
	}
}

func TestAFailureToKeepIsTold(t *testing.T) {
	s := newStore()
	s.Tick(at(0))
	s.Apply(wallets.PinsSaved{Meta: meta(0), Err: errors.New("disk full")})
	if n := s.Notice(); n.Level != kernel.Warn || !strings.Contains(n.Text, "disk full") {
		t.Errorf("notice %+v", n)
	}
}

// deposits lets the lane of deposits read a list.
func deposits(t *testing.T, s *state.Store, now time.Duration, items ...api.Deposit) {
	t.Helper()
	_, effects := s.Tick(at(now))
	for _, e := range effects {
		if f, ok := e.(wallets.FetchDeposits); ok {
			s.Apply(wallets.DepositsLoaded{FetchDeposits: f, Meta: meta(now), Items: items})
			return
		}
	}
	t.Fatal("deposits are not asked for")
}

func deposit(id api.DepositID, status api.DepositStatus, confirmations int) api.Deposit {
	credited := 99 * dollar
	return api.Deposit{ID: id, Currency: "btc", AmountCrypto: "0.5", Status: status, Confirmations: &confirmations, CreditedUSD: &credited}
}

func TestWhatBecomesOfDepositsIsTold(t *testing.T) {
	s := newStore()
	deposits(t, s, 0, deposit("dep_1", api.DepositPending, 1), deposit("dep_2", api.DepositConfirmed, 3))
	if n := s.Notice(); n.Text != "" {
		t.Errorf("the first reading is news: %s", n.Text)
	}
	if n, ok := s.Wallets.Needed("btc"); !ok || n != 3 {
		t.Errorf("needed %d, %v", n, ok)
	}
	if _, ok := s.Wallets.Needed("eth"); ok {
		t.Error("a number is known of what was never seen")
	}
	deposits(t, s, 2*time.Minute, deposit("dep_1", api.DepositConfirmed, 6), deposit("dep_2", api.DepositConfirmed, 9))
	if n := s.Notice(); n.Level != kernel.Good || n.Text != "deposit of 0.5 BTC is confirmed, $99.00 credited" {
		t.Errorf("notice %+v", n)
	}
	if n, _ := s.Wallets.Needed("btc"); n != 6 {
		t.Errorf("needed %d", n)
	}
	deposits(t, s, 4*time.Minute, deposit("dep_1", api.DepositConfirmed, 6), deposit("dep_3", api.DepositPending, 0))
	if n := s.Notice(); !strings.Contains(n.Text, "is on its way") {
		t.Errorf("notice %+v", n)
	}
	deposits(t, s, 6*time.Minute, deposit("dep_1", api.DepositConfirmed, 6), deposit("dep_3", api.DepositExpired, 0))
	if n := s.Notice(); n.Level != kernel.Warn || !strings.Contains(n.Text, "expired") {
		t.Errorf("notice %+v", n)
	}
}

func TestADepositThatOneListLeftOutStays(t *testing.T) {
	s := newStore()
	one, two := deposit("dep_1", api.DepositConfirmed, 6), deposit("dep_2", api.DepositPending, 1)
	deposits(t, s, 0, one, two)
	deposits(t, s, 2*time.Minute)
	if got := s.Wallets.Deposits(); len(got) != 2 {
		t.Errorf("after one list without them %d", len(got))
	}
	deposits(t, s, 4*time.Minute)
	if got := s.Wallets.Deposits(); len(got) != 0 {
		t.Errorf("after two lists without them %d", len(got))
	}
	deposits(t, s, 6*time.Minute, one, two)
	if n := s.Notice(); n.Text != "" || shownWallet(s) != "" {
		t.Errorf("what was told before is news: %s", n.Text)
	}
	deposits(t, s, 8*time.Minute, one)
	deposits(t, s, 10*time.Minute, one, two)
	deposits(t, s, 12*time.Minute, one)
	if got := s.Wallets.Deposits(); len(got) != 2 {
		t.Errorf("two lists that do not follow each other count as two: %d", len(got))
	}
}
