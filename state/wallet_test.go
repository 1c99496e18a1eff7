package state_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/wallets"
)

func holds(t *testing.T, s *state.Store, want api.USD) {
	t.Helper()
	if w, _ := s.Wallets.Balance(); w.Balance != want {
		t.Errorf("the wallet holds %s, want %s", w.Balance, want)
	}
}

func TestALateAnswerDoesNotSetTheWalletBack(t *testing.T) {
	s, p := funding(t, 3)
	l := newTill(t, s)
	b := l.start(p)
	early, late := l.act(l.take(cardID(1))), l.act(l.take(cardID(2)))
	l.send(apply(s, late))
	holds(t, s, 980*dollar)
	l.send(apply(s, early))
	holds(t, s, 980*dollar)
	l.done(cardID(3)) // It ran beside both.
	holds(t, s, 970*dollar)
	if b.Phase != state.BatchOver {
		t.Error(shown(b))
	}

	// What adds to the wallet may have come before or after: it is read.
	s, p = funding(t, 2)
	l = newTill(t, s)
	l.start(p)
	early = l.act(l.take(cardID(1)))
	l.keyOf = make(map[api.CardID]api.IdempotencyKey)
	l.send(apply(s, early))
	holds(t, s, 990*dollar)
	l.send(do(t, s, state.Withdraw(cardID(1), 20*dollar)))
	early = l.act(l.take(cardID(2)))
	l.send(apply(s, l.act(l.take(cardID(1)))))
	holds(t, s, 990*dollar)
	l.send(apply(s, early))
	holds(t, s, 990*dollar)
	l.tick(3 * time.Second)
	holds(t, s, 1000*dollar)
}

func TestAnAnswerToALaterTryIsFromTheFirst(t *testing.T) {
	s, p := funding(t, 1)
	l := newTill(t, s)
	l.start(p)
	op := l.take(cardID(1))
	replay := l.act(op)
	l.send(apply(s, state.OpFailed{Meta: meta(l.now), Op: op.ID, Err: cut()}))
	l.wallet = 5000 * dollar // Somebody pays in.
	for len(l.waiting) == 0 {
		l.tick(time.Second)
	}
	l.tick(10 * time.Second)
	holds(t, s, 5000*dollar)
	l.send(apply(s, replay))
	holds(t, s, 5000*dollar)
}

func TestADepositThatIsCreditedIsInTheListAsSoon(t *testing.T) {
	for _, c := range []struct {
		name   string
		wallet api.Wallet
		read   bool
	}{
		{"credited", api.Wallet{Balance: 1250 * dollar, PendingDeposits: new(api.USD(0)), TotalDeposited: new(2250 * dollar)}, true},
		{"a card was funded", api.Wallet{Balance: 950 * dollar, PendingDeposits: new(250 * dollar), TotalDeposited: new(2000 * dollar)}, false},
	} {
		s := settled(t)
		wallet := func(d time.Duration, w api.Wallet) {
			answerLane(t, s, d, func(f wallets.Fetch) kernel.Event {
				return wallets.Loaded{Fetch: f, Meta: meta(d), Wallet: w}
			})
		}
		wallet(11*time.Second, api.Wallet{Balance: 1000 * dollar, PendingDeposits: new(250 * dollar), TotalDeposited: new(2000 * dollar)})
		for _, e := range tick(s, 12*time.Second) {
			apply(s, answer(e, meta(12*time.Second)))
		}
		wallet(22*time.Second, c.wallet)
		if got := len(all[wallets.FetchDeposits](tick(s, 24*time.Second))) == 1; got != c.read {
			t.Errorf("%s: the deposits are read: %v", c.name, got)
		}
	}
}
