package state_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/wallets"
)

func TestAnAnswerThatIsNotWhatWasShownIsFlagged(t *testing.T) {
	t.Parallel()
	usd := func(n api.USD) *api.USD { return new(n * dollar) }
	fund, withdraw := state.Fund(first, 25*dollar), state.Withdraw(first, 25*dollar)
	issue := state.Issue(api.CreateCardRequest{BIN: "400000", Amount: 25 * dollar})
	end := state.Terminate(first)
	issued := &api.Card{ID: "card_0009", Last4: "0009", Status: api.CardActive, Balance: 25 * dollar}
	for _, tt := range []struct {
		name string
		in   kernel.Intent
		done state.OpDone
		read *api.USD // the wallet as it is read afterwards
		says string
	}{
		{"a fund as shown", fund, state.OpDone{CardBalance: usd(125), WalletBalance: usd(975)}, usd(975), ""},
		{"a fund beside another's", fund, state.OpDone{CardBalance: usd(125), WalletBalance: usd(75)}, nil, "wallet $75.00; but the preview said wallet $975.00"},
		{"a fund of a card that spent", fund, state.OpDone{CardBalance: usd(120), WalletBalance: usd(975)}, nil, "the preview said card $125.00:"},
		{"both", fund, state.OpDone{CardBalance: usd(120), WalletBalance: usd(75)}, nil, "said card $125.00, wallet $975.00: something else"},
		{"a withdrawal", withdraw, state.OpDone{CardBalance: usd(75), WalletBalance: usd(125)}, nil, "the preview said wallet $1,025.00"},
		{"a withdrawal that tells no wallet", withdraw, state.OpDone{CardBalance: usd(75)}, usd(125), "wallet $125.00 after fb ••0001, but the preview said $1,025.00"},
		{"one that is as shown", withdraw, state.OpDone{CardBalance: usd(75)}, usd(1025), ""},
		{"an issue", issue, state.OpDone{Returned: issued, Card: "card_0009"}, usd(75), "but the preview said $975.00"},
		{"an issue as shown", issue, state.OpDone{Returned: issued, Card: "card_0009"}, usd(975), ""},
		{"a termination", end, state.OpDone{Status: api.CardTerminated, Moved: usd(100)}, usd(75), "is terminated, $100.00 went back to the wallet; wallet $75.00"},
		{"a termination as shown", end, state.OpDone{Status: api.CardTerminated, Moved: usd(100)}, usd(1100), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := settled(t)
			tt.done.Meta, tt.done.Op = meta(2*time.Second), sent(t, s, tt.in).ID
			apply(s, tt.done)
			if tt.read != nil {
				readWallet(t, s, *tt.read)
			}
			if n := s.Notice(); tt.says == "" && (n.Level != kernel.Good || strings.Contains(n.Text, "preview")) {
				t.Errorf("told %q, level %d", n.Text, n.Level)
			}
			if tt.says != "" {
				wantNotice(t, s, kernel.Warn, tt.says)
			}
		})
	}
}

// readWallet reads the wallet when it is due.
func readWallet(t *testing.T, s *state.Store, holds api.USD) {
	t.Helper()
	for d := 2 * time.Second; d < 20*time.Second; d += 100 * time.Millisecond {
		for _, f := range all[wallets.Fetch](tick(s, d)) {
			apply(s, wallets.Loaded{Fetch: f, Meta: meta(d), Wallet: api.Wallet{Balance: holds}})
			return
		}
	}
	t.Fatal("the wallet is not read")
}

// TestWhatThisProgramMovesItselfBreaksNoPromise moves money twice, in every
// order in which two answers can come and the wallet can be read.
func TestWhatThisProgramMovesItselfBreaksNoPromise(t *testing.T) {
	t.Parallel()
	one := state.Fund(first, 25*dollar)
	two := state.Fund(second, 100*dollar)
	quiet := func(t *testing.T, s *state.Store) {
		t.Helper()
		if n := s.Notice(); n.Level > kernel.Good {
			t.Errorf("told %q", n.Text)
		}
	}
	t.Run("at once, the second acts first", func(t *testing.T) {
		t.Parallel()
		s := settled(t)
		a, b := sent(t, s, one), sent(t, s, two)
		apply(s, state.OpDone{Meta: meta(2 * time.Second), Op: b.ID, WalletBalance: new(900 * dollar)})
		quiet(t, s)
		readWallet(t, s, 900*dollar)
		apply(s, state.OpDone{Meta: meta(3 * time.Second), Op: a.ID, WalletBalance: new(875 * dollar)})
		quiet(t, s)
	})
	t.Run("one after the other, the first tells no wallet", func(t *testing.T) {
		t.Parallel()
		s := settled(t)
		apply(s, state.OpDone{Meta: meta(2 * time.Second), Op: sent(t, s, one).ID})
		b := sent(t, s, two) // The preview is still of 1,000.
		apply(s, state.OpDone{Meta: meta(2 * time.Second), Op: b.ID, WalletBalance: new(875 * dollar)})
		quiet(t, s)
	})
	t.Run("one that was judged", func(t *testing.T) {
		t.Parallel()
		s := settled(t)
		a := sent(t, s, one)
		fail(s, 2*time.Second, a, cut())
		tick(s, 5*time.Minute)
		do(t, s, state.Resolve{Op: a.ID, Happened: true})
		b := sent(t, s, two)
		apply(s, state.OpDone{Meta: meta(5 * time.Minute), Op: b.ID, WalletBalance: new(875 * dollar)})
		quiet(t, s)
	})
	t.Run("and the one after is compared again", func(t *testing.T) {
		t.Parallel()
		s := settled(t)
		apply(s, state.OpDone{Meta: meta(2 * time.Second), Op: sent(t, s, one).ID})
		readWallet(t, s, 975*dollar)
		b := sent(t, s, two)
		apply(s, state.OpDone{Meta: meta(4 * time.Second), Op: b.ID, WalletBalance: new(800 * dollar)})
		wantNotice(t, s, kernel.Warn, "the preview said wallet $875.00")
	})
}

func TestAnOperationTellsWhatWasShownOfIt(t *testing.T) {
	t.Parallel()
	s := settled(t)
	card, wallet := sent(t, s, state.Fund(first, 25*dollar)).Shown()
	if card == nil || wallet == nil || *card != 125*dollar || *wallet != 975*dollar {
		t.Errorf("shown %v %v", card, wallet)
	}
	if card, wallet = sent(t, s, state.Fund(second, 25*dollar)).Shown(); card == nil || wallet != nil {
		t.Errorf("of the second at once %v %v", card, wallet)
	}
	if card, wallet = sent(t, settled(t), state.Freeze(first)).Shown(); card != nil || wallet != nil {
		t.Errorf("of a freeze %v %v", card, wallet)
	}
}

func TestAPromiseOfTheWalletEnds(t *testing.T) {
	t.Parallel()
	wallet := func(balance, deposited, pending api.USD) api.Wallet {
		return api.Wallet{Balance: balance * dollar, TotalDeposited: new(deposited * dollar), PendingDeposits: new(pending * dollar)}
	}
	for _, tt := range []struct {
		name   string
		during bool // it is read before the answer as well
		after  time.Duration
		read   api.Wallet
		told   bool
	}{
		{"something else moved", false, 10 * time.Second, wallet(1525, 3000, 500), true},
		{"a deposit is on its way", false, 10 * time.Second, wallet(1525, 3000, 700), true},
		{"a deposit is credited", false, 10 * time.Second, wallet(1525, 3500, 500), false},
		{"one that waited is", false, 10 * time.Second, wallet(1525, 3000, 0), false},
		{"it was before the answer", true, 10 * time.Second, wallet(1525, 3500, 0), false},
		{"it is read a minute later", false, 63 * time.Second, wallet(1525, 3000, 500), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, now := settled(t), time.Second
			read := func(until time.Duration, w api.Wallet) {
				t.Helper()
				var asked []wallets.Fetch
				for now < until || len(asked) == 0 {
					now += 500 * time.Millisecond
					asked = append(asked, all[wallets.Fetch](tick(s, now))...)
				}
				apply(s, wallets.Loaded{Fetch: asked[0], Meta: meta(now), Wallet: w})
			}
			read(now, wallet(1000, 3000, 500))
			op := sent(t, s, state.Withdraw(first, 25*dollar))
			if tt.during {
				read(now, tt.read)
			}
			apply(s, state.OpDone{Meta: meta(now), Op: op.ID, CardBalance: new(75 * dollar)})
			read(now+tt.after, tt.read)
			if told := strings.Contains(s.Notice().Text, "something else"); told != tt.told {
				t.Errorf("told %v: %q", told, s.Notice().Text)
			}
		})
	}
}

func TestTheWalletIsMovingUntilItIsRead(t *testing.T) {
	t.Parallel()
	s := settled(t)
	apply(s, state.OpDone{Meta: meta(2 * time.Second), Op: sent(t, s, state.Freeze(first)).ID, Status: api.CardFrozen})
	if s.Ops.WalletMoving() {
		t.Error("a freeze moves it")
	}
	op := sent(t, s, state.Withdraw(first, 25*dollar))
	if !s.Ops.WalletMoving() {
		t.Error("a withdrawal does not")
	}
	apply(s, state.OpDone{Meta: meta(2 * time.Second), Op: op.ID})
	if !s.Ops.WalletMoving() {
		t.Error("it is not read yet")
	}
	readWallet(t, s, 1025*dollar)
	if s.Ops.WalletMoving() {
		t.Error("it is read")
	}
	op = sent(t, s, state.Fund(first, 25*dollar))
	fail(s, 3*time.Second, op, cut())
	tick(s, 5*time.Minute)
	if s.Ops.WalletMoving() {
		t.Error("nothing is sent any more")
	}
}
