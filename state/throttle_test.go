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
