package state_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/wallets"
)

// paced is a store whose budget allows so many requests an hour.
func paced(t *testing.T, pace int) *state.Store {
	t.Helper()
	s := newStore()
	fetch := one[codes.Fetch](t, tick(s, 0))
	m := meta(0)
	m.Budget = poll.Budget{Hour: 1, Pace: pace}
	apply(s, codes.Loaded{Fetch: fetch, Meta: m})
	return s
}

// TestLanesStretchInOrder takes the pace away step by step: deposits rest
// longer first, then the wallet, the cards, the transactions, and the codes
// last.
func TestLanesStretchInOrder(t *testing.T) {
	order := []poll.Lane{poll.Deposits, poll.Wallet, poll.Sweep, poll.Hot, poll.Feed, poll.Codes}
	planned := make(map[poll.Lane]time.Duration)
	for _, lane := range order {
		planned[lane] = paced(t, 10_000).Poll.Source(lane).Every
	}
	last := 0
	for pace := 10_000; pace >= 0; pace -= 10 {
		s, stretched := paced(t, pace), 0
		for i, lane := range order {
			every := s.Poll.Source(lane).Every
			if every > planned[lane] {
				if stretched != i {
					t.Fatalf("at %d an hour lane %d rests longer before one that matters less", pace, lane)
				}
				stretched++
			}
			if every > 20*planned[lane] {
				t.Fatalf("at %d an hour lane %d rests %v", pace, lane, every)
			}
		}
		if stretched < last {
			t.Fatalf("at %d an hour %d lanes are stretched, before %d", pace, stretched, last)
		}
		last = stretched
	}
	if last != len(order) {
		t.Errorf("without any pace only %d lanes are stretched", last)
	}
	if every := paced(t, 0).Poll.Source(poll.Codes).Every; every != 10*time.Second {
		t.Errorf("codes are read every %v at worst, want 10s", every)
	}
}

func TestCodesKeepTheirIntervalWhenOthersFit(t *testing.T) {
	// 3,600 for codes, 1,200 for transactions, 360 for the hot page, 180 for the wallet.
	s := paced(t, 5_340)
	for lane, want := range map[poll.Lane]time.Duration{poll.Codes: time.Second, poll.Feed: 3 * time.Second, poll.Hot: 10 * time.Second} {
		if got := s.Poll.Source(lane).Every; got != want {
			t.Errorf("lane %d every %v, want %v", lane, got, want)
		}
	}
	if got := s.Poll.Source(poll.Deposits).Every; got != 20*time.Minute {
		t.Errorf("deposits every %v, want 20m", got)
	}
}

// TestAnArmedCheckoutKeepsThePace takes from codes what the pace does not bear,
// because a dashboard that is armed all the time runs into the ceiling and then
// waits for minutes.
func TestAnArmedCheckoutKeepsThePace(t *testing.T) {
	for pace, want := range map[int]time.Duration{
		8_000: 500 * time.Millisecond, 7_200: 500 * time.Millisecond, 5_400: 2 * time.Second / 3, 3_600: time.Second, 1_800: 2 * time.Second,
	} {
		s := settled(t)
		do(t, s, codes.Arm{Card: first})
		fetch := one[codes.Fetch](t, tick(s, 3*time.Second))
		m := meta(3 * time.Second)
		m.Budget = poll.Budget{Hour: 1, Pace: pace}
		apply(s, codes.Loaded{Fetch: fetch, Meta: m})
		if got := s.Poll.Source(poll.Codes).Every; got.Round(time.Millisecond) != want.Round(time.Millisecond) {
			t.Errorf("at %d an hour fetch every %v, want %v", pace, got, want)
		}
	}
}

// TestOthersYieldToACheckoutThatIsArmedForLong lets the other lanes keep their
// rhythm while a checkout is armed for minutes, and not when that has filled
// most of the hour.
func TestOthersYieldToACheckoutThatIsArmedForLong(t *testing.T) {
	for hour, want := range map[int]time.Duration{8_000: 3 * time.Second, 8_499: 3 * time.Second, 8_500: time.Minute} {
		s := settled(t)
		do(t, s, codes.Arm{Card: first})
		fetch := one[codes.Fetch](t, tick(s, 3*time.Second))
		m := meta(3 * time.Second)
		m.Budget = poll.Budget{Hour: hour, Pace: 9_000}
		apply(s, codes.Loaded{Fetch: fetch, Meta: m})
		if got := s.Poll.Source(poll.Codes).Every; got != 500*time.Millisecond {
			t.Errorf("with %d spent, fetch every %v", hour, got)
		}
		if got := s.Poll.Source(poll.Feed).Every; got != want {
			t.Errorf("with %d spent, transactions every %v, want %v", hour, got, want)
		}
	}
}

func TestProgramsTellEachOtherEveryTenSeconds(t *testing.T) {
	s := newStore(func(c *settings.Config) { c.Shared, c.Only = true, []poll.Lane{} })
	asked := 0
	for at := time.Duration(0); at < time.Minute; at += time.Second {
		asked += len(all[state.ShareUse](tick(s, at)))
		if wake := s.NextWake(); !wake.Equal(epochAfter(at)) {
			t.Fatalf("at %v the store wakes at %v", at, wake)
		}
	}
	if asked != 6 {
		t.Errorf("%d exchanges in a minute, want 6", asked)
	}
	for range 2 {
		topics, _ := s.Apply(state.UseShared{Meta: meta(time.Minute), Err: errFull})
		if told := topics&kernel.TopicNotice != 0; told != (asked == 6) {
			t.Errorf("told: %v", told)
		}
		asked++
	}
}

var errFull = errors.New("disk full")

// epochAfter is the end of the ten seconds a moment lies in.
func epochAfter(d time.Duration) time.Time {
	return at(d.Truncate(10*time.Second) + 10*time.Second)
}

// TestWhatWasPutOffIsReadSoonWhenRequestsAreThereAgain gives the pace back
// that a second program had: the wallet does not wait out its long pause.
func TestWhatWasPutOffIsReadSoonWhenRequestsAreThereAgain(t *testing.T) {
	s := newStore()
	short := meta(0)
	short.Budget = poll.Budget{Hour: 1, Pace: 400}
	for _, e := range tick(s, 0) {
		if f, ok := e.(wallets.Fetch); ok {
			apply(s, wallets.Loaded{Fetch: f, Meta: short})
		}
	}
	if every := s.Poll.Source(poll.Wallet).Every; every < 40*time.Second {
		t.Fatalf("the wallet is read every %v", every)
	}
	m := meta(4 * time.Second)
	m.Budget = poll.Budget{Hour: 1, Pace: 8_000}
	apply(s, state.UseShared{Meta: m})
	for at := 5 * time.Second; at <= 13*time.Second; at += time.Second {
		for _, e := range tick(s, at) {
			if _, ok := e.(wallets.Fetch); ok {
				return
			}
		}
	}
	t.Error("the wallet is not read within its ten seconds")
}

// TestArmingDoesNotWaitForTheBudgetOfThePolls: the polls had to stop, a person
// at a checkout has requests of their own.
func TestArmingDoesNotWaitForTheBudgetOfThePolls(t *testing.T) {
	s := settled(t)
	fetch := one[codes.Fetch](t, tick(s, 5*time.Second))
	apply(s, state.Deferred{Effect: fetch, Meta: meta(5 * time.Second), Wait: 3 * time.Minute})
	if asked := all[codes.Fetch](tick(s, 15*time.Second)); len(asked) > 0 {
		t.Fatal("codes are asked for though the budget does not allow it")
	}
	do(t, s, codes.Arm{Card: "card_0001"})
	if f := one[codes.Fetch](t, tick(s, 16*time.Second)); !f.Armed {
		t.Error("the request is not that of an armed checkout")
	}
}

// TestAWalletThatFallsAlertsWithinTwoPolls, with less and less of the hour left, in the
// dashboard and in what watches.
func TestAWalletThatFallsAlertsWithinTwoPolls(t *testing.T) {
	t.Parallel()
	watch := []poll.Lane{poll.Codes, poll.Wallet, poll.Feed, poll.Hot, poll.Sweep, poll.History, poll.Deposits}
	for _, only := range [][]poll.Lane{nil, watch} {
		for pace, most := range map[int]time.Duration{10_000: 11 * time.Second, 4_800: 21 * time.Second, 3_600: 21 * time.Second, 0: 61 * time.Second} {
			s := newStore(func(cfg *settings.Config) { cfg.Only, cfg.Alerts = only, alert.Rules{Wallet: 1000 * dollar} })
			fell, alerted := time.Duration(0), time.Duration(0)
			for d := time.Duration(0); d < 10*time.Minute && alerted == 0; d += time.Second {
				for _, e := range tick(s, d) {
					m := meta(d)
					m.Budget = poll.Budget{Hour: 1, Pace: pace}
					switch f := e.(type) {
					case codes.Fetch:
						apply(s, codes.Loaded{Fetch: f, Meta: m})
					case wallets.Fetch:
						balance := 2000 * dollar
						if fell > 0 && d > fell {
							balance = 900 * dollar
						}
						apply(s, wallets.Loaded{Fetch: f, Meta: m, Wallet: api.Wallet{Balance: balance}})
						if fell == 0 && d > 2*time.Minute {
							fell = d // Just after it was read.
						}
					default:
					}
				}
				if s.Alerts.Open() > 0 {
					alerted = d
				}
			}
			if alerted == 0 || alerted-fell > most {
				t.Errorf("pace %d, lanes %v: it alerts %v after it fell, want %v", pace, only, alerted-fell, most)
			}
		}
	}
}
