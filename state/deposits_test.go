package state_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/wallets"
)

func TestADepositIsComparedWithTheMinimumToTheLastDigit(t *testing.T) {
	s := newStore()
	s.Tick(at(0))
	if s.Wallets.TooSmall(&api.Deposit{Currency: "btc", AmountCrypto: "0"}) {
		t.Error("too small before the minimum was read")
	}
	_, effects, err := s.Dispatch(wallets.LoadAddresses{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all[wallets.FetchAddresses](effects) {
		s.Apply(wallets.AddressesLoaded{FetchAddresses: e, Meta: meta(time.Second), Addresses: api.DepositAddresses{
			Addresses:  map[api.Currency]api.Text{"btc": "a", "eth": "b"},
			MinDeposit: map[api.Currency]api.Crypto{"btc": "0.0001"},
		}})
	}
	for amount, want := range map[api.Crypto]bool{"0.0001": false, "0.00010": false, "0.000099999999999999999999": true, "1e-9999999999": false, "": false, "much": false} {
		if got := s.Wallets.TooSmall(&api.Deposit{Currency: "btc", AmountCrypto: amount}); got != want {
			t.Errorf("%q: %t", amount, got)
		}
	}
	if s.Wallets.TooSmall(&api.Deposit{Currency: "eth", AmountCrypto: "0"}) {
		t.Error("no minimum is told for it")
	}
}
